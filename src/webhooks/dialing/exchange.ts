/**
 * One POST over one connection, from the first byte sent to the end of what is read of the answer.
 */
import { performance } from 'node:perf_hooks';
import { parseRetryAfter } from '../schedule.ts';
import { type Connection, TooManyBytes } from './connections.ts';
import { type Destination, isFramingHeader } from './destination.ts';
import type { FailureContext } from './dial-errors.ts';
import { EXCERPT_SOURCE_BYTES, makeExcerpt, secretValues } from './excerpt.ts';
import type { Stop } from './stop.ts';

/** The receiver's answer. */
export interface Answer {
  status: number;
  /** `Retry-After` as seconds from now, at most 24 h. */
  retryAfterSeconds?: number;
  /** The value of `webhook-delivery`: no more messages at all, or not this one again. */
  instruction?: 'disable' | 'abort';
  /** At most 4 KiB of the body as cleaned text. */
  excerpt: string;
}

// Bodies up to this size are read to their end, so that the connection can be reused.
const DRAIN_BYTES = 65_536;
const nothing = Buffer.alloc(0);

/**
 * Resolves with the answer and whether the connection can be reused; rejects with the error that
 * ended the exchange, or the reason for which it was stopped. Updates `options.context` with its
 * progress.
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
        reject(new Error('A response ended before it started.'));
        return;
      }
      const retryAfterSeconds = parseRetryAfter(received.retryAfter, Date.now());
      // Most answers are empty and contain no secrets.
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
          if (status < 200) return; // informational responses, such as 103, precede the answer
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
            // The status is known, and a body without end must not delay the delivery.
            finish(false);
            controller.abort(new Error('The body exceeds the size that is read.'));
          }
        },
        onResponseEnd() {
          finish(true);
        },
        onResponseError(_controller, error) {
          // The answer is valid; only its body was too long.
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

/** Unknown values are ignored: the status alone counts. */
function readInstruction(header: string | undefined): Answer['instruction'] {
  const said = header?.trim().toLowerCase();
  return said === 'disable' ? 'disable' : said === 'abort-message' ? 'abort' : undefined;
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
