import { Readable } from 'node:stream';
import { type Fault, invalidParameter } from '@scriptorium/contracts/problems';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { readBounds, rejectGone } from '../../outbox/feed/bounds.ts';
import { presentEvent, readEvents } from '../../outbox/feed/feed.ts';
import type { FeedFilters } from '../../outbox/feed/filters.ts';
import type { StreamCall } from '../frame/route.ts';
import { csvHead, csvLine } from './csv.ts';
import { readAfter, viewFor } from './feed-query.ts';

export const ndjson = 'application/x-ndjson';
export const csv = 'text/csv';

/** The formats of an export: the head, and a line per event. */
const forms: Record<ExportType, { head: string; line: (event: EventRecord) => string }> = {
  [ndjson]: { head: '', line: (event) => `${JSON.stringify(event)}\n` },
  [csv]: { head: csvHead, line: csvLine },
};
export type ExportType = typeof ndjson | typeof csv;

/** How many events one transaction reads at most. */
const batchSize = 200;
/** The maximum number of sequences it scans, so that it stays short regardless of the filters. */
const span = 20_000;

type ExportCall = Pick<StreamCall<string, never, unknown>, 'inProject' | 'origin'>;

interface ExportQuery {
  order: 'asc' | 'desc';
  after?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
  include?: readonly string[] | undefined;
  wait_seconds: number;
}

/** The range to read: after `from`, up to and including `to`, in reading order. */
interface Range {
  from: number;
  to: number;
}

/**
 * Exports a range of the feed as JSON or CSV lines, up to the newest event. An invalid request
 * throws before anything is sent. A later failure (the key is revoked, events are dropped) aborts
 * the stream, so that an incomplete export never looks complete.
 */
export async function startExport(
  call: ExportCall,
  filters: FeedFilters,
  query: ExportQuery,
  type: ExportType,
): Promise<Readable> {
  rejectForExport(query);
  const { projectId } = call.origin;
  const range = await call.inProject(async (tx): Promise<Range> => {
    const { order } = query;
    const { earliest, latest } = await readBounds(tx, projectId, filters.category);
    const after =
      query.after === undefined
        ? null
        : await readAfter(tx, projectId, filters.category, query.after);
    rejectGone({ after, order }, { earliest, latest });
    return order === 'asc'
      ? { from: after ?? earliest - 1, to: latest }
      : { from: Math.min(after ?? latest + 1, latest + 1), to: earliest };
  });
  return Readable.from(lines(call, filters, range, query, type), { objectMode: false });
}

async function* lines(
  call: ExportCall,
  filters: FeedFilters,
  { from, to }: Range,
  { order, limit }: ExportQuery,
  type: ExportType,
): AsyncGenerator<string> {
  const { head, line } = forms[type];
  if (head !== '') yield head;
  const forwards = order === 'asc';
  let left = limit ?? Number.POSITIVE_INFINITY;
  for (let after = from; left > 0 && (forwards ? after < to : after > to); ) {
    const until = forwards ? Math.min(after + span, to) : Math.max(after - span, to);
    const page = { after, until, order, limit: Math.min(batchSize, left) };
    const { text, result } = await call.inProject(async (tx, key) => {
      const view = viewFor(filters, key.scopes);
      const result = await readEvents(tx, call.origin.projectId, filters, page);
      const lines = result.events.map((event) => line(presentEvent(event, view)));
      return { result, text: lines.join('') };
    });
    left -= result.events.length;
    after = result.position ?? until;
    if (text !== '') yield text;
  }
}

/** Rejects parameters that only apply to pages. */
function rejectForExport(query: ExportQuery): void {
  const faults: Fault[] = [];
  const reject = (parameter: string, detail: string): void => {
    faults.push({ parameter, code: 'not_applicable', detail });
  };
  if (query.cursor !== undefined)
    reject('cursor', 'It is not allowed in exports. Use `after` to set the start.');
  if (query.wait_seconds > 0) reject('wait_seconds', 'It is not allowed in exports.');
  if (query.include !== undefined) reject('include', 'It is not allowed in exports.');
  if (faults.length > 0) throw invalidParameter(...faults);
}
