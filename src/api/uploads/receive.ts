import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { limits } from '@scriptorium/contracts/limits';
import { type Fault, invalid, Problem } from '@scriptorium/contracts/problems';
import { fingerprintOf } from '../../access/idempotency.ts';
import { cleanFilename } from '../../library/files/filename.ts';
import { type Received, type Storage, StorageError } from '../../storage/storage.ts';
import { cutShort } from '../requests/body.ts';
import { headerValues } from '../requests/headers.ts';
import { textFault } from '../requests/json.ts';
import { bodyBytes, tooLarge } from './bytes.ts';
import { type GivenField, readFields } from './fields.ts';
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
  received: Received | null;
  filename: string;
  declaredMime: string | undefined;
  tags: string[];
  metadata: Record<string, unknown>;
  /** Whether tags or metadata were sent. */
  described: boolean;
  /** The faults of its name and fields. */
  faults: Fault[];
  /** The fingerprint of the request: the hash of the file, its name and the fields. */
  fingerprint: Buffer;
}

/** The source of an upload and the storage of its bytes. */
interface Reception {
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
}: Pick<Reception, 'maxBytes'>): number {
  return maxBytes;
}

const accepted = 'multipart/form-data, */*';
/** The maximum size of boundaries, headers and fields of a form, in addition to its file. */
const formBytes = 1024 * 1024;
const fieldBytes = 256 * 1024;

/**
 * Receives an upload, a form or a raw body. The bytes are hashed and streamed to storage.
 * @throws Problem 400, 408, 413, 415 or 422, or StorageError; nothing remains in storage then
 */
export async function receiveUpload(reception: Reception): Promise<ReceivedUpload> {
  const type = typeOf(reception.request);
  return type?.value === 'multipart/form-data'
    ? receiveForm(reception, boundaryOf(type))
    : receiveRaw(reception, type?.value);
}

function typeOf(request: IncomingMessage): HeaderValue | null {
  const reject = (header: string, detail: string): never => {
    throw new Problem('unsupported_media_type', detail, {
      headers: { 'Accept-Post': accepted },
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

async function receiveRaw(reception: Reception, mime: string | undefined): Promise<ReceivedUpload> {
  const { request } = reception;
  const max = maxBytesOf(reception);
  rejectAnnounced(request, max, max);
  const header = headerValues(request, 'x-filename');
  if (header.length !== 1) {
    const detail =
      'A single X-Filename header is required, with the filename as percent-encoded UTF-8.';
    throw invalid([{ header: 'X-Filename', code: 'required', detail }]);
  }
  const given = decodeFilenameHeader(header[0]!);
  const unfit = nameFault(given, { header: 'X-Filename' });
  if (unfit) throw invalid([unfit]);
  const received = await store(reception, bodyBytes(reception.readable(), max));
  return {
    received,
    filename: cleanFilename(given),
    declaredMime: mime,
    tags: [],
    metadata: {},
    described: false,
    faults: emptyFaults(received, ''),
    fingerprint: fingerprintOf('raw', received.sha256, given),
  };
}

async function receiveForm(reception: Reception, boundary: string): Promise<ReceivedUpload> {
  const max = maxBytesOf(reception) + formBytes;
  rejectAnnounced(reception.request, max, maxBytesOf(reception));
  const events = readForm(bodyBytes(reception.readable(), max), boundary);
  const fields: GivenField[] = [];
  let file: { received: Received; filename: string; type: string | null } | undefined;
  const faults: Fault[] = [];
  let room = fieldBytes;
  try {
    for (;;) {
      const next = await events.next();
      if (next.done) break;
      if (next.value.kind !== 'part') continue;
      const { part } = next.value;
      if (part.name === 'file') {
        if (file)
          throw invalid([
            { pointer: '/file', code: 'too_many', detail: 'The form must contain only one file.' },
          ]);
        const received = await store(reception, partBytes(events));
        file = { received, filename: part.filename ?? '', type: part.type };
        if (part.filename === null) {
          const detail =
            'It must be a file with a filename, not text. With curl, write `-F file=@path`.';
          faults.push({ pointer: '/file', code: 'wrong_type', detail });
        }
      } else {
        const value = await collect(partBytes(events), room);
        room -= value.length + part.name.length;
        fields.push([part.name, value]);
      }
    }
  } catch (error) {
    await file?.received.discard();
    throw error;
  } finally {
    // Not awaited: a pending read may wait for bytes that never come.
    events.return().catch(() => undefined);
  }
  if (file) {
    const unfit = nameFault(file.filename, { pointer: '/file' });
    faults.push(...(unfit ? [unfit] : []), ...emptyFaults(file.received, '/file'));
  } else faults.push({ pointer: '/file', code: 'required', detail: 'It is required.' });
  const read = readFields(fields);
  return {
    received: file?.received ?? null,
    filename: cleanFilename(file?.filename ?? ''),
    declaredMime: file?.type ?? undefined,
    tags: read.tags,
    metadata: read.metadata,
    described: fields.length > 0,
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

async function collect(pieces: AsyncIterable<Buffer>, room: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > room) {
      throw new Problem(
        'payload_too_large',
        `The fields of the form must have at most ${fieldBytes} bytes in total.`,
      );
    }
    kept.push(Buffer.from(piece));
  }
  return Buffer.concat(kept);
}

function store(reception: Reception, pieces: AsyncIterable<Buffer>): Promise<Received> {
  return reception.storage.receive(
    reception.projectId,
    Readable.from(pieces, { objectMode: false }),
    { maxBytes: maxBytesOf(reception), signal: reception.signal },
  );
}

function rejectAnnounced(request: IncomingMessage, max: number, ofFile: number): void {
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(ofFile);
}

function nameFault(filename: string, place: Partial<Fault>): Fault | null {
  const fault = textFault(filename);
  return (
    fault && { ...place, code: fault.code, detail: fault.detail.replace(/^It/, 'The filename') }
  );
}

function emptyFaults(received: Received, pointer: string): Fault[] {
  if (received.bytes > 0) return [];
  return [{ pointer, code: 'empty_file', detail: 'The file must not be empty.' }];
}

/** The Problem for a storage error; other errors are unchanged. */
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
      return cutShort('upload');
    default:
      return error;
  }
}
