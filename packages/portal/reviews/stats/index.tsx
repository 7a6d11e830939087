import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ReviewStats } from '@scriptorium/contracts/wire/reviews';
import { useResource } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { entityTitle } from '../../kit/entity-titles.ts';
import { formatCount } from '../../kit/format-count.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { Empty, Loading, ProblemState } from '../../kit/states.tsx';
import '../reviews.css';
import { formatPercent } from '../finding-text.ts';

type TypeStats = ReviewStats['types'][number];

/** The share of findings that people accepted, by type and score. */
export default function Precision() {
  const request = requestFor('getReviewStats');
  const { data, problem, reload } = useResource(request);
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
          <PrecisionTable types={data.types} />
        </div>
      )}
    </>
  );
}

function PrecisionTable({ types }: { types: readonly TypeStats[] }) {
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
              <td class="number">{one.precision === null ? '–' : formatPercent(one.precision)}</td>
              <td>
                <Plot stats={one} />
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

const plotHeight = 40;

/** Plots a column for each tenth of the score: accepted at the bottom, rejected at the top. */
function Plot({ stats: { type, tenths } }: { stats: TypeStats }) {
  const descriptions = tenths.map(
    (one) => `from ${one.min_score}: ${one.accepted} accepted, ${one.rejected} rejected`,
  );
  return (
    <svg
      class="reviews-plot"
      viewBox={`-24 -4 128 ${plotHeight + 14}`}
      role="img"
      aria-label={`${entityTitle(type)} by score: ${descriptions.join('; ')}`}
    >
      {tenths.map(({ min_score: score, findings, accepted }) => {
        const acceptedHeight = findings === 0 ? 0 : (accepted / findings) * plotHeight;
        return (
          <g key={score}>
            <title>{`Score from ${score}: ${accepted} of ${findings} accepted`}</title>
            <rect
              class="rejected"
              x={score * 100 + 1}
              y={0}
              width={8}
              height={plotHeight - acceptedHeight}
            />
            <rect
              class="accepted"
              x={score * 100 + 1}
              y={plotHeight - acceptedHeight}
              width={8}
              height={acceptedHeight}
            />
          </g>
        );
      })}
      <line x1={0} x2={100} y1={plotHeight} y2={plotHeight} />
      {[0, 1].map((share) => (
        <text key={share} x={-2} y={plotHeight * (1 - share)} class="share">
          {formatPercent(share)}
        </text>
      ))}
      {[0, 0.5, 1].map((score) => (
        <text key={score} x={score * 100} y={plotHeight + 9} class="score">
          {score}
        </text>
      ))}
    </svg>
  );
}
