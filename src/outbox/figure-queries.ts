import type { Database } from '../db/database.ts';
import { inTransaction, prepared } from '../db/transaction.ts';

/** A figure about waiting work, across all projects; `label` is the queue or table. */
export interface PipelineFigure {
  figure: string;
  label: string | null;
  value: number;
}

/** The time limit: collecting figures must not slow the pipeline down. */
const limitMs = 2_000;

/**
 * Reads how much work is waiting: due tasks by queue, events without a sequence, deliveries, and rows
 * in a default partition.
 */
export async function readPipelineFigures(database: Database): Promise<PipelineFigure[]> {
  return inTransaction(database, async (tx) => {
    await prepared(tx, `SET LOCAL statement_timeout = ${limitMs}`, []);
    return prepared<PipelineFigure>(tx, 'SELECT figure, label, value FROM pipeline_figures()', []);
  });
}
