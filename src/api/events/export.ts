import { Readable } from 'node:stream';
import { type Fault, invalidParameter } from '@scriptorium/contracts/problems';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { readBounds, rejectOutsideBounds } from '../../outbox/feed/bounds.ts';
import { presentEvent, readEvents } from '../../outbox/feed/feed.ts';
import type { FeedFilters } from '../../outbox/feed/filters.ts';
import type { StreamCall } from '../frame/route.ts';
import { csvHeader, formatCsvLine } from './csv.ts';
import { readAfter, viewFor } from './feed-query.ts';

export const ndjson = 'application/x-ndjson';
export const csv = 'text/csv';

/** The formats of an export: a header, and a line per event. */
const formats: Record<ExportType, { header: string; line: (event: EventRecord) => string }> = {
  [ndjson]: { header: '', line: (event) => `${JSON.stringify(event)}\n` },
  [csv]: { header: csvHeader, line: formatCsvLine },
};
export type ExportType = typeof ndjson | typeof csv;

/** The maximum number of events per transaction. */
const batchSize = 200;
/** The maximum number of sequences per transaction, which keeps it short whatever the filters. */
const maxScannedSequences = 20_000;

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
interface SequenceRange {
  from: number;
  to: number;
}

/**
 * Exports a range of the feed as JSON or CSV lines, up to the newest event. Throws for
 * an invalid request before anything is sent. A later failure (the key is revoked, events are dropped) aborts
 * the stream, so that an incomplete export never looks complete.
 */
export async function startExport(
  call: ExportCall,
  filters: FeedFilters,
  query: ExportQuery,
  type: ExportType,
): Promise<Readable> {
  rejectPageParameters(query);
  const { projectId } = call.origin;
  const range = await call.inProject(async (tx): Promise<SequenceRange> => {
    const { order } = query;
    const { earliest, latest } = await readBounds(tx, projectId, filters.category);
    const after =
      query.after === undefined
        ? null
        : await readAfter(tx, projectId, filters.category, query.after);
    rejectOutsideBounds({ after, order }, { earliest, latest });
    return order === 'asc'
      ? { from: after ?? earliest - 1, to: latest }
      : { from: Math.min(after ?? latest + 1, latest + 1), to: earliest };
  });
  return Readable.from(streamLines(call, filters, range, query, type), { objectMode: false });
}

async function* streamLines(
  call: ExportCall,
  filters: FeedFilters,
  { from, to }: SequenceRange,
  { order, limit }: ExportQuery,
  type: ExportType,
): AsyncGenerator<string> {
  const { header, line } = formats[type];
  if (header !== '') yield header;
  const isAscending = order === 'asc';
  let remaining = limit ?? Number.POSITIVE_INFINITY;
  for (let after = from; remaining > 0 && (isAscending ? after < to : after > to); ) {
    const until = isAscending
      ? Math.min(after + maxScannedSequences, to)
      : Math.max(after - maxScannedSequences, to);
    const page = { after, until, order, limit: Math.min(batchSize, remaining) };
    const { text, result } = await call.inProject(async (tx, key) => {
      const view = viewFor(filters, key.scopes);
      const result = await readEvents(tx, call.origin.projectId, filters, page);
      const lines = result.events.map((event) => line(presentEvent(event, view)));
      return { result, text: lines.join('') };
    });
    remaining -= result.events.length;
    after = result.position ?? until;
    if (text !== '') yield text;
  }
}

/** Rejects parameters that only apply to pages. */
function rejectPageParameters(query: ExportQuery): void {
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
