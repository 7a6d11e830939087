import type { Readable } from 'node:stream';
import type { ApiResponse, CallOptions, TestApi } from './api.ts';
import { type RawResponse, sendRaw } from './uploads.ts';

export const tusHeaders = { 'tus-resumable': '1.0.0' };
export const chunkHeaders = { ...tusHeaders, 'content-type': 'application/offset+octet-stream' };

/** An Upload-Metadata header. */
export function metadata(pairs: Record<string, string | Buffer>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Begins an upload; answers as it came. */
export function createUpload(
  api: TestApi,
  length: number | string,
  pairs: Record<string, string | Buffer> = { filename: 'a.bin' },
  options: CallOptions = {},
): Promise<ApiResponse> {
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
export async function createUploadPath(
  api: TestApi,
  length: number,
  pairs?: Record<string, string | Buffer>,
  options?: CallOptions,
): Promise<string> {
  const response = await createUpload(api, length, pairs, options);
  const location = response.headers.get('location');
  if (response.status !== 201 || !location) throw new Error(`${response.status} ${response.text}`);
  return location;
}

/** Sends bytes of an upload over node:http, so that what fetch would not do can be done. */
export function patch(
  api: TestApi,
  path: string,
  offset: number | string,
  body: Buffer | string | Readable,
  headers: Record<string, string> = {},
): Promise<RawResponse> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const length: Record<string, string> = Buffer.isBuffer(bytes)
    ? { 'content-length': String(bytes.length) }
    : {};
  const sent = { ...chunkHeaders, ...length, 'upload-offset': String(offset), ...headers };
  return sendRaw(api, 'PATCH', path, sent, bytes);
}

/** The offset that HEAD tells. */
export async function offsetOf(api: TestApi, path: string): Promise<number> {
  const response = await api.call('HEAD', path, { headers: tusHeaders });
  if (response.status !== 200) throw new Error(`HEAD answered ${response.status}.`);
  return Number(response.headers.get('upload-offset'));
}
