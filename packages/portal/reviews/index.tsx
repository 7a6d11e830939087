import { reviewStates } from '@scriptorium/contracts/reviews';
import type { ReviewRecord, ReviewSort } from '@scriptorium/contracts/wire/reviews';
import { Route, Switch } from 'wouter-preact';
import { requestFor } from '../api/request.ts';
import { operationTitle } from '../jobs/job-display.ts';
import { ButtonLink } from '../kit/button.tsx';
import { formatCount } from '../kit/format-count.ts';
import { lazyComponent } from '../kit/lazy-component.tsx';
import { LiveListScreen } from '../kit/live-list-screen.tsx';
import { NamedResourceByDocument } from '../kit/named-resource.tsx';
import { Empty, Loading, PageNotFound } from '../kit/states.tsx';
import type { Column } from '../kit/table.tsx';
import { Deadline, StateBadge, Time } from '../kit/values.tsx';
import { ActorName } from './actor-name.tsx';
import './reviews.css';

const Precision = lazyComponent(() => import('./stats/index.tsx'), {
  placeholder: <Loading what="precision" />,
});
const Workbench = lazyComponent(() => import('./workbench/index.tsx'), {
  placeholder: <Loading what="review" />,
});

/** The routes of reviews: list, workbench, and statistics. */
export default function Reviews() {
  return (
    <Switch>
      <Route path="/stats">
        <Precision />
      </Route>
      <Route path="/:id">{({ id }) => <Workbench key={id} id={id} />}</Route>
      <Route path="/">
        <ReviewList />
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}

/** The project's reviews, by default oldest first; open ones unless another state is selected. */
function ReviewList() {
  return (
    <LiveListScreen<ReviewRecord, ReviewSort>
      title="Reviews"
      nouns={['review', 'reviews']}
      request={(query) => requestFor('listReviews', query)}
      live={{
        eventPrefix: 'documents.review',
        ignoredSuffixes: ['claimed', 'submitted', 'rejected', 'expired'],
        itemRequest: (id) => requestFor('getReview', { id }),
        mayChange: (review) => review.state === 'open',
        // Decisions are only recorded as audit events, and cancelling a job ends its review.
        hasSilentChanges: true,
      }}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          title: 'State',
          options: reviewStates.map((one) => [one, titleOf(one)] as const),
        },
        {
          kind: 'choice',
          name: 'op',
          title: 'Operation',
          options: [
            ['redact_pii', 'Redact personal data'],
            ['classify', 'Classify'],
          ],
        },
      ]}
      defaults={{ state: 'open' }}
      sorts={['created_at', 'expires_at', 'state']}
      defaultSort="created_at"
      columns={columns}
      actions={<ButtonLink href="/stats">Precision</ButtonLink>}
      empty={
        <Empty icon="reviews" title="No open reviews">
          A job with a review waits here for your decisions about its findings.
        </Empty>
      }
    />
  );
}

const titleOf = (state: string): string => state.charAt(0).toUpperCase() + state.slice(1);

const columns: readonly Column<ReviewRecord>[] = [
  {
    title: 'Document',
    show: ({ id, source_object_id }) => (
      <NamedResourceByDocument id={id} source={source_object_id} />
    ),
  },
  { title: 'State', sort: 'state', show: ({ state }) => <StateBadge state={state} /> },
  { title: 'Operation', show: ({ op }) => <span class="table-words">{operationTitle(op)}</span> },
  { title: 'Findings', show: (review) => <Counts review={review} /> },
  {
    title: 'Claimed by',
    show: ({ claimed_by, claimed_until }) =>
      claimed_by ? (
        <>
          <ActorName actor={claimed_by} />
          {claimed_until !== null && (
            <div class="soft">
              <Deadline at={claimed_until} before="ends" after="ended" />
            </div>
          )}
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
  const { pending, ...decidedCounts } = counts;
  return (
    <>
      <strong>{formatCount(pending)} pending</strong>
      <div class="soft">
        {Object.entries(decidedCounts)
          .filter(([, count]) => count > 0)
          .map(([name, count]) => `${formatCount(count)} ${name}`)
          .join(', ')}
      </div>
    </>
  );
}
