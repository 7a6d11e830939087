import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { limits } from '@scriptorium/contracts/limits';
import { type Fault, Problem, validationFailed } from '@scriptorium/contracts/problems';
import { fingerprintOf } from '../../access/idempotency.ts';
import { cleanFilename } from '../../library/files/filename.ts';
import { type ReceivedBytes, type Storage, StorageError } from '../../storage/storage.ts';
import { incompleteRequest } from '../requests/body.ts';
import { headerValues } from '../requests/headers.ts';
import { textFault } from '../requests/json.ts';
import { readBody, tooLarge } from './bytes.ts';
import { type FormField, readFields } from './fields.ts';
import {
  boundaryOf,
  decodeFilenameHeader,
  type HeaderValue,
  parseHeaderValue,
} from './header-values.ts';
import { type FormEvent, readForm } from './multipart.ts';

/** A received upload. The caller must commit or discard its bytes. */
export interface ReceivedUpload {
  /** Null if the file is missing, which `faults` reports. */
  received: ReceivedBytes | null;
  filename: string;
  declaredMime: string | undefined;
  tags: string[];
  metadata: Record<string, unknown>;
  /** Whether tags or metadata were sent. */
  hasDetails: boolean;
  /** The faults of its name and fields. */
  faults: Fault[];
  /** The fingerprint of the request: the hash of the file, its name and the fields. */
  fingerprint: Buffer;
}

/** The request of an upload, and the storage for its bytes. */
interface UploadSource {
  request: IncomingMessage;
  /** Returns the request as a stream, and sends `100 Continue` to a client that waits for it. */
  readable: () => IncomingMessage;
  storage: Storage;
  projectId: string;
  signal: AbortSignal;
  /** The maximum size of the file. Default: that of direct uploads. */
  maxBytes?: number;
}

function maxBytesOf({
  maxBytes = limits.direct_upload_bytes,
}: Pick<UploadSource, 'maxBytes'>): number {
  return maxBytes;
}

const acceptedTypes = 'multipart/form-data, */*';
/** The maximum size of boundaries, headers and fields of a form, in addition to its file. */
const maxFormBytes = 1024 * 1024;
const maxFieldBytes = 256 * 1024;

/**
 * Receives an upload, a form or a raw body. The bytes are hashed and streamed to storage.
 * @throws Problem 400, 408, 413, 415 or 422, or StorageError; in that case nothing remains in storage
 */
export async function receiveUpload(source: UploadSource): Promise<ReceivedUpload> {
  const type = readContentType(source.request);
  return type?.value === 'multipart/form-data'
    ? receiveForm(source, boundaryOf(type))
    : receiveRaw(source, type?.value);
}

function readContentType(request: IncomingMessage): HeaderValue | null {
  const reject = (header: string, detail: string): never => {
    throw new Problem('unsupported_media_type', detail, {
      headers: { 'Accept-Post': acceptedTypes },
      errors: [{ header, code: 'unsupported_media_type', detail }],
    });
  };
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    reject('Content-Encoding', 'Send the bytes without a Content-Encoding.');
  }
  const given = request.headers['content-type'];
  if (given === undefined) return null;
  const type = parseHeaderValue(given);
  if (!type || !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type.value)) {
    return reject('Content-Type', 'The Content-Type must be a well-formed media type.');
  }
  if (type.value.startsWith('multipart/') && type.value !== 'multipart/form-data') {
    reject(
      'Content-Type',
      'Send a form as multipart/form-data, or the raw bytes of a file with another type.',
    );
  }
  return type;
}

async function receiveRaw(source: UploadSource, mime: string | undefined): Promise<ReceivedUpload> {
  const { request } = source;
  const max = maxBytesOf(source);
  rejectDeclaredSize(request, max, max);
  const header = headerValues(request, 'x-filename');
  if (header.length !== 1) {
    const detail =
      'A single X-Filename header is required, with the filename as percent-encoded UTF-8.';
    throw validationFailed([{ header: 'X-Filename', code: 'required', detail }]);
  }
  const filename = decodeFilenameHeader(header[0]!);
  const fault = nameFault(filename, { header: 'X-Filename' });
  if (fault) throw validationFailed([fault]);
  const received = await store(source, readBody(source.readable(), max));
  return {
    received,
    filename: cleanFilename(filename),
    declaredMime: mime,
    tags: [],
    metadata: {},
    hasDetails: false,
    faults: emptyFaults(received, ''),
    fingerprint: fingerprintOf('raw', received.sha256, filename),
  };
}

