import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ReviewStats } from '@scriptorium/contracts/wire/reviews';
import { useAnswer } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { formatCount } from '../../kit/count.ts';
import { entityTitle } from '../../kit/entity-titles.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import '../reviews.css';
import { percentOf } from '../words.ts';

type OfType = ReviewStats['types'][number];

/** The share of findings that people accepted, by type and score. */
export default function Precision() {
  const request = requestFor('getReviewStats');
  const { data, problem, reload } = useAnswer(request);
  return (
    <>
      <PageHead
        title="Precision"
        crumbs={[['Reviews', '/']]}
        calls={[['Get statistics of reviews', request]]}
      />
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : !data ? (
        <Loading what="statistics" />
      ) : data.types.length === 0 ? (
        <Empty title="No submitted reviews">
          Once reviews are submitted, this shows how often findings were accepted, by type and
          score.
        </Empty>
      ) : (
        <div class="stack">
          <p>
            Share of findings that reviewers accepted, in{' '}
            {pluralise(data.reviews, 'submitted review')} of this project. Each column is a tenth of
            the score.
          </p>
          <Table types={data.types} />
        </div>
      )}
    </>
  );
}

function Table({ types }: { types: readonly OfType[] }) {
  return (
    <section class="table-frame" aria-label="Precision by type" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Precision</th>
            <th scope="col">By score, 0 to 1</th>
            <th scope="col">Accepted</th>
            <th scope="col">Rejected</th>
            <th scope="col">Added</th>
            <th scope="col">Suggested threshold</th>
          </tr>
        </thead>
        <tbody>
          {types.map((one) => (
            <tr key={`${one.op} ${one.type}`}>
              <td>{entityTitle(one.type)}</td>
              <td class="number">{one.precision === null ? '–' : percentOf(one.precision)}</td>
              <td>
                <Plot of={one} />
              </td>
              <td class="number">{formatCount(one.accepted)}</td>
              <td class="number">{formatCount(one.rejected)}</td>
              <td class="number">{formatCount(one.added)}</td>
              <td class="number">{one.suggested_min_score ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const height = 40;

/** A column for each tenth of the score: accepted at the bottom, rejected at the top. */
function Plot({ of: { type, tenths } }: { of: OfType }) {
  const said = tenths.map(
    (one) => `from ${one.min_score}: ${one.accepted} accepted, ${one.rejected} rejected`,
  );
  return (
    <svg
      class="reviews-plot"
      viewBox={`0 0 100 ${height}`}
      role="img"
      aria-label={`${entityTitle(type)} by score: ${said.join('; ')}`}
    >
      {tenths.map(({ min_score: score, findings, accepted }) => {
        const good = findings === 0 ? 0 : (accepted / findings) * height;
        return (
          <g key={score}>
            <title>{`Score from ${score}: ${accepted} of ${findings} accepted`}</title>
            <rect class="rejected" x={score * 100 + 1} y={0} width={8} height={height - good} />
            <rect class="accepted" x={score * 100 + 1} y={height - good} width={8} height={good} />
          </g>
        );
      })}
      <line x1={0} x2={100} y1={height} y2={height} />
    </svg>
  );
}
