import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@scriptorium/contracts/limits';
import { type Fault, Problem } from '@scriptorium/contracts/problems';

/** The bytes of a JSON body, or the fact that it was too large. */
export type RawBody = { bytes: Buffer; tooLarge: false } | { bytes: null; tooLarge: true };

/**
 * How much of a body that is too large is read and discarded, so that the client receives the
 * response.
 */
const drained = 16 * limits.json_body_bytes;

/** How long a body may take, in milliseconds. */
interface BodyTimes {
  bodyMs: number;
  bodyIdleMs: number;
}

/**
 * 400 for a request that ended early. The sender sees it only if an intermediary closed the
 * connection, and may send the request again.
 */
export function cutShort(what: 'body' | 'upload'): Problem {
  const detail = `The connection was closed before the ${what} was complete.`;
  return new Problem('malformed_request', detail, { retryable: true });
}

/** The declared length of a body; null if it is chunked. */
export function announcedBytes(request: IncomingMessage): number | null {
  if (request.headers['transfer-encoding'] !== undefined) return null;
  return Number(request.headers['content-length'] ?? 0);
}

/** A body that is being read. */
export interface IncomingBody {
  /**
   * Waits up to `ms` for the whole body. If the body is not complete by then, pauses reading and
   * returns null.
   */
  within(ms: number): Promise<RawBody | null>;
  /**
   * Reads the rest.
   * @throws Problem 408 if the bytes do not arrive in time, 400 if the connection closes before the
   *   end
   */
  rest(times: BodyTimes): Promise<RawBody>;
  /** Stops reading and discards the bytes that were read. */
  drop(): void;
}

/**
 * Reads a body into memory, up to the limit for JSON. A body that is too large is only flagged,
 * because the error has its place in the order of checks.
 */
export function incomingBody(request: IncomingMessage, response: ServerResponse): IncomingBody {
  const chunks: Buffer[] = [];
  let size = 0;
  let idle: NodeJS.Timeout | undefined;
  let detach: () => void = () => undefined;
  let fail: (problem: Problem) => void = () => undefined;
  let all: Promise<RawBody> | undefined;

  const listen = (): Promise<RawBody> =>
    new Promise((resolve, reject) => {
      detach = () => {
        request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
        chunks.length = 0;
      };
      fail = (problem) => {
        detach();
        reject(problem);
      };
      const finish = (body: RawBody): void => {
        detach();
        resolve(body);
      };
      const onData = (chunk: Buffer): void => {
        idle?.refresh();
        size += chunk.length;
        if (size <= limits.json_body_bytes) chunks.push(chunk);
        else chunks.length = 0;
        if (size > drained) {
          response.setHeader('Connection', 'close');
          request.pause();
          finish({ bytes: null, tooLarge: true });
        }
      };
      const onEnd = (): void =>
        finish(
          size > limits.json_body_bytes
            ? { bytes: null, tooLarge: true }
            : { bytes: Buffer.concat(chunks), tooLarge: false },
        );
      const onBroken = (): void => fail(cutShort('body'));
      request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
      // The connection was closed before the listeners were added.
      if (request.destroyed) onBroken();
    });

  return {
    async within(ms) {
      all = listen();
      // It may fail while it is not awaited.
      all.catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => {
          request.pause();
          resolve(null);
        }, ms);
      });
      try {
        return await Promise.race([all, late]);
      } finally {
        clearTimeout(timer);
      }
    },
    async rest({ bodyMs, bodyIdleMs }) {
      if ((announcedBytes(request) ?? 0) > drained) {
        // Node closes the connection after the response without reading the rest.
        response.setHeader('Connection', 'close');
        return { bytes: null, tooLarge: true };
      }
      const isLate = (): void => {
        response.setHeader('Connection', 'close');
        fail(new Problem('request_timeout', 'The body did not arrive in time.'));
      };
      idle = setTimeout(isLate, bodyIdleMs);
      const timer = setTimeout(isLate, bodyMs);
      try {
        allowBody(request, response);
        if (all) request.resume();
        else all = listen();
        return await all;
      } finally {
        clearTimeout(idle);
        clearTimeout(timer);
      }
    },
    drop: () => detach(),
  };
}

/** Sends `100 Continue` to a client that waits for it (see listen.ts). */
export function allowBody(request: IncomingMessage, response: ServerResponse): void {
  if (/^100-continue$/i.test(request.headers.expect ?? '') && !response.headersSent) {
    response.writeContinue();
  }
}

/**
 * Checks the Content-Type and Content-Encoding of a JSON body.
 * @throws Problem 415 with the accepted types
 */
export function requireJson(request: IncomingMessage, method: string): void {
  const types = method === 'PATCH' ? [json, mergePatch] : [json];
  const accepts = { [method === 'PATCH' ? 'Accept-Patch' : 'Accept-Post']: types.join(', ') };
  const problemOf = (fault: Omit<Fault, 'code'>): Problem =>
    new Problem('unsupported_media_type', fault.detail, {
      headers: accepts,
      errors: [{ ...fault, code: 'unsupported_media_type' }],
    });
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    const detail = 'Send the body without a Content-Encoding.';
    throw problemOf({ header: 'Content-Encoding', detail });
  }
  const given = mediaTypeOf(request.headers['content-type'] ?? '');
  if (!given || !types.includes(given.type)) {
    const detail = `Send the body with the Content-Type ${types.join(' or ')}.`;
    throw problemOf({ header: 'Content-Type', detail, allowed: types });
  }
  if (!/^utf-?8$/i.test(given.charset)) {
    const detail = 'The charset in the Content-Type must be UTF-8.';
    throw problemOf({ header: 'Content-Type', detail });
  }
}

/** Longer headers contain no accepted type, so they are not parsed. */
const mediaTypeLength = 256;

/** The type and charset of a Content-Type without other parameters; null for any other value. */
function mediaTypeOf(header: string): { type: string; charset: string } | null {
  if (header.length > mediaTypeLength) return null;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  // A semicolon may end the header.
  if (parameters.at(-1) === '') parameters.pop();
  if (parameters.length > 1) return null;
  const charset = parameters[0] ?? 'charset=utf-8';
  const found = /^charset\s*=\s*"?([^"\s]+)"?$/i.exec(charset)?.[1];
  return found === undefined ? null : { type: type.toLowerCase(), charset: found };
}

const json = 'application/json';
const mergePatch = 'application/merge-patch+json';
