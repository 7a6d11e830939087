import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { limits } from '@scriptorium/contracts/limits';
import { type Fault, Problem, validationFailed } from '@scriptorium/contracts/problems';
import { cleanFilename } from '../../library/files/filename.ts';
import type { UploadDeclaration } from '../../library/uploads/create.ts';
import type { Checksum } from '../../storage/storage.ts';
import { headerValues } from '../requests/headers.ts';
import { textFault } from '../requests/json.ts';
import { tooLarge } from './bytes.ts';
import { type FormField, readFields } from './fields.ts';
import { decodeUtf8, parseHeaderValue } from './header-values.ts';

/** Validates the headers of tus 1.0 (https://tus.io/protocols/resumable-upload). */

/** Every response under this path has the tus version, including errors. */
export const uploadsPath = '/v1/uploads';
export const tusVersion = '1.0.0';
export const tusExtensions = [
  'creation',
  'creation-with-upload',
  'termination',
  'expiration',
  'checksum',
];
export const checksumAlgorithms = ['sha256', 'sha1'] as const;
export const chunkType = 'application/offset+octet-stream';

const metadataHeader = 'Upload-Metadata';
const metadataKeys = ['filename', 'filetype', 'tags', 'metadata', 'on_duplicate'];

/** @throws Problem 412 `tus_version_unsupported` */
export function requireVersion(headers: IncomingHttpHeaders): void {
  if (headers['tus-resumable'] === tusVersion) return;
  throw new Problem('tus_version_unsupported', `The Tus-Resumable header must be ${tusVersion}.`, {
    headers: { 'Tus-Version': tusVersion },
  });
}

/**
 * Reads the headers of a chunk.
 * @throws Problem 415 for a wrong Content-Type, 400 for an invalid offset or checksum
 */
export function readChunkHeaders(request: IncomingMessage): Checksum | undefined {
  requireChunkType(request.headers);
  if (readCount(request, 'Upload-Offset') === null) {
    throw malformed(
      'Upload-Offset',
      'required',
      'A single Upload-Offset header with a whole number is required.',
    );
  }
  if (request.headers['upload-length'] !== undefined) {
    const detail = 'The Upload-Length header is only allowed when an upload is created.';
    throw malformed('Upload-Length', 'not_allowed', detail);
  }
  return readChecksum(request);
}

/**
 * Reads the headers that create an upload.
 * @throws Problem 400 for malformed headers, 413, 415, or 422 with all faults
 */
export function readCreationHeaders(
  request: IncomingMessage,
): Omit<UploadDeclaration, 'id' | 'keyId'> & { checksum: Checksum | undefined } {
  for (const [name, detail] of [
    ['Upload-Defer-Length', 'Send the length in Upload-Length.'],
    ['Upload-Concat', 'Send the file as a single upload.'],
  ] as const) {
    if (request.headers[name.toLowerCase()] !== undefined) {
      throw malformed(name, 'not_allowed', `The ${name} header is not supported. ${detail}`);
    }
  }
  const length = readCount(request, 'Upload-Length');
  if (length === null) {
    throw malformed(
      'Upload-Length',
      'required',
      'A single Upload-Length header with a whole number is required.',
    );
  }
  const given = headerValues(request, 'upload-metadata').join(',');
  const pairs = splitMetadata(given);
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  const hasBody = declaredBytes > 0 || request.headers['transfer-encoding'] !== undefined;
  if (hasBody) requireChunkType(request.headers);
  const checksum = readChecksum(request);
  if (length > limits.resumable_upload_bytes) throw tooLarge(limits.resumable_upload_bytes);
  if (declaredBytes > length) throw tooLong();
  const { faults, ...details } = readMetadata(pairs);
  if (length === 0) {
    const detail = 'The file must not be empty.';
    faults.unshift({ header: 'Upload-Length', code: 'empty_file', detail });
  }
  if (faults.length > 0) throw validationFailed(faults);
  return { length, given, checksum, ...details };
}

/** 413 for more bytes than Upload-Length. */
export function tooLong(): Problem {
  return new Problem('payload_too_large', 'The upload has more bytes than its Upload-Length.');
}

function requireChunkType(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding'];
  const isChunkType = headers['content-type']?.trim().toLowerCase() === chunkType;
  if (isChunkType && (coding === undefined || coding.trim().toLowerCase() === 'identity')) return;
  const header = isChunkType ? 'Content-Encoding' : 'Content-Type';
  const detail = isChunkType
    ? 'Send the bytes without a Content-Encoding.'
    : `The Content-Type must be ${chunkType}.`;
  throw new Problem('unsupported_media_type', detail, {
    headers: { 'Accept-Patch': chunkType, 'Accept-Post': chunkType },
    errors: [{ header, code: 'unsupported_media_type', detail, allowed: [chunkType] }],
  });
}

