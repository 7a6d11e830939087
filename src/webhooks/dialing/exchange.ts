/** One POST over one connection, from the first byte sent to as much of the answer as is wanted. */
import { performance } from 'node:perf_hooks';
import { parseRetryAfter } from '../schedule.ts';
import { type Connection, TooManyBytes } from './connections.ts';
import { type Destination, isFramingHeader } from './destination.ts';
import type { FailureContext } from './dial-errors.ts';
import { EXCERPT_SOURCE_BYTES, makeExcerpt, secretValues } from './excerpt.ts';
import type { Stop } from './stop.ts';

/** What a receiver said. */
export interface Answer {
  status: number;
  /** `Retry-After` as seconds from now, at most 24 h. */
  retryAfterSeconds?: number;
  /** What it asks for in `webhook-delivery`: nothing more at all, or this message no more. */
  instruction?: 'disable' | 'abort';
  /** At most 4 KiB of the body as clean text. */
  excerpt: string;
}

// A body within this is read to its end so that the connection can be used again.
const DRAIN_BYTES = 65_536;
const nothing = Buffer.alloc(0);

/**
 * Resolves with the answer and whether the connection can be used again; rejects with whatever
 * broke it, or with the reason for which it was stopped. Writes into `options.context` how far it came.
 */
export function exchange(
  connection: Connection,
  destination: Destination,
  request: { headers: Readonly<Record<string, string>>; body: string | Uint8Array },
  options: { context: FailureContext; stop: Stop; userAgent: string },
): Promise<{ complete: boolean; answer: Answer }> {
  const { context, stop, userAgent } = options;
  const { trace } = context;
  return new Promise((resolve, reject) => {
    let sentAt = performance.now();
    let start = nothing;
    let read = 0;
    let received:
      | {
          status: number;
          retryAfter: string | undefined;
          encoding: string | undefined;
          instruction: Answer['instruction'];
        }
      | undefined;

    const fail = (error: unknown) => {
      stop.listen(null);
      reject(error);
    };
    const finish = (complete: boolean) => {
      stop.listen(null);
      if (!received) {
        reject(new Error('An answer ended before it began.'));
        return;
      }
      const retryAfterSeconds = parseRetryAfter(received.retryAfter, Date.now());
      // Most answers are empty: there is nothing to take secrets out of.
      const excerpt =
        start.length === 0
          ? ''
          : makeExcerpt(start, {
              contentEncoding: received.encoding,
              secrets: secretValues(request.headers),
            });
      resolve({
        complete,
        answer: {
          status: received.status,
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
          ...(received.instruction === undefined ? {} : { instruction: received.instruction }),
          excerpt,
        },
      });
    };
    if (stop.reason) {
      fail(stop.reason);
      return;
    }
    stop.listen((reason) => {
      fail(reason);
      connection.destroy(reason);
    });

    connection.begin();
    connection.client.dispatch(
      {
        method: 'POST',
        path: destination.path,
        headers: wireHeaders(request.headers, userAgent),
        body: request.body,
      },
      {
        onRequestStart() {
          trace.phase = 'waiting';
          sentAt = performance.now();
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return; // 103 and its like come before the answer
          trace.firstByte = performance.now() - sentAt;
          trace.phase = 'body';
          context.status = status;
          received = {
            status,
            retryAfter: firstOf(headers['retry-after']),
            encoding: firstOf(headers['content-encoding']),
            instruction: readInstruction(firstOf(headers['webhook-delivery'])),
          };
        },
        onResponseData(controller, chunk) {
          read += chunk.length;
          if (start.length < EXCERPT_SOURCE_BYTES) {
            start = Buffer.concat([start, chunk.subarray(0, EXCERPT_SOURCE_BYTES - start.length)]);
          }
          if (read > DRAIN_BYTES) {
            // Enough: the status is known, and a body without end must not hold us.
            finish(false);
            controller.abort(new Error('The body is longer than what is read of it.'));
          }
        },
        onResponseEnd() {
          finish(true);
        },
        onResponseError(_controller, error) {
          // The answer stands; only its body went on for too long.
          if (received && error instanceof TooManyBytes) finish(false);
          else fail(error);
        },
      },
    );
  });
}

function wireHeaders(
  headers: Readonly<Record<string, string>>,
  userAgent: string,
): Record<string, string> {
  const framing = Object.keys(headers).find(isFramingHeader);
  if (framing !== undefined) throw new TypeError(`The header ${framing} cannot be set.`);
  return { 'user-agent': userAgent, ...headers };
}

/** What we do not know is no instruction: the status alone counts then. */
function readInstruction(header: string | undefined): Answer['instruction'] {
  const said = header?.trim().toLowerCase();
  return said === 'disable' ? 'disable' : said === 'abort-message' ? 'abort' : undefined;
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
