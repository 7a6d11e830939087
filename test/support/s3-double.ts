import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32Of, decodeBody } from './aws-chunked.ts';

/** The fault of a request. */
type Fault =
  /** An answer of 500, 503, …, with the code that goes with it by default; nothing is done. */
  | { answer: number; code?: string }
  /** The connection ends before anything is done, or after it was done and before the answer. */
  | 'reset'
  | 'reset_after'
  /** The connection ends in the middle of the answer's body. */
  | 'cut'
  /** An answer that never comes; nothing is done. */
  | 'silence'
  /** Waits here before it is done. */
  | { wait: Promise<void> };

export interface S3Request {
  method: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
}

export interface S3Double {
  /** Its address; buckets are in the path. */
  endpoint: string;
  /** A URL for `openStorage`, with a separate bucket. */
  storageUrl: string;
  /** Names of all that is stored in that bucket. */
  keys(): string[];
  /** Stores an object as another client would. */
  put(key: string, bytes: Buffer | string): void;
  /** Damages what is stored, as a broken disk would. */
  corrupt(key: string): void;
  /** Joins that have begun and not ended, by key. */
  multipartUploads(): string[];
  /** Turns the clock of what is stored and begun back. */
  shiftTime(milliseconds: number): void;
  /** Every request since the start, as `METHOD key`. */
  requests: string[];
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  /** Behaves as Swift does: no conditions on puts, and removals of several items need an MD5. */
  emulateSwift(): void;
  /** Makes the next requests that match fail, this many times. */
  fail(fault: Fault, when: (request: S3Request) => boolean, times?: number): void;
  /** Ends all faults. */
  clearFaults(): void;
  close(): Promise<void>;
}

interface Item {
  bytes: Buffer;
  etag: string;
  storedAt: number;
  /** Checksum headers that came with it. */
  checksums: Record<string, string>;
}

interface MultipartUpload {
  key: string;
  begunAt: number;
  parts: Map<number, Item>;
}

/** An answer; a body that is an error code becomes S3's XML. */
interface S3Response {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
  error?: string;
}

/** Codes of planned answers; others are internal errors. */
const codes: Record<number, string> = { 403: 'AccessDenied', 503: 'SlowDown' };

const credential = 'AKIATESTTESTTESTTEST';
const minPartBytes = 5 * 1024 * 1024;

/**
 * A small S3 of our own: one bucket, in memory, over HTTP. It knows what `src/storage/s3` asks for,
 * and what the SDK sends around it: checksums, aws-chunked bodies, conditions, paging. It sets the
 * credentials that it accepts in the environment, where the SDK looks for them.
 */
