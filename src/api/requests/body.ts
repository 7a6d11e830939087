import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@scriptorium/contracts/limits';
import { type Fault, Problem } from '@scriptorium/contracts/problems';

/** The bytes of a JSON body, or the fact that it was too large. */
export type RawBody = { bytes: Buffer; tooLarge: false } | { bytes: null; tooLarge: true };

/**
 * The maximum number of bytes that are read and discarded of a body that is too large, so that the
 * client receives the response.
 */
const maxDiscardedBytes = 16 * limits.json_body_bytes;

/** The time limits of a body, in milliseconds. */
interface BodyTimes {
  bodyMs: number;
  bodyIdleMs: number;
}

/**
 * 400 for a request that ended early. The client receives it only if an intermediary closed
 * the connection, and can retry the request.
 */
export function incompleteRequest(part: 'body' | 'upload'): Problem {
  const detail = `The connection was closed before the ${part} was complete.`;
  return new Problem('malformed_request', detail, { retryable: true });
}

/** The declared length of a body; null if it is chunked. */
export function declaredLength(request: IncomingMessage): number | null {
  if (request.headers['transfer-encoding'] !== undefined) return null;
  return Number(request.headers['content-length'] ?? 0);
}

/** A body that is being read. */
export interface IncomingBody {
  /**
   * Waits up to `ms` for the whole body. Pauses reading and returns null if it is not complete in
   * time.
   */
  readWithin(ms: number): Promise<RawBody | null>;
  /**
   * Reads the rest.
   * @throws Problem 408 if the bytes do not arrive in time, 400 if the connection closes before the
   *   end
   */
  readRest(times: BodyTimes): Promise<RawBody>;
  /** Stops reading and discards the bytes that were read. */
  discard(): void;
}

/**
 * Reads a body into memory, up to the limit for JSON. A body that is too large does not throw here,
 * because other checks come first.
 */
export function createIncomingBody(
  request: IncomingMessage,
  response: ServerResponse,
): IncomingBody {
  const chunks: Buffer[] = [];
  let size = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let detach: () => void = () => undefined;
  let fail: (problem: Problem) => void = () => undefined;
  let completeBody: Promise<RawBody> | undefined;

  const readAll = (): Promise<RawBody> =>
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
        idleTimer?.refresh();
        size += chunk.length;
        if (size <= limits.json_body_bytes) chunks.push(chunk);
        else chunks.length = 0;
        if (size > maxDiscardedBytes) {
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
      const onBroken = (): void => fail(incompleteRequest('body'));
      request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
      // The connection was closed before the listeners were added.
      if (request.destroyed) onBroken();
    });

  return {
    async readWithin(ms) {
      completeBody = readAll();
      // It may be rejected while it is not awaited.
      completeBody.catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<null>((resolve) => {
        timer = setTimeout(() => {
          request.pause();
          resolve(null);
        }, ms);
      });
      try {
        return await Promise.race([completeBody, timeout]);
      } finally {
        clearTimeout(timer);
      }
    },
    async readRest({ bodyMs, bodyIdleMs }) {
      if ((declaredLength(request) ?? 0) > maxDiscardedBytes) {
        // Node closes the connection after the response without reading the rest.
        response.setHeader('Connection', 'close');
        return { bytes: null, tooLarge: true };
      }
      const onTimeout = (): void => {
        response.setHeader('Connection', 'close');
        fail(new Problem('request_timeout', 'The body did not arrive in time.'));
      };
      idleTimer = setTimeout(onTimeout, bodyIdleMs);
      const timer = setTimeout(onTimeout, bodyMs);
      try {
        sendContinue(request, response);
        if (completeBody) request.resume();
        else completeBody = readAll();
        return await completeBody;
      } finally {
        clearTimeout(idleTimer);
        clearTimeout(timer);
      }
    },
    discard: () => detach(),
  };
}

/** Sends `100 Continue` to a client that waits for it (see listen.ts). */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
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
  const contentType = parseMediaType(request.headers['content-type'] ?? '');
  if (!contentType || !types.includes(contentType.type)) {
    const detail = `Send the body with the Content-Type ${types.join(' or ')}.`;
    throw problemOf({ header: 'Content-Type', detail, allowed: types });
  }
  if (!/^utf-?8$/i.test(contentType.charset)) {
    const detail = 'The charset in the Content-Type must be UTF-8.';
    throw problemOf({ header: 'Content-Type', detail });
  }
}

/** Longer headers are not parsed: they cannot contain an accepted type. */
const maxMediaTypeLength = 256;

/** The type and charset of a Content-Type; null if it is malformed or has other parameters. */
function parseMediaType(header: string): { type: string; charset: string } | null {
  if (header.length > maxMediaTypeLength) return null;
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
