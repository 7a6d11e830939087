/**
 * Where bytes are kept: content-addressed per project, never shared between projects. A disk and S3
 * both fit behind this; nothing here says which it is.
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
  /** The store does not answer, or not as it should: the same may succeed later. */
  | 'unavailable'
  | 'scheme_not_supported'
  | 'url_invalid';

/** What went wrong with bytes. The message names no path. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Bytes that have arrived: hashed, complete, in a temporary place until they are discarded. */
export interface Received {
  sha256: string;
  bytes: number;
  /** The first 64 KiB, for sniffing. */
  head: Buffer;
  /**
   * Keeps them, durably: on return they survive a crash. Fine when the same bytes were there. Called
   * again it looks whether they are still there, and puts them back when they are not.
   */
  commit(): Promise<void>;
  /** Clears the temporary place; what was committed stays. To be called in the end in any case. */
  discard(): Promise<void>;
}

/** Stored bytes as a file of this machine, until released. Not to be changed. */
export interface LocalPath {
  path: string;
  release(): Promise<void>;
}

/** A file to write into; `release` removes what is left of it. */
export interface TempFile {
  path: string;
  release(): Promise<void>;
}

export interface StoredBytes {
  sha256: string;
  bytes: number;
  storedAt: Date;
}

/** Inclusive, as in a Range header; without `end` up to the last byte. */
export interface ByteRange {
  start?: number;
  end?: number;
}

/** What the bytes of one stream must hash to. */
export interface Checksum {
  algorithm: 'sha1' | 'sha256';
  digest: Buffer;
}

/**
 * Bytes of one file that arrive in several requests, in order, each behind what is there. What an
 * offset counts survives a crash. That one writer at a time appends is the caller's business.
 */
export interface Partials {
  /** How many bytes are there, durably. 0 where there is nothing. */
  offset(projectId: string, uploadId: string): Promise<number>;
  /**
   * Adds a stream at `offset`, never holding it whole; returns the new offset. When the stream breaks
   * off or is stopped, what arrived of it stays and counts. Nothing of it stays when there is too
   * much of it, when it does not fit its checksum, or when it has one and breaks off. Either is so,
   * durably, before this resolves or rejects.
   * @throws StorageError `offset_mismatch` when this is not where the bytes end, `too_large` past
   *   `maxBytes`, `checksum_mismatch`, `storage_full`, `aborted`; the stream's own error otherwise
   */
  append(
    projectId: string,
    uploadId: string,
    offset: number,
    stream: Readable,
    options: { maxBytes: number; signal?: AbortSignal; checksum?: Checksum },
  ): Promise<number>;
  /** The first bytes, as many as there are. */
  head(projectId: string, uploadId: string, bytes: number): Promise<Buffer>;
  /**
   * Takes all that is there for the whole file and hashes it. It can be asked again, after `commit`
   * too, until `drop`, which is what `discard` does.
   * @throws StorageError `not_found`
   */
  complete(projectId: string, uploadId: string): Promise<Received>;
  /** True when there was something to remove. */
  drop(projectId: string, uploadId: string): Promise<boolean>;
  /** Removes what nobody has added to for so long; returns how many. For the sweeper. */
  clean(olderThanMs: number): Promise<number>;
}

/** All methods reject with StorageError `reference_invalid` for a malformed project id or sha256. */
export interface Storage {
  /**
   * Takes a stream, hashing while it writes, never holding it whole.
   * @throws StorageError `too_large` as soon as `maxBytes` is passed, `storage_full`, `aborted`
   */
  receive(
    projectId: string,
    stream: Readable,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<Received>;
  /** Takes a finished file of `tempFile()` as what was received; it goes with `discard`. */
  receiveFile(projectId: string, path: string): Promise<Received>;
  /** @throws StorageError `not_found`, `range_invalid` */
  open(projectId: string, sha256: string, range?: ByteRange): Promise<Readable>;
  /** Null when nothing is stored under this hash. */
  stat(projectId: string, sha256: string): Promise<StoredBytes | null>;
  /** @throws StorageError `not_found` */
  localPath(projectId: string, sha256: string): Promise<LocalPath>;
  /** Fine when nothing was there. */
  remove(projectId: string, sha256: string): Promise<void>;
  /** The hashes of all that a project has, in order, after one of them where it is given. */
  list(projectId: string, after?: string): AsyncIterable<string>;
  /** Files on their way, by the upload that brings them. */
  readonly partials: Partials;
  tempFile(): Promise<TempFile>;
  /** Removes what broken-off uploads left, once it is older than this; returns how many. */
  cleanTemp(olderThanMs: number): Promise<number>;
  close(): Promise<void>;
}

/** How much of the beginning `receive` hands back. */
export const HEAD_BYTES = 65_536;

const PROJECT_ID = /^prj_[0-9a-hjkmnp-tv-z]{26}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const UPLOAD_ID = /^upl_[0-9a-hjkmnp-tv-z]{26}$/;

/** Whether a name has the form of a hash: of what is stored, all else is not ours. */
export function isSha256(name: string): boolean {
  return SHA256.test(name);
}

/**
 * Refuses whatever is not exactly a project id and a lowercase sha256, so that no name from outside
 * can ever lead out of its folder.
 * @throws StorageError `reference_invalid`
 */
export function assertReference(projectId: string, sha256?: string): void {
  if (!PROJECT_ID.test(projectId)) {
    throw new StorageError('reference_invalid', 'This is not a project id.');
  }
  if (sha256 !== undefined && !isSha256(sha256)) {
    throw new StorageError('reference_invalid', 'This is not a lowercase hexadecimal sha256.');
  }
}

/**
 * The same for a file on its way.
 * @throws StorageError `reference_invalid`
 */
export function assertUpload(projectId: string, uploadId: string): void {
  assertReference(projectId);
  if (!UPLOAD_ID.test(uploadId)) {
    throw new StorageError('reference_invalid', 'This is not an upload id.');
  }
}
