import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../contracts/limits.ts';
import { Problem } from '../../contracts/problems.ts';

/** A JSON body as it came, or the fact that it was too large to keep. */
export type RawBody = { bytes: Buffer; tooLarge: false } | { bytes: null; tooLarge: true };

/** What is read and thrown away of a body that is too large, so that the client hears the answer. */
const drained = 16 * limits.json_body_bytes;

/** How long a body may take, in milliseconds. */
interface BodyTimes {
  bodyMs: number;
  bodyIdleMs: number;
}

/** How many bytes a request says its body has; null when it comes in chunks. */
export function announcedBytes(request: IncomingMessage): number | null {
  if (request.headers['transfer-encoding'] !== undefined) return null;
  return Number(request.headers['content-length'] ?? 0);
}

/** A body on its way into memory. */
export interface IncomingBody {
  /** Waits a moment for all of it; null when that was not enough. Then no more is read. */
  within(ms: number): Promise<RawBody | null>;
  /**
   * Reads what is left of it.
   * @throws Problem 408 when the bytes do not arrive in time, 400 when they break off
   */
  rest(times: BodyTimes): Promise<RawBody>;
  /** Lets go of it: what still comes is not kept. */
  drop(): void;
}

/**
 * Takes a body into memory, up to the limit for JSON. What is over it is remembered, not kept: the
 * refusal has its place in the order of checks.
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
      const onBroken = (): void => fail(new Problem('malformed_request', 'The body broke off.'));
      request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
      // It was broken off before anybody listened.
      if (request.destroyed) onBroken();
    });

  return {
    async within(ms) {
      all = listen();
      // It may break off while nobody waits for it.
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
        // Node closes the connection with the answer, and the rest is never read.
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

/** Answers `Expect: 100-continue`, which waits until somebody wants the body (see server.ts). */
export function allowBody(request: IncomingMessage, response: ServerResponse): void {
  if (/^100-continue$/i.test(request.headers.expect ?? '') && !response.headersSent) {
    response.writeContinue();
  }
}

/**
 * Checks that a body is JSON by its headers.
 * @throws Problem 415, naming what would be accepted
 */
export function requireJson(request: IncomingMessage, method: string): void {
  const types = method === 'PATCH' ? [json, mergePatch] : [json];
  const accepts = { [method === 'PATCH' ? 'Accept-Patch' : 'Accept-Post']: types.join(', ') };
  const refuse = (header: string, detail: string): Problem =>
    new Problem('unsupported_media_type', detail, {
      headers: accepts,
      errors: [{ header, code: 'unsupported_media_type', detail, allowed: types }],
    });
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw refuse('Content-Encoding', 'Send the body as it is, without a Content-Encoding.');
  }
  const given = request.headers['content-type'];
  const parts =
    /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;\s*charset\s*=\s*"?([^";\s]+)"?\s*)?;?\s*$/i.exec(
      given ?? '',
    );
  if (!parts || !types.includes(parts[1]!.toLowerCase())) {
    throw refuse('Content-Type', `Send the body with the Content-Type ${types.join(' or ')}.`);
  }
  if (parts[2] !== undefined && !/^utf-?8$/i.test(parts[2])) {
    throw refuse('Content-Type', 'JSON is UTF-8: the Content-Type may name no other charset.');
  }
}

const json = 'application/json';
const mergePatch = 'application/merge-patch+json';
