import { Problem } from '@scriptorium/contracts/problems';
import { fingerprintOf } from '../../access/idempotency.ts';
import type { Signer } from '../../access/signer.ts';
import { type StopRow, thinOut } from '../../db/statements/stops.ts';
import { ok, type Reply } from '../frame/reply.ts';

/** The parts of a call that cursors depend on. */
interface CursorCall {
  deps: { signer: Signer };
  key: { projectId: string };
  path: string;
  search: string;
  query: { cursor?: string | undefined; include?: readonly string[] | undefined };
}

interface ListCall extends CursorCall {
  query: CursorCall['query'] & { limit: number };
}

/** A page of a list, as `listSchema` describes it. */
export interface ListPage<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
  total: number | null;
}

/** Parameters that do not change the result set. */
const ignoredParameters = new Set(['cursor', 'after', 'limit', 'include', 'wait_seconds']);

/**
 * The position after which a page starts, as written by `page`: the sort values in order. Null on
 * the first page.
 * @throws Problem 400 `cursor_invalid` for an invalid cursor, `cursor_mismatch` for a cursor of
 *   another list
 */
export function readCursor(call: CursorCall): (string | number | null)[] | null {
  const { cursor } = call.query;
  if (cursor === undefined) return null;
  const payload = call.deps.signer.verify('cursor', cursor);
  if (payload === null) {
    throw cursorProblem('cursor_invalid', 'The cursor is invalid. Send `next_cursor` unchanged.');
  }
  // The signature proves that this service wrote the payload.
  const { b: binding, p: position } = JSON.parse(payload) as {
    b: string;
    p: (string | number | null)[];
  };
  if (binding !== bindingOf(call)) {
    throw cursorProblem(
      'cursor_mismatch',
      'The cursor belongs to a list with other filters. Send the same filters and sort while following `next_cursor`.',
    );
  }
  return position;
}

function cursorProblem(code: 'cursor_invalid' | 'cursor_mismatch', detail: string): Problem {
  return new Problem(code, detail, { errors: [{ parameter: 'cursor', code, detail }] });
}

/** The start of the page. One more row is read than returned, to find out whether another page follows. */
export function pageStart(call: ListCall): {
  after: (string | number | null)[] | null;
  limit: number;
} {
  return { after: readCursor(call), limit: call.query.limit + 1 };
}

/** Like `pageStart`, for a list that is sorted by identifier only, newest first. */
export function idPageStart(call: ListCall): { before: string | undefined; limit: number } {
  const { after, limit } = pageStart(call);
  return { before: after?.[0]?.toString(), limit };
}

/** Writes a cursor that continues this list after a position. */
export function writeCursor(call: CursorCall, position: (string | number | null)[]): string {
  return call.deps.signer.sign('cursor', JSON.stringify({ b: bindingOf(call), p: position }));
}

/** Cursors to every stop of this list; `position` returns the cursor contents for a stop. */
export function writeStops(
  call: CursorCall,
  found: readonly StopRow[],
  position: (row: StopRow) => (string | number | null)[],
): { every: number; cursors: string[] } {
  const { every, rows } = thinOut(found);
  return { every, cursors: rows.map((row) => writeCursor(call, position(row))) };
}

/** Whether the client requests the exact count. */
export function wantsTotal(call: CursorCall): boolean {
  return call.query.include?.includes('total') ?? false;
}

/**
 * Returns a page. `rows` are up to `limit + 1` rows after the position; an extra row means that
 * there are more. `position` returns the sort values of a row. `count` is called if the client
 * requests the total.
 */
export async function page<Row, Item>(
  call: ListCall,
  rows: readonly Row[],
  options: {
    present: (row: Row) => Item;
    position: (row: Row) => (string | number | null)[];
    count: () => number | null | Promise<number | null>;
  },
): Promise<Reply<200, ListPage<Item>>> {
  const { limit } = call.query;
  const visibleRows = rows.slice(0, limit);
  const last = visibleRows.at(-1);
  const next =
    rows.length > limit && last !== undefined ? writeCursor(call, options.position(last)) : null;
  const body = {
    data: visibleRows.map(options.present),
    has_more: next !== null,
    next_cursor: next,
    total: wantsTotal(call) ? await options.count() : null,
  };
  const headers: Record<string, string> = next ? { Link: linkToNextPage(call, next) } : {};
  return ok(body, { headers });
}

/** The value of a Link header to the next page (RFC 8288). */
export function linkToNextPage(call: CursorCall, cursor: string): string {
  const search = new URLSearchParams(call.search);
  search.set('cursor', cursor);
  return `<${call.path}?${search}>; rel="next"`;
}

/** A hash of project, path and filters (in any order), to which a cursor is bound. */
function bindingOf(call: CursorCall): string {
  const filters = [...new URLSearchParams(call.search)]
    .filter(([name]) => !ignoredParameters.has(name))
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  return fingerprintOf(call.key.projectId, call.path, ...filters)
    .toString('base64url')
    .slice(0, 16);
}
