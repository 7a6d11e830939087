import { S3Client } from '@aws-sdk/client-s3';
import { asS3Error } from './errors.ts';
import type { S3Place } from './url.ts';

/** Timeouts in milliseconds, and the number of attempts. */
export interface S3Patience {
  connectMs: number;
  /** Until the response begins. */
  answerMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  attempts: number;
}

export const defaultPatience: S3Patience = {
  connectMs: 5_000,
  answerMs: 60_000,
  idleMs: 30_000,
  attempts: 3,
};

/** Sends requests to a bucket. */
export interface BucketClient {
  readonly client: S3Client;
  readonly place: S3Place;
  readonly patience: S3Patience;
  /** The bucket, and a key under its prefix. */
  at(key: string): { Bucket: string; Key: string };
}

/** Creates a client; it connects with its first request. */
export function openClient(place: S3Place, patience: S3Patience): BucketClient {
  const client = new S3Client({
    ...(place.region === undefined ? {} : { region: place.region }),
    ...(place.endpoint === undefined ? {} : { endpoint: place.endpoint }),
    forcePathStyle: place.pathStyle,
    maxAttempts: patience.attempts,
    requestHandler: {
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.answerMs,
      socketTimeout: patience.idleMs,
      throwOnRequestTimeout: true,
      // Downloads hold a connection for as long as their reader takes.
      httpAgent: { maxSockets: 256 },
      httpsAgent: { maxSockets: 256 },
    },
  });
  return {
    client,
    place,
    patience,
    at: (key) => ({ Bucket: place.bucket, Key: place.prefix + key }),
  };
}

/** For `catch`: throws an error of the SDK as a StorageError. */
export function rethrow(error: unknown): never {
  throw asS3Error(error);
}