async function receiveForm(source: UploadSource, boundary: string): Promise<ReceivedUpload> {
  const max = maxBytesOf(source) + maxFormBytes;
  rejectDeclaredSize(source.request, max, maxBytesOf(source));
  const events = readForm(readBody(source.readable(), max), boundary);
  const fields: FormField[] = [];
  let file: { received: ReceivedBytes; filename: string; type: string | null } | undefined;
  const faults: Fault[] = [];
  let remainingBytes = maxFieldBytes;
  try {
    for (;;) {
      const next = await events.next();
      if (next.done) break;
      if (next.value.kind !== 'part') continue;
      const { part } = next.value;
      if (part.name === 'file') {
        if (file)
          throw validationFailed([
            { pointer: '/file', code: 'too_many', detail: 'The form must contain only one file.' },
          ]);
        const received = await store(source, partBytes(events));
        file = { received, filename: part.filename ?? '', type: part.type };
        if (part.filename === null) {
          const detail =
            'It must be a file with a filename, not text. With curl, write `-F file=@path`.';
          faults.push({ pointer: '/file', code: 'wrong_type', detail });
        }
      } else {
        const value = await collect(partBytes(events), remainingBytes);
        remainingBytes -= value.length + part.name.length;
        fields.push([part.name, value]);
      }
    }
  } catch (error) {
    await file?.received.discard();
    throw error;
  } finally {
    // Not awaited: a pending read may wait for bytes that never arrive.
    events.return().catch(() => undefined);
  }
  if (file) {
    const fault = nameFault(file.filename, { pointer: '/file' });
    faults.push(...(fault ? [fault] : []), ...emptyFaults(file.received, '/file'));
  } else faults.push({ pointer: '/file', code: 'required', detail: 'It is required.' });
  const read = readFields(fields);
  return {
    received: file?.received ?? null,
    filename: cleanFilename(file?.filename ?? ''),
    declaredMime: file?.type ?? undefined,
    tags: read.tags,
    metadata: read.metadata,
    hasDetails: fields.length > 0,
    faults: [...faults, ...read.faults],
    fingerprint: fingerprintOf(
      'form',
      file?.received.sha256 ?? '',
      file?.filename ?? '',
      ...fields.flat(),
    ),
  };
}

/** The bytes of the current part. */
async function* partBytes(events: AsyncGenerator<FormEvent>): AsyncGenerator<Buffer> {
  for (;;) {
    const next = await events.next();
    if (next.done || next.value.kind !== 'bytes') return;
    yield next.value.bytes;
  }
}

async function collect(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const collected: Buffer[] = [];
  let bytes = 0;
  for await (const piece of chunks) {
    bytes += piece.length;
    if (bytes > maxBytes) {
      throw new Problem(
        'payload_too_large',
        `The fields of the form must have at most ${maxFieldBytes} bytes in total.`,
      );
    }
    collected.push(Buffer.from(piece));
  }
  return Buffer.concat(collected);
}

function store(source: UploadSource, chunks: AsyncIterable<Buffer>): Promise<ReceivedBytes> {
  return source.storage.receive(source.projectId, Readable.from(chunks, { objectMode: false }), {
    maxBytes: maxBytesOf(source),
    signal: source.signal,
  });
}

function rejectDeclaredSize(request: IncomingMessage, max: number, maxFileBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(maxFileBytes);
}

function nameFault(filename: string, location: Partial<Fault>): Fault | null {
  const fault = textFault(filename);
  return (
    fault && { ...location, code: fault.code, detail: fault.detail.replace(/^It/, 'The filename') }
  );
}

function emptyFaults(received: ReceivedBytes, pointer: string): Fault[] {
  if (received.bytes > 0) return [];
  return [{ pointer, code: 'empty_file', detail: 'The file must not be empty.' }];
}

/** Converts a storage error to a Problem. Other errors are returned unchanged. */
export function storageProblem(error: unknown, maxBytes?: number): unknown {
  if (!(error instanceof StorageError)) return error;
  switch (error.code) {
    case 'too_large':
      return tooLarge(maxBytesOf(maxBytes === undefined ? {} : { maxBytes }));
    case 'storage_full':
      return new Problem('storage_full', 'The storage is full.', {
        headers: { 'Retry-After': '60' },
      });
    case 'aborted':
      return incompleteRequest('upload');
    default:
      return error;
  }
}
