import type { ReviewableOperation } from '@scriptorium/contracts/operations';
import type { FindingDecision, FindingSource } from '@scriptorium/contracts/reviews';
import type { ReviewStats } from '@scriptorium/contracts/wire/reviews';
import { Conditions } from '../../db/statements/conditions.ts';
import { query, type Tx } from '../../db/transaction.ts';

/** The number of findings of submitted reviews with the same properties and decision. */
interface FindingCount {
  op: ReviewableOperation;
  type: string;
  score_tenth: number;
  source: FindingSource;
  decision: FindingDecision;
  findings: number;
}

/** Selects reviews by the time of their submission, and by operation. */
interface Period {
  from?: string | undefined;
  to?: string | undefined;
  op?: readonly ReviewableOperation[] | undefined;
}

/** People's decisions about the findings of the project. */
export async function readStats(
  tx: Tx,
  projectId: string,
  { from, to, op }: Period,
): Promise<ReviewStats> {
  const where = new Conditions();
  where.add(`r.project_id = ? AND r.state = 'submitted'`, projectId);
  if (from !== undefined) where.add('r.submitted_at >= ?', from);
  if (to !== undefined) where.add('r.submitted_at < ?', to);
  if (op) where.add('r.op = ANY(?)', op);
  const [[reviews], counts] = await Promise.all([
    query<{ n: number }>(
      tx,
      `SELECT count(*)::integer AS n FROM review r WHERE ${where.sql()}`,
      where.values,
    ),
    query<FindingCount>(
      tx,
      `SELECT r.op, c.type, c.score_tenth, c.source, c.decision, sum(c.findings)::integer AS findings
       FROM review r JOIN review_count c ON c.project_id = r.project_id AND c.review_id = r.id
       WHERE ${where.sql()} GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3`,
      where.values,
    ),
  ]);
  return { reviews: reviews!.n, types: statsByType(counts) };
}

/** Minimum number of decisions for suggesting a threshold. */
const minDecisions = 20;
/** The maximum share of wrong findings for a suggested threshold. */
const maxErrorRate = 0.05;

const ratio = (part: number, all: number): number | null =>
  all === 0 ? null : Math.round((part / all) * 1e4) / 1e4;

/** Statistics for each type, from findings by tenth of their score. */
export function statsByType(counts: readonly FindingCount[]): ReviewStats['types'] {
  const keys = [...new Set(counts.map(({ op, type }) => `${op} ${type}`))];
  return keys.map((key) => statsOf(counts.filter(({ op, type }) => `${op} ${type}` === key)));
}

interface Tenth {
  min_score: number;
  accepted: number;
  rejected: number;
}

function statsOf(counts: readonly FindingCount[]): ReviewStats['types'][number] {
  const { op, type } = counts[0]!;
  const sum = (matches: (count: FindingCount) => boolean): number =>
    counts.filter(matches).reduce((all, { findings }) => all + findings, 0);
  const tenths: Tenth[] = Array.from({ length: 10 }, (_, tenth) => {
    const inTenth = (decision: FindingDecision) =>
      sum(
        (count) =>
          count.source === 'detector' && count.score_tenth === tenth && count.decision === decision,
      );
    return {
      min_score: tenth / 10,
      accepted: inTenth('accepted'),
      rejected: inTenth('rejected'),
    };
  });
  const added = sum(({ source }) => source === 'person');
  const accepted = tenths.reduce((all, tenth) => all + tenth.accepted, 0);
  const rejected = tenths.reduce((all, tenth) => all + tenth.rejected, 0);
  const thresholds = tenths.map((_, at) => thresholdAt(tenths, at, added));
  const hasEnoughDecisions = accepted + rejected >= minDecisions;
  const suggested = thresholds.find(
    ({ error_rate }) => error_rate !== null && error_rate <= maxErrorRate,
  );
  return {
    op,
    type,
    findings: accepted + rejected,
    accepted,
    rejected,
    added,
    precision: ratio(accepted, accepted + rejected),
    recall: ratio(accepted, accepted + added),
    tenths: tenths
      .filter((tenth) => tenth.accepted + tenth.rejected > 0)
      .map((tenth) => ({
        ...tenth,
        findings: tenth.accepted + tenth.rejected,
        precision: ratio(tenth.accepted, tenth.accepted + tenth.rejected),
      })),
    thresholds,
    suggested_min_score: hasEnoughDecisions ? (suggested?.min_score ?? null) : null,
  };
}

/** The number of errors if findings below a tenth had not been removed and all others had. */
function thresholdAt(tenths: readonly Tenth[], at: number, added: number) {
  const above = tenths.slice(at);
  const wrong = above.reduce((all, { rejected }) => all + rejected, 0);
  const right = above.reduce((all, { accepted }) => all + accepted, 0);
  const below = tenths.slice(0, at).reduce((all, { accepted }) => all + accepted, 0);
  return {
    min_score: tenths[at]!.min_score,
    wrong,
    missed: below + added,
    error_rate: ratio(wrong, wrong + right),
  };
}
