import { QueryResult, type QueryRunner } from 'typeorm';
import type { StatementAnswer } from './batch.ts';

/**
 * Redirects what TypeORM asks through `runner`, so that its managers, repositories and query builders
 * use our packets and pass the same checks as `prepared` and `send`. We rely on this beyond TypeORM's
 * documented interface:
 *
 * - Managers and builders run every statement by `runner.query(text, values, structured)`, after only
 *   settled promises: what is asked in one turn is sent in one packet.
 * - `isTransactionActive` keeps `save` and `remove` from opening a separate transaction, and allows
 *   locks.
 * - A structured result is a `QueryResult`; without one, an UPDATE or DELETE gives rows and count.
 */
export function redirect(
  runner: QueryRunner,
  ask: (text: string, values: readonly unknown[]) => Promise<StatementAnswer>,
): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
  runner.query = (async (text: string, values: unknown[] = [], structured = false) => {
    const { rows, tag } = await ask(text, values);
    const affected = Number(/\d+$/.exec(tag)?.[0] ?? rows.length);
    const raw = /^(?:UPDATE|DELETE)/.test(tag) ? [rows, affected] : rows;
    if (!structured) return raw;
    return Object.assign(new QueryResult(), { raw, records: rows, affected });
  }) as QueryRunner['query'];
  runner.stream = () => {
    throw new Error('A transaction cannot stream. Read in pages.');
  };
}
