import { query, type Tx } from '../../src/db/transaction.ts';

/** A step of a plan as it ran: `EXPLAIN (ANALYZE, FORMAT JSON)`. */
export interface PlanStep {
  'Node Type': string;
  Alias?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Index Cond'?: string;
  'Rows Removed by Filter'?: number;
  Plans?: PlanStep[];
}

/** Runs a statement; returns the steps of its plan, without the shortcuts for small tables. */
export async function stepsOf(
  tx: Tx,
  { text, values }: { text: string; values: unknown[] },
): Promise<PlanStep[]> {
  await tx.query('SET LOCAL enable_seqscan = off');
  await tx.query('SET LOCAL enable_sort = off');
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: PlanStep }] }>(
    tx,
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  return withinStep(row!['QUERY PLAN'][0].Plan);
}

function withinStep(step: PlanStep): PlanStep[] {
  return [step, ...(step.Plans ?? []).flatMap(withinStep)];
}

/** Returns the number of rows that scans read. */
export function rowsReadBy(steps: readonly PlanStep[]): number {
  return steps.reduce(
    (sum, step) =>
      sum + (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'],
    0,
  );
}

/** Whether a step reads a table by its alias in the statement, or one of its partitions. */
export function readsTable(alias: string): (step: PlanStep) => boolean {
  const pattern = new RegExp(`^${alias}(_\\d+)?$`);
  return ({ Alias: own }) => pattern.test(own ?? '');
}
