import { reviewStates } from '../../../contracts/reviews.ts';
import type { ReviewRecord, ReviewSort } from '../../../contracts/wire/reviews.ts';
import { useList } from '../../api/hooks.ts';
import { useLiveList } from '../../api/live-list.ts';
import { useQueryState } from '../../api/location.ts';
import { requestFor } from '../../api/request.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { formatCount } from '../../kit/count.ts';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { ListTable } from '../../kit/list-table.tsx';
import { Named } from '../../kit/named.tsx';
import { useNames } from '../../kit/names.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { useSort } from '../../kit/sort.ts';
import { Empty } from '../../kit/states.tsx';
import type { Column } from '../../kit/table.tsx';
import { State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import '../reviews.css';
import { operationTitle } from '../../jobs/words.ts';
import { nameOf } from '../words.ts';

/** The number of reviews per page. */
const reviewsPerPage = 50;

/** The project's reviews, by default oldest first; open ones unless another state is selected. */
export function ReviewList() {
  const { can } = useSession();
  const [search, set] = useQueryState();
  const shown = search.get('state') ?? 'open';
  const state = shown === 'any' ? '' : shown;
  const op = search.get('op') ?? '';
  const { sort, ...sorting } = useSort<ReviewSort>(
    ['created_at', 'expires_at', 'state'],
    'created_at',
  );
  const request = requestFor('listReviews', {
    state: state || undefined,
    op: op || undefined,
    sort,
    limit: reviewsPerPage,
  });
  const list = useList(request);
  useLiveList(list, {
    listens: can('events:read'),
    type: 'documents.review',
    passing: ['claimed', 'submitted', 'rejected', 'expired'],
    get: (id) => requestFor('getReview', { id }),
    perPage: reviewsPerPage,
    runs: (review) => review.state === 'open',
    // Decisions are in the audit only, and cancelling a job ends its review.
    silent: true,
  });
  const isNamed = can('objects:read');
  const names = useNames(isNamed ? list.items.map((review) => review.source_object_id) : []);
  return (
    <>
      <PageHead
        title="Reviews"
        calls={[
          ['List reviews', request],
          ['Stream review events', requestFor('streamEvents', { type: 'documents.review.*' })],
        ]}
        actions={<ButtonLink href="/stats">Precision</ButtonLink>}
      />
      <FilterBar
        label="Review filters"
        filters={[
          {
            kind: 'choice',
            name: 'state',
            title: 'State',
            value: state,
            options: reviewStates.map((one) => [one, titleOf(one)] as const),
          },
          {
            kind: 'choice',
            name: 'op',
            title: 'Operation',
            value: op,
            options: [
              ['redact_pii', 'Redact personal data'],
              ['classify', 'Classify'],
            ],
          },
        ]}
        onChange={({ state: next, ...rest }) =>
          // Without a state, all: open reviews are what is shown at first.
          set({ ...rest, ...(next === undefined ? {} : { state: next || 'any' }) })
        }
      />
      <ListTable
        list={list}
        nouns={['review', 'reviews']}
        label="Reviews"
        keyOf={({ id }) => id}
        columns={columnsFor(names, isNamed)}
        {...sorting}
        empty={
          state === 'open' && op === '' ? (
            <Empty icon="reviews" title="No open reviews">
              A job that is started with a review waits here for your decisions about what it found.
            </Empty>
          ) : (
            <Empty title="No matching reviews">Change the filters.</Empty>
          )
        }
      />
    </>
  );
}

const titleOf = (state: string): string => state.charAt(0).toUpperCase() + state.slice(1);

const columnsFor = (
  names: ReadonlyMap<string, string | null>,
  isNamed: boolean,
): Column<ReviewRecord>[] => [
  {
    title: 'Document',
    show: ({ id, source_object_id: source }) => (
      <Named
        id={id}
        name={names.get(source) ?? source}
        href={`/${id}`}
        loading={isNamed && !names.has(source)}
      />
    ),
  },
  { title: 'State', sort: 'state', show: ({ state }) => <State state={state} /> },
  { title: 'Operation', show: ({ op }) => <span class="table-words">{operationTitle(op)}</span> },
  { title: 'Findings', show: (review) => <Counts review={review} /> },
  {
    title: 'Claimed by',
    show: ({ claimed_by, claimed_until }) =>
      claimed_by ? (
        <>
          <bdi>{nameOf(claimed_by)}</bdi>
          <div class="soft">
            until <Time at={claimed_until} />
          </div>
        </>
      ) : (
        <span class="soft">–</span>
      ),
  },
  {
    title: 'Created',
    kind: 'line',
    sort: 'created_at',
    show: ({ created_at }) => <Time at={created_at} />,
  },
  {
    title: 'Expires',
    kind: 'line',
    sort: 'expires_at',
    show: ({ state, expires_at, ended_at }) =>
      state === 'open' ? (
        <Time at={expires_at} />
      ) : (
        <span class="soft">
          Ended <Time at={ended_at} />
        </span>
      ),
  },
];

function Counts({ review: { counts, op } }: { review: ReviewRecord }) {
  if (op === 'classify') return <span class="soft">Label to choose</span>;
  const { pending, ...rest } = counts;
  return (
    <>
      <strong>{formatCount(pending)} pending</strong>
      <div class="soft">
        {Object.entries(rest)
          .filter(([, count]) => count > 0)
          .map(([name, count]) => `${formatCount(count)} ${name}`)
          .join(', ')}
      </div>
    </>
  );
}