/** A header with a whole number; null if it is missing, repeated or invalid. */
function readCount(request: IncomingMessage, name: string): number | null {
  const [value, ...more] = headerValues(request, name.toLowerCase());
  if (value === undefined || more.length > 0 || !/^\d{1,30}$/.test(value)) return null;
  return Number(value);
}

function readChecksum(request: IncomingMessage): Checksum | undefined {
  const name = 'Upload-Checksum';
  const values = headerValues(request, name.toLowerCase());
  if (values.length === 0) return undefined;
  const [, algorithmName = '', digest = ''] =
    /^(\S+) ([\w+/]+={0,2})$/.exec(values.join(', ')) ?? [];
  const algorithm = checksumAlgorithms.find((known) => known === algorithmName);
  if (algorithmName !== '' && !algorithm) {
    const errors = [
      {
        header: name,
        code: 'not_allowed',
        detail: `It must start with one of: ${checksumAlgorithms.join(', ')}.`,
        allowed: checksumAlgorithms,
      },
    ];
    const detail = `The algorithm in the ${name} header must be one of: ${checksumAlgorithms.join(', ')}.`;
    throw new Problem('malformed_request', detail, { errors });
  }
  if (!algorithm) {
    throw malformed(
      name,
      'wrong_format',
      `The ${name} header must be an algorithm, a space and a base64 digest.`,
    );
  }
  return { algorithm, digest: Buffer.from(digest, 'base64') };
}

/** The pairs of an Upload-Metadata header, with decoded values. */
function splitMetadata(text: string): Map<string, Buffer> {
  const pairs = new Map<string, Buffer>();
  const malformedMetadata = (detail: string) => malformed(metadataHeader, 'wrong_format', detail);
  for (const pair of text === '' ? [] : text.split(',')) {
    const found = /^\s*([\x21-\x2b\x2d-\x7e]+)(?: ([\w+/]*={0,2}))?\s*$/.exec(pair);
    if (!found) {
      throw malformedMetadata(
        `The ${metadataHeader} header must be pairs of a key, a space and a base64 value, separated by commas.`,
      );
    }
    const [, key = '', value = ''] = found;
    if (value.length % 4 !== 0)
      throw malformedMetadata(`A value in the ${metadataHeader} header is not valid base64.`);
    if (pairs.has(key))
      throw malformedMetadata(`The ${metadataHeader} header must not repeat a key.`);
    pairs.set(key, Buffer.from(value, 'base64'));
  }
  return pairs;
}

function readMetadata(pairs: Map<string, Buffer>) {
  const faults: Fault[] = [];
  const add = (key: string, code: string, detail: string, allowed?: readonly string[]): void => {
    faults.push({
      header: metadataHeader,
      pointer: `/${key}`,
      code,
      detail,
      ...(allowed ? { allowed } : {}),
    });
  };
  const fields: FormField[] = [];
  const texts = new Map<string, string>();
  for (const [key, value] of pairs) {
    // Clients send custom keys, and known keys without a value.
    if (!metadataKeys.includes(key) || value.length === 0) continue;
    if (key === 'tags' || key === 'metadata') fields.push([key, value]);
    else {
      const text = decodeUtf8(value);
      const fault =
        text === null
          ? { code: 'invalid_utf8', detail: 'It must be valid UTF-8.' }
          : textFault(text);
      if (fault) add(key, fault.code, fault.detail);
      else texts.set(key, text ?? '');
    }
  }
  if ((pairs.get('filename')?.length ?? 0) === 0) {
    add('filename', 'required', 'It is required.');
  }
  const declaredMime = texts.get('filetype') ?? null;
  if (declaredMime !== null && !isMediaType(declaredMime)) {
    add('filetype', 'wrong_format', 'It must be a media type, such as image/png.');
  }
  const onDuplicate = texts.get('on_duplicate') ?? 'reuse';
  if (onDuplicate !== 'reuse' && onDuplicate !== 'allow') {
    add('on_duplicate', 'not_allowed', 'It must be one of: reuse, allow.', ['reuse', 'allow']);
  }
  const read = readFields(fields);
  faults.push(...read.faults.map((fault) => ({ header: metadataHeader, ...fault })));
  return {
    faults,
    filename: cleanFilename(texts.get('filename') ?? ''),
    declaredMime,
    onDuplicate: onDuplicate === 'allow' ? ('allow' as const) : ('reuse' as const),
    tags: read.tags,
    metadata: read.metadata,
  };
}

function isMediaType(text: string): boolean {
  const type = parseHeaderValue(text);
  return type !== null && text.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type.value);
}

function malformed(header: string, code: string, detail: string): Problem {
  return new Problem('malformed_request', detail, { errors: [{ header, code, detail }] });
}
