/**
 * The storage of bytes: content-addressed per project, never shared between projects. The interface
 * fits disks and S3 alike.
 */
import type { Readable } from 'node:stream';

export type StorageErrorCode =
  | 'too_large'
  | 'storage_full'
  | 'not_found'
  | 'range_invalid'
  | 'reference_invalid'
  | 'offset_mismatch'
  | 'checksum_mismatch'
  | 'aborted'
  /** The store does not respond, or responds with an unexpected error. A retry may succeed. */
  | 'unavailable'
  | 'scheme_not_supported'
  | 'url_invalid';

/** A failure of the storage. The message contains no path. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Received bytes: complete, hashed, and in a temporary file until they are discarded. */
export interface ReceivedBytes {
  sha256: string;
  bytes: number;
  /** The first 64 KiB, for sniffing. */
  head: Buffer;
  /**
   * Stores the bytes durably: on return, they survive a crash. The same bytes may exist already. Another
   * call checks whether they still exist, and restores them if not.
   */
  commit(): Promise<void>;
  /** Removes the temporary file; committed bytes stay. Always call it in the end. */
  discard(): Promise<void>;
}

/** Stored bytes as a file of this machine, until released. Must not be changed. */
export interface LocalPath {
  path: string;
  release(): Promise<void>;
}

/** A temporary file to write to; `release` removes it if it still exists. */
export interface TempFile {
  path: string;
  release(): Promise<void>;
}

interface StoredBytes {
  sha256: string;
  bytes: number;
  storedAt: Date;
}

/** Inclusive, as in a Range header; without `end` up to the last byte. */
export interface ByteRange {
  start?: number;
  end?: number;
}

/** The expected hash of one stream's bytes. */
export interface Checksum {
  algorithm: 'sha1' | 'sha256';
  digest: Buffer;
}

/**
 * Files whose bytes arrive in several requests, in order. Bytes that `offset` counts survive a crash. The
 * caller ensures that only one writer appends to a file at a time.
 */
export interface Partials {
  /** The number of durable bytes; 0 without a file. */
  offset(projectId: string, uploadId: string): Promise<number>;
  /**
   * Appends a stream at `offset`, without buffering all of it; returns the new offset. If the stream ends
   * early or is stopped, the bytes that arrived are kept. None are kept if the stream is too long, does not
   * match its checksum, or ends early and has a checksum. The result is durable before this resolves or
   * rejects.
   * @throws StorageError `offset_mismatch` if the bytes end elsewhere, `too_large` past `maxBytes`,
   *   `checksum_mismatch`, `storage_full`, `aborted`; otherwise the stream's own error
   */
  append(
    projectId: string,
    uploadId: string,
    offset: number,
    stream: Readable,
    options: { maxBytes: number; signal?: AbortSignal; checksum?: Checksum },
  ): Promise<number>;
  /** Up to this many of the first bytes. */
  head(projectId: string, uploadId: string, bytes: number): Promise<Buffer>;
  /**
   * Hashes the bytes as a complete file. It can be called again, even after `commit`, until the file is
   * removed by `drop` or by `discard` of the result.
   * @throws StorageError `not_found`
   */
  complete(projectId: string, uploadId: string): Promise<ReceivedBytes>;
  /** Removes the file; returns whether it existed. */
  drop(projectId: string, uploadId: string): Promise<boolean>;
  /** Removes files that have not grown for that long and returns the number. */
  clean(olderThanMs: number): Promise<number>;
}

/** All methods reject with StorageError `reference_invalid` for a malformed project id or sha256. */
export interface Storage {
  /**
   * Receives a stream and hashes it at the same time, without buffering all of it.
   * @throws StorageError `too_large` as soon as `maxBytes` is exceeded, `storage_full`, `aborted`
   */
  receive(
    projectId: string,
    stream: Readable,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<ReceivedBytes>;
  /** Takes a finished file of `tempFile()` as received bytes; `discard` removes it. */
  receiveFile(projectId: string, path: string): Promise<ReceivedBytes>;
  /** @throws StorageError `not_found`, `range_invalid` */
  open(projectId: string, sha256: string, range?: ByteRange): Promise<Readable>;
  /** Null if nothing is stored under this hash. */
  stat(projectId: string, sha256: string): Promise<StoredBytes | null>;
  /** @throws StorageError `not_found` */
  localPath(projectId: string, sha256: string): Promise<LocalPath>;
  /** Succeeds if nothing is stored. */
  remove(projectId: string, sha256: string): Promise<void>;
  /**
   * Milliseconds since 1970 by the clock that sets `storedAt`, up to a second behind. The clock of this
   * process may be days off.
   */
  now(): Promise<number>;
  /** The hashes of all stored bytes of a project, in order, optionally after one of them. */
  list(projectId: string, after?: string): AsyncIterable<string>;
  /** Partial files, by upload. */
  readonly partials: Partials;
  tempFile(): Promise<TempFile>;
  /** Removes remains of interrupted uploads that are older than this; returns the number. */
  cleanTemp(olderThanMs: number): Promise<number>;
  close(): Promise<void>;
}

/** The number of bytes in `head` of received bytes. */
export const HEAD_BYTES = 65_536;

const PROJECT_ID = /^prj_[0-9a-hjkmnp-tv-z]{26}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const UPLOAD_ID = /^upl_[0-9a-hjkmnp-tv-z]{26}$/;

/** Whether a name has the form of a hash. Other names in the storage do not belong to it. */
export function isSha256(name: string): boolean {
  return SHA256.test(name);
}

/**
 * Rejects anything but a project id and a lowercase sha256, so that no name from a client can lead out of
 * its folder.
 * @throws StorageError `reference_invalid`
 */
export function assertReference(projectId: string, sha256?: string): void {
  if (!PROJECT_ID.test(projectId)) {
    throw new StorageError('reference_invalid', 'The project id is invalid.');
  }
  if (sha256 !== undefined && !isSha256(sha256)) {
    throw new StorageError(
      'reference_invalid',
      'The sha256 must be 64 lowercase hexadecimal digits.',
    );
  }
}

/**
 * The same for a partial file.
 * @throws StorageError `reference_invalid`
 */
export function assertUpload(projectId: string, uploadId: string): void {
  assertReference(projectId);
  if (!UPLOAD_ID.test(uploadId)) {
    throw new StorageError('reference_invalid', 'The upload id is invalid.');
  }
}
