import { Readable } from 'node:stream';
import { type Fault, invalidParameter } from '../../contracts/problems.ts';
import type { EventRecord } from '../../contracts/wire/events.ts';
import {
  type FeedFilters,
  presentEvent,
  readBounds,
  readEvents,
  refuseGone,
} from '../../outbox/feed/feed.ts';
import type { StreamCall } from '../frame/route.ts';
import { csvHead, csvLine } from './csv.ts';
import { readAfter, viewFor } from './feed-query.ts';

export const ndjson = 'application/x-ndjson';
export const csv = 'text/csv';

/** What an export is written as: what comes before the first event, and each of them. */
const forms: Record<ExportType, { head: string; line: (event: EventRecord) => string }> = {
  [ndjson]: { head: '', line: (event) => `${JSON.stringify(event)}\n` },
  [csv]: { head: csvHead, line: csvLine },
};
export type ExportType = typeof ndjson | typeof csv;

/** How many events one transaction reads at most. */
const batchSize = 200;
/** How many sequences it looks through at most, so that it stays short whatever the filters leave. */
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

/** What to go through: what follows `from`, up to and with `to`, in the direction of reading. */
interface Range {
  from: number;
  to: number;
}

/**
 * A range of the feed as lines of JSON or of CSV, bounded by what is there now. What is wrong with the request
 * is thrown before anything is sent; what stops it later (the key is revoked, events are dropped
 * before they were read) breaks the stream off, so that half an export never looks like a whole one.
 */
export async function startExport(
  call: ExportCall,
  filters: FeedFilters,
  query: ExportQuery,
  type: ExportType,
): Promise<Readable> {
  refuseForExport(query);
  const { projectId } = call.origin;
  const range = await call.inProject(async (tx): Promise<Range> => {
    const { order } = query;
    const { earliest, latest } = await readBounds(tx, projectId, filters.category);
    const after =
      query.after === undefined
        ? null
        : await readAfter(tx, projectId, filters.category, query.after);
    refuseGone({ after, order }, { earliest, latest });
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
      const told = result.events.map((event) => line(presentEvent(event, view)));
      return { result, text: told.join('') };
    });
    left -= result.events.length;
    after = result.position ?? until;
    if (text !== '') yield text;
  }
}

/** What says how pages are read says nothing to an export, which is one answer. */
function refuseForExport(query: ExportQuery): void {
  const faults: Fault[] = [];
  const refuse = (parameter: string, detail: string): void => {
    faults.push({ parameter, code: 'not_applicable', detail });
  };
  if (query.cursor !== undefined) refuse('cursor', 'An export has no pages; begin it with after.');
  if (query.wait_seconds > 0) refuse('wait_seconds', 'An export is of what is there, and ends.');
  if (query.include !== undefined) refuse('include', 'An export counts nothing; it is the lines.');
  if (faults.length > 0) throw invalidParameter(...faults);
}
