import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../contracts/limits.ts';
import { Problem } from '../../contracts/problems.ts';

/** A JSON body as it came, or the fact that it was too large to keep. */
export type RawBody = { bytes: Buffer; tooLarge: false } | { bytes: null; tooLarge: true };

/** What is read and thrown away of a body that is too large, so that the client hears the answer. */
const drained = 16 * limits.json_body_bytes;
/** For the bytes of a JSON body to arrive, in milliseconds. */
const deadline = 30_000;

/**
 * Reads a body into memory, up to the limit for JSON. What is over it is remembered, not kept: the
 * refusal has its place in the order of checks.
 * @throws Problem 408 when the bytes do not arrive in time, 400 when they break off
 */
export function readBody(request: IncomingMessage, response: ServerResponse): Promise<RawBody> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > drained) {
    // Node closes the connection with the answer, and the rest is never read.
    response.setHeader('Connection', 'close');
    return Promise.resolve({ bytes: null, tooLarge: true });
  }
  allowBody(request, response);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limits.json_body_bytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > drained) {
        response.setHeader('Connection', 'close');
        request.pause();
        settle(() => resolve({ bytes: null, tooLarge: true }));
      }
    };
    const onEnd = (): void =>
      settle(() =>
        resolve(
          size > limits.json_body_bytes
            ? { bytes: null, tooLarge: true }
            : { bytes: Buffer.concat(chunks), tooLarge: false },
        ),
      );
    const onBroken = (): void =>
      settle(() => reject(new Problem('malformed_request', 'The body broke off.')));
    const timer = setTimeout(() => {
      response.setHeader('Connection', 'close');
      settle(() => reject(new Problem('request_timeout', 'The body did not arrive in time.')));
    }, deadline);
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
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
    throw refuse('Content-Type', `Send the body as ${types.join(' or ')}.`);
  }
  if (parts[2] !== undefined && !/^utf-?8$/i.test(parts[2])) {
    throw refuse('Content-Type', 'JSON is UTF-8; no other charset is read.');
  }
}

const json = 'application/json';
const mergePatch = 'application/merge-patch+json';
