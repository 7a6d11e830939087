import { Link } from 'wouter-preact';
import { reviewStates } from '../../../contracts/reviews.ts';
import type { ReviewRecord } from '../../../contracts/wire/reviews.ts';
import { useList } from '../../api/hooks.ts';
import { streamEvents, useLiveList } from '../../api/live-list.ts';
import { useQueryState } from '../../api/location.ts';
import { useFilenames } from '../../jobs/list/names.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { formatCount } from '../../kit/count.ts';
import { SelectField } from '../../kit/fields/field.tsx';
import { More } from '../../kit/more.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import { State, Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { getReview, listReviews } from '../requests.ts';
import '../reviews.css';
import { nameOf } from '../words.ts';

/** The number of reviews per page. */
const reviewsPerPage = 50;

/** The project's reviews, oldest first; open ones unless another state is selected. */
export function ReviewList() {
  const { can } = useSession();
  const [search, set] = useQueryState();
  const state = search.get('state') ?? 'open';
  const op = search.get('op') ?? '';
  const request = listReviews({
    state: state === 'any' ? undefined : state,
    op: op || undefined,
    limit: reviewsPerPage,
  });
  const list = useList(request);
  useLiveList(list, {
    listens: can('events:read'),
    type: 'documents.review',
    passing: ['claimed', 'submitted', 'rejected', 'expired'],
    get: getReview,
    perPage: reviewsPerPage,
    runs: (review) => review.state === 'open',
    // Decisions are in the audit only, and cancelling a job ends its review.
    silent: true,
  });
  const names = useFilenames(
    can('objects:read') ? list.items.map((review) => review.source_object_id) : [],
  );
  return (
    <>
      <PageHead
        title="Reviews"
        calls={[
          ['List reviews', request],
          ['Stream review events', streamEvents('documents.review.*')],
        ]}
        actions={<ButtonLink href="/stats">Precision</ButtonLink>}
      />
      <div class="stack">
        <div class="reviews-filters">
          <SelectField
            label="State"
            value={state}
            onChange={(value) => set({ state: value === 'open' ? undefined : value })}
            options={[...reviewStates.map((one) => [one, titleOf(one)] as const), ['any', 'Any']]}
          />
          <SelectField
            label="Operation"
            value={op}
            onChange={(value) => set({ op: value })}
            options={[
              ['', 'Any'],
              ['redact_pii', 'Redact personal data'],
              ['classify', 'Classify'],
            ]}
          />
        </div>
        {list.problem ? (
          <ProblemState problem={list.problem} onRetry={list.reload} />
        ) : list.items.length > 0 ? (
          <Table reviews={list.items} names={names} />
        ) : list.loading ? (
          <Loading what="reviews" />
        ) : state === 'open' && op === '' ? (
          <Empty title="No open reviews">
            A job that is started with a review waits here for your decisions about what it found.
          </Empty>
        ) : (
          <Empty title="No matching reviews">Change the filters.</Empty>
        )}
        <More list={list} nouns={['review', 'reviews']} />
      </div>
    </>
  );
}

const titleOf = (state: string): string => state.charAt(0).toUpperCase() + state.slice(1);

function Table(props: { reviews: ReviewRecord[]; names: ReadonlyMap<string, string | null> }) {
  return (
    <section class="table-frame" aria-label="Reviews" tabIndex={0}>
      <table class="table reviews-table">
        <thead>
          <tr>
            <th scope="col">Document</th>
            <th scope="col">Operation</th>
            <th scope="col">Findings</th>
            <th scope="col">Claimed by</th>
            <th scope="col">Expires</th>
          </tr>
        </thead>
        <tbody>
          {props.reviews.map((review) => (
            <tr key={review.id}>
              <td>
                <Link href={`/${review.id}`} class="reviews-name">
                  <bdi>{props.names.get(review.source_object_id) ?? review.source_object_id}</bdi>
                </Link>
                <div class="row">
                  <State state={review.state} />
                  <span class="mono soft">{review.id}</span>
                </div>
              </td>
              <td>
                <code>{review.op}</code>
              </td>
              <td>
                <Counts review={review} />
              </td>
              <td>
                {review.claimed_by ? (
                  <>
                    <bdi>{nameOf(review.claimed_by)}</bdi>
                    <div class="soft">
                      until <Time at={review.claimed_until} />
                    </div>
                  </>
                ) : (
                  <span class="soft">–</span>
                )}
              </td>
              <td class="reviews-when">
                {review.state === 'open' ? (
                  <Time at={review.expires_at} />
                ) : (
                  <span class="soft">
                    Ended <Time at={review.ended_at} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

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
