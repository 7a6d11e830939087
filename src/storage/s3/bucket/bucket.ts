/** Requests to a bucket, under a prefix, with errors as StorageError. */
import type { Readable } from 'node:stream';
import type { ByteRange } from '../../storage.ts';
import { defaultPatience, openClient, rethrow } from './client.ts';
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
import { endJoins, joinItem, type SendPart } from './joins.ts';
import { askTime } from './time.ts';
import type { S3Place } from './url.ts';

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
   * Joins parts, of which all but the last have 5 MiB or more, into one new item, `atOnce` of them at a
   * time. Nothing remains if it fails.
   */
  joinNew(key: string, count: number, atOnce: number, sendPart: SendPart): Promise<void>;
  remove(key: string): Promise<void>;
  removeAll(keys: string[]): Promise<void>;
  /** In order of keys, optionally after a given one. */
  list(prefix: string, after?: string): AsyncIterable<S3Item>;
  /** Milliseconds since 1970 by the clock that dates items; up to a second behind. */
  askTime(): Promise<number>;
  /** Aborts unfinished multipart copies that began this long ago; returns the number. */
  endJoins(olderThanMs: number): Promise<number>;
  close(): void;
}

/** The bucket requests of the storage; connects with the first of them. */
export function openBucket(place: S3Place, patience = defaultPatience): Bucket {
  const bucket = openClient(place, patience);
  return {
    get: (key, range) => getItem(bucket, key, range),
    read: (key) => readItem(bucket, key),
    head: (key) => headItem(bucket, key),
    put: (key, body) => putItem(bucket, key, body).catch(rethrow),
    putNew: (key, body, sha256) => putNewItem(bucket, key, body, sha256),
    joinNew: (key, count, atOnce, sendPart) => joinItem(bucket, key, count, atOnce, sendPart),
    remove: (key) => removeItem(bucket, key),
    removeAll: (keys) => removeItems(bucket, keys),
    list: (prefix, after) => listItems(bucket, prefix, after),
    askTime: () => askTime(bucket),
    endJoins: (olderThanMs) => endJoins(bucket, olderThanMs),
    close: () => bucket.client.destroy(),
  };
}
