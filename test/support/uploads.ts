import { createHash } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ApiResponse, CallOptions, Tenant, TestApi } from './api.ts';

export const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

export const boundary = 'xyzzy-1234';

/** A part of a form, header lines as they are given. */
export function formPart(headers: string[], body: string | Buffer): Buffer {
  const head = `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body), Buffer.from('\r\n')]);
}

export function filePart(body: string | Buffer, filename = 'a.txt', name = 'file'): Buffer {
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="${filename}"`;
  return formPart([disposition, 'Content-Type: application/octet-stream'], body);
}

export function formField(name: string, value: string | Buffer): Buffer {
  return formPart([`Content-Disposition: form-data; name="${name}"`], value);
}

export function multipartForm(...parts: Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

export const formType = `multipart/form-data; boundary=${boundary}`;

/** Uploads a form made by hand. */
export function postForm(
  api: TestApi,
  body: Buffer,
  options: CallOptions & { path?: string } = {},
) {
  const headers = { 'content-type': formType, ...options.headers };
  return api.call('POST', options.path ?? '/v1/objects', { ...options, body, headers });
}

/** Uploads bytes as they are. */
export function postRaw(
  api: Pick<TestApi, 'call'>,
  body: Buffer | string,
  filename: string,
  options: CallOptions & { path?: string } = {},
): Promise<ApiResponse> {
  const headers = {
    'content-type': 'application/octet-stream',
    'x-filename': encodeURIComponent(filename),
    ...options.headers,
  };
  return api.call('POST', options.path ?? '/v1/objects', { ...options, body, headers });
}

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a request over `node:http`, for what `fetch` would not send. */
export function sendRaw(
  api: TestApi,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer | Readable,
  tenant: Tenant = api,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      api.url + path,
      {
        method,
        agent: false,
        headers: {
          authorization: `Bearer ${tenant.key}`,
          'x-service-project-id': tenant.projectId,
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          outgoing.destroy();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          });
        });
      },
    );
    outgoing.on('error', reject);
    if (body instanceof Readable) {
      outgoing.once('close', () => body.destroy());
      body.pipe(outgoing);
    } else outgoing.end(body);
  });
}

/** A socket with the head of an upload sent, for clients that lie or leave. */
export function openUpload(api: TestApi, headers: Record<string, string>): Promise<Socket> {
  const url = new URL(api.url);
  const head = {
    Host: url.host,
    Authorization: `Bearer ${api.key}`,
    'X-Service-Project-ID': api.projectId,
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
      socket.write(`POST /v1/objects HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Reads the rest of a socket, up to its end. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1');
  for await (const chunk of socket) text += chunk;
  return text;
}

/** Counts all objects, of any project. */
export async function countObjects(api: TestApi): Promise<number> {
  const [row] = await api.rows<{ n: string }>('SELECT count(*) AS n FROM object');
  return Number(row?.n);
}

/** The temporary files of the API's storage. */
export function listTempFiles(api: TestApi): Promise<string[]> {
  return readdir(join(api.storageRoot, '.tmp'));
}

/** Counts the files under the API's storage that this process holds open. */
export async function countOpenFiles(api: TestApi): Promise<number> {
  const links = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(api.storageRoot)).length;
}
