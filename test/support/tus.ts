import type { Readable } from 'node:stream';
import type { Answer, CallOptions, TestApi } from './api.ts';
import { type RawAnswer, send } from './uploads.ts';

export const tusHeaders = { 'tus-resumable': '1.0.0' };
export const chunkHeaders = { ...tusHeaders, 'content-type': 'application/offset+octet-stream' };

/** An Upload-Metadata header. */
export function metadata(pairs: Record<string, string | Buffer>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Begins an upload; answers as it came. */
export function begin(
  api: TestApi,
  length: number | string,
  pairs: Record<string, string | Buffer> = { filename: 'a.bin' },
  options: CallOptions = {},
): Promise<Answer> {
  return api.call('POST', '/v1/uploads', {
    ...options,
    headers: {
      ...tusHeaders,
      'upload-length': String(length),
      'upload-metadata': metadata(pairs),
      ...options.headers,
    },
  });
}

/** Begins an upload that must be accepted, and gives its path. */
export async function begun(
  api: TestApi,
  length: number,
  pairs?: Record<string, string | Buffer>,
  options?: CallOptions,
): Promise<string> {
  const answer = await begin(api, length, pairs, options);
  const location = answer.headers.get('location');
  if (answer.status !== 201 || !location) throw new Error(`${answer.status} ${answer.text}`);
  return location;
}

/** Sends bytes of an upload over node:http, so that what fetch would not do can be done. */
export function patch(
  api: TestApi,
  path: string,
  offset: number | string,
  body: Buffer | string | Readable,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const length: Record<string, string> = Buffer.isBuffer(bytes)
    ? { 'content-length': String(bytes.length) }
    : {};
  const sent = { ...chunkHeaders, ...length, 'upload-offset': String(offset), ...headers };
  return send(api, 'PATCH', path, sent, bytes);
}

/** The offset that HEAD tells. */
export async function offsetOf(api: TestApi, path: string): Promise<number> {
  const answer = await api.call('HEAD', path, { headers: tusHeaders });
  if (answer.status !== 200) throw new Error(`HEAD answered ${answer.status}.`);
  return Number(answer.headers.get('upload-offset'));
}