export async function startS3Double(bucket = 'scriptorium-test'): Promise<S3Double> {
  process.env.AWS_ACCESS_KEY_ID = credential;
  process.env.AWS_SECRET_ACCESS_KEY = 'checked by nobody';
  const items = new Map<string, Item>();
  const multipartUploads = new Map<string, MultipartUpload>();
  const faults: { fault: Fault; when: (request: S3Request) => boolean; remaining: number }[] = [];
  const requests: string[] = [];
  let isSwift = false;

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, first = '', ...rest] = url.pathname.split('/');
    const s3Request: S3Request = {
      method: request.method ?? '',
      key: decodeURIComponent(rest.join('/')),
      query: url.searchParams,
      headers: request.headers,
    };
    requests.push(
      `${s3Request.method} ${s3Request.key}${url.search && `?${[...s3Request.query.keys()]}`}`,
    );
    const planned = faults.find(({ when, remaining: left }) => left > 0 && when(s3Request));
    if (planned) planned.remaining -= 1;
    const fault = planned?.fault;
    if (fault === 'reset') return void request.socket.destroy();
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    if (fault === 'silence') return;
    if (typeof fault === 'object' && 'wait' in fault) await fault.wait;
    const result =
      typeof fault === 'object' && 'answer' in fault
        ? { status: fault.answer, error: fault.code ?? codes[fault.answer] ?? 'InternalError' }
        : handle(first, s3Request, Buffer.concat(pieces));
    if (fault === 'reset_after') return void request.socket.destroy();
    const body = result.error
      ? xml('Error', element('Code', result.error) + element('Message', result.error))
      : (result.body ?? '');
    response.writeHead(result.status, {
      date: new Date(storeTime()).toUTCString(),
      'x-amz-request-id': randomUUID(),
      ...(result.error ? { 'content-type': 'application/xml' } : {}),
      'content-length': String(body.length),
      ...result.headers,
    });
    if (s3Request.method === 'HEAD' || result.status === 204) return void response.end();
    if (fault === 'cut') {
      response.write(body.slice(0, body.length / 2), () => request.socket.destroy());
      return;
    }
    response.end(body);
  }

  function handle(bucketName: string, s3Request: S3Request, raw: Buffer): S3Response {
    const { headers, method, query, key } = s3Request;
    const signed = new RegExp(
      `^AWS4-HMAC-SHA256 Credential=${credential}/\\d{8}/[a-z0-9-]+/s3/aws4_request, ?` +
        'SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, ?Signature=[0-9a-f]{64}$',
    );
    if (!signed.test(headers.authorization ?? '') || !headers['x-amz-date']) {
      return { status: 403, error: 'AccessDenied' };
    }
    if (bucketName !== bucket) return { status: 404, error: 'NoSuchBucket' };
    if (method === 'GET' && key === '') {
      return query.has('uploads') ? listMultipartUploads(query) : list(query);
    }
    if (method === 'POST' && query.has('delete')) return removeMany(raw, headers);
    if (method === 'POST' && query.has('uploads')) return startMultipartUpload(key);
    const uploadId = query.get('uploadId');
    if (uploadId !== null) {
      const upload = multipartUploads.get(uploadId);
      if (!upload || upload.key !== key) return { status: 404, error: 'NoSuchUpload' };
      if (method === 'PUT') return addPart(upload, Number(query.get('partNumber')), raw, headers);
      if (method === 'POST') return complete(uploadId, upload, raw, headers);
      if (method === 'DELETE') {
        multipartUploads.delete(uploadId);
        return { status: 204 };
      }
    }
    if (method === 'PUT') return put(key, raw, headers);
    if (method === 'GET' || method === 'HEAD') return get(key, headers);
    if (method === 'DELETE') {
      items.delete(key);
      return { status: 204 };
    }
    return { status: 405, error: 'MethodNotAllowed' };
  }

  function put(key: string, raw: Buffer, headers: IncomingMessage['headers']): S3Response {
    const decoded = decodeBody(raw, headers);
    if ('error' in decoded) return { status: 400, error: decoded.error };
    if (isSwift && headers['if-none-match']) return { status: 501, error: 'NotImplemented' };
    if (headers['if-none-match'] === '*' && items.has(key)) {
      return { status: 412, error: 'PreconditionFailed' };
    }
    const item = itemOf(decoded.bytes, checksumsOf(headers));
    items.set(key, item);
    return { status: 200, headers: { etag: item.etag } };
  }

  function get(key: string, headers: IncomingMessage['headers']): S3Response {
    const item = items.get(key);
    if (!item) return { status: 404, error: 'NoSuchKey' };
    const size = item.bytes.length;
    const common = {
      etag: item.etag,
      'last-modified': new Date(item.storedAt).toUTCString(),
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
    };
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
    if (!range) {
      const checksums = headers['x-amz-checksum-mode'] === 'ENABLED' ? item.checksums : {};
      return { status: 200, headers: { ...common, ...checksums }, body: item.bytes };
    }
    const start = Number(range[1]);
    const end = Math.min(range[2] === '' ? size - 1 : Number(range[2]), size - 1);
    if (start >= size) return { status: 416, error: 'InvalidRange' };
    return {
      status: 206,
      headers: { ...common, 'content-range': `bytes ${start}-${end}/${size}` },
      body: item.bytes.subarray(start, end + 1),
    };
  }

  function list(query: URLSearchParams): S3Response {
    const maxKeys = Math.min(Number(query.get('max-keys') ?? 1_000), 1_000);
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const found = [...items.keys()]
      .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = found.slice(0, maxKeys);
    const contents = page.map((key) => {
      const item = items.get(key)!;
      return element(
        'Contents',
        element('Key', key) +
          element('Size', String(item.bytes.length)) +
          element('ETag', item.etag) +
          element('LastModified', new Date(item.storedAt).toISOString()),
      );
    });
    const more = found.length > maxKeys ? element('NextContinuationToken', page.at(-1)!) : '';
    const body =
      element('Name', bucket) +
      element('KeyCount', String(page.length)) +
      element('IsTruncated', String(found.length > maxKeys)) +
      contents.join('') +
      more;
    return { status: 200, body: xml('ListBucketResult', body) };
  }

  function removeMany(raw: Buffer, headers: IncomingMessage['headers']): S3Response {
    const md5 = headers['content-md5'];
    if (isSwift && !md5) return { status: 400, error: 'InvalidRequest' };
    if (md5 && md5 !== createHash('md5').update(raw).digest('base64')) {
      return { status: 400, error: 'BadDigest' };
    }
    const decoded = md5 ? { bytes: raw } : decodeBody(raw, headers);
    if ('error' in decoded) return { status: 400, error: decoded.error };
    for (const [, key] of String(decoded.bytes).matchAll(/<Key>([^<]*)<\/Key>/g)) {
      items.delete(key!);
    }
    return { status: 200, body: xml('DeleteResult', '') };
  }

  function startMultipartUpload(key: string): S3Response {
    const uploadId = randomUUID();
    multipartUploads.set(uploadId, { key, begunAt: storeTime(), parts: new Map() });
    const body = element('Bucket', bucket) + element('Key', key) + element('UploadId', uploadId);
    return { status: 200, body: xml('InitiateMultipartUploadResult', body) };
  }

  function addPart(
    upload: MultipartUpload,
    number: number,
    raw: Buffer,
    headers: IncomingMessage['headers'],
  ): S3Response {
    if (!(number >= 1 && number <= 10_000)) return { status: 400, error: 'InvalidArgument' };
    const source = headers['x-amz-copy-source'];
    if (source !== undefined) {
      const key = decodeURIComponent(String(source)).replace(/^\/?[^/]+\//, '');
      const item = items.get(key);
      if (!item) return { status: 404, error: 'NoSuchKey' };
      const expectedEtag = headers['x-amz-copy-source-if-match'];
      if (expectedEtag !== undefined && expectedEtag !== item.etag) {
        return { status: 412, error: 'PreconditionFailed' };
      }
      const part = itemOf(item.bytes, { 'x-amz-checksum-crc32': crc32Of(item.bytes) });
      upload.parts.set(number, part);
      const body = element('ETag', part.etag) + element('ChecksumCRC32', crc32Of(item.bytes));
      return { status: 200, body: xml('CopyPartResult', body) };
    }
    const decoded = decodeBody(raw, headers);
    if ('error' in decoded) return { status: 400, error: decoded.error };
    const part = itemOf(decoded.bytes, { 'x-amz-checksum-crc32': crc32Of(decoded.bytes) });
    upload.parts.set(number, part);
    return { status: 200, headers: { etag: part.etag, ...part.checksums } };
  }

  function complete(
    uploadId: string,
    upload: MultipartUpload,
    raw: Buffer,
    headers: IncomingMessage['headers'],
  ): S3Response {
    if (headers['if-none-match'] === '*' && items.has(upload.key)) {
      return { status: 412, error: 'PreconditionFailed' };
    }
    const namedParts = [...String(raw).matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part!)?.[1]),
      etag: /<ETag>([^<]*)</.exec(part!)?.[1]?.replaceAll('&quot;', '"'),
      crc32: /<ChecksumCRC32>([^<]*)</.exec(part!)?.[1],
    }));
    const pieces: Buffer[] = [];
    for (const [index, { number, etag, crc32 }] of namedParts.entries()) {
      const part = upload.parts.get(number);
      if (!part || part.etag !== etag || (crc32 && crc32 !== crc32Of(part.bytes))) {
        return { status: 400, error: 'InvalidPart' };
      }
      if (index > 0 && number <= namedParts[index - 1]!.number) {
        return { status: 400, error: 'InvalidPartOrder' };
      }
      if (index < namedParts.length - 1 && part.bytes.length < minPartBytes) {
        return { status: 400, error: 'EntityTooSmall' };
      }
      pieces.push(part.bytes);
    }
    if (pieces.length === 0) return { status: 400, error: 'MalformedXML' };
    const item = itemOf(Buffer.concat(pieces), {});
    items.set(upload.key, item);
    multipartUploads.delete(uploadId);
    return { status: 200, body: xml('CompleteMultipartUploadResult', element('ETag', item.etag)) };
  }

  function listMultipartUploads(query: URLSearchParams): S3Response {
    const marker = query.get('upload-id-marker') ?? '';
    const found = [...multipartUploads]
      .filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
      .filter(([id]) => id > marker)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    // Pages of two, so that a test sees more than one.
    const page = found.slice(0, 2);
    const uploads = page.map(([id, { key, begunAt }]) =>
      element(
        'Upload',
        element('Key', key) +
          element('UploadId', id) +
          element('Initiated', new Date(begunAt).toISOString()),
      ),
    );
    const last = page.at(-1);
    const more =
      found.length > page.length && last
        ? element('NextKeyMarker', last[1].key) + element('NextUploadIdMarker', last[0])
        : '';
    const truncated = element('IsTruncated', String(more !== ''));
    return {
      status: 200,
      body: xml('ListMultipartUploadsResult', truncated + more + uploads.join('')),
    };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    storageUrl: `s3://${bucket}/some/prefix?region=eu-central-1&endpoint=${encodeURIComponent(endpoint)}&path_style=true`,
    requests,
    keys: () => [...items.keys()].sort(),
    put: (key, bytes) => void items.set(key, itemOf(Buffer.from(bytes), {})),
    corrupt(key) {
      const item = items.get(key);
      if (item) item.bytes = Buffer.concat([item.bytes.subarray(1), Buffer.from('!')]);
    },
    multipartUploads: () => [...multipartUploads.values()].map(({ key }) => key),
    shiftTime(milliseconds) {
      for (const item of items.values()) item.storedAt -= milliseconds;
      for (const upload of multipartUploads.values()) upload.begunAt -= milliseconds;
    },
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    emulateSwift() {
      isSwift = true;
    },
    fail: (fault, when, times = 1) => void faults.push({ fault, when, remaining: times }),
    clearFaults: () => void faults.splice(0),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Stays right while a test changes the clock of its process. */
function storeTime(): number {
  return performance.timeOrigin + performance.now();
}

function itemOf(bytes: Buffer, checksums: Record<string, string>): Item {
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  return { bytes, etag, storedAt: storeTime(), checksums };
}

function checksumsOf(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      /^x-amz-checksum-(crc32|sha1|sha256)$/.test(name) ? [[name, String(value)]] : [],
    ),
  );
}

function xml(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, content)}`;
}

function element(name: string, content: string): string {
  const isText = !content.includes('<');
  return `<${name}>${isText ? escapeXml(content) : content}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
