/** Requests to a bucket, under a prefix, with errors as StorageError. */
import type { Readable } from 'node:stream';
import type { ByteRange } from '../../storage.ts';
import { defaultRequestOptions, openClient, rethrow } from './client.ts';
import {
  getItem,
  headItem,
  listItems,
  putItem,
  putNewItem,
  readItem,
  removeItem,
  removeItems,
  type S3Item,
} from './items.ts';
import { abortMultipartItems, putNewMultipartItem, type SendPart } from './multipart.ts';
import { readBucketTime } from './time.ts';
import type { S3Location } from './url.ts';

export interface Bucket {
  /** @throws StorageError `not_found`, `range_invalid` */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** A small item, whole. @throws StorageError `not_found` */
  read(key: string): Promise<Buffer>;
  /** Null if the item does not exist. */
  head(key: string): Promise<S3Item | null>;
  put(key: string, body: Buffer, sha256?: string): Promise<void>;
  /** Creates an item; an existing one is left unchanged and counts as success. */
  putNew(key: string, body: Buffer, sha256: string): Promise<void>;
  /**
   * Joins parts into one new item, `concurrency` of them at a time. All but the last must have at least
   * 5 MiB. Nothing remains if it fails.
   */
  putNewMultipart(
    key: string,
    count: number,
    concurrency: number,
    sendPart: SendPart,
  ): Promise<void>;
  remove(key: string): Promise<void>;
  removeAll(keys: string[]): Promise<void>;
  /** In order of keys, optionally after a given one. */
  list(prefix: string, after?: string): AsyncIterable<S3Item>;
  /** Milliseconds since 1970 by the clock that dates items; up to a second behind. */
  readTime(): Promise<number>;
  /** Aborts unfinished multipart copies that began this long ago; returns the number. */
  abortMultipart(olderThanMs: number): Promise<number>;
  close(): void;
}

/** Opens a bucket; it connects with the first request. */
export function openBucket(location: S3Location, requestOptions = defaultRequestOptions): Bucket {
  const bucket = openClient(location, requestOptions);
  return {
    get: (key, range) => getItem(bucket, key, range),
    read: (key) => readItem(bucket, key),
    head: (key) => headItem(bucket, key),
    put: (key, body) => putItem(bucket, key, body).catch(rethrow),
    putNew: (key, body, sha256) => putNewItem(bucket, key, body, sha256),
    putNewMultipart: (key, count, atOnce, sendPart) =>
      putNewMultipartItem(bucket, key, count, atOnce, sendPart),
    remove: (key) => removeItem(bucket, key),
    removeAll: (keys) => removeItems(bucket, keys),
    list: (prefix, after) => listItems(bucket, prefix, after),
    readTime: () => readBucketTime(bucket),
    abortMultipart: (olderThanMs) => abortMultipartItems(bucket, olderThanMs),
    close: () => bucket.client.destroy(),
  };
}
