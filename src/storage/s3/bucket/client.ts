import { S3Client } from '@aws-sdk/client-s3';
import { asS3Error } from './errors.ts';
import type { S3Location } from './url.ts';

/** Timeouts in milliseconds, and the number of attempts. */
export interface S3RequestOptions {
  connectMs: number;
  /** Until the response begins. */
  responseMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  attempts: number;
}

export const defaultRequestOptions: S3RequestOptions = {
  connectMs: 5_000,
  responseMs: 60_000,
  idleMs: 30_000,
  attempts: 3,
};

/** Sends requests to a bucket. */
export interface BucketClient {
  readonly client: S3Client;
  readonly location: S3Location;
  readonly requestOptions: S3RequestOptions;
  /** The bucket, and a key under its prefix. */
  locate(key: string): { Bucket: string; Key: string };
}

/** Creates a client; it connects with its first request. */
export function openClient(location: S3Location, requestOptions: S3RequestOptions): BucketClient {
  const client = new S3Client({
    ...(location.region === undefined ? {} : { region: location.region }),
    ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
    forcePathStyle: location.pathStyle,
    maxAttempts: requestOptions.attempts,
    requestHandler: {
      connectionTimeout: requestOptions.connectMs,
      requestTimeout: requestOptions.responseMs,
      socketTimeout: requestOptions.idleMs,
      throwOnRequestTimeout: true,
      // Downloads hold a connection for as long as their reader takes.
      httpAgent: { maxSockets: 256 },
      httpsAgent: { maxSockets: 256 },
    },
  });
  return {
    client,
    location,
    requestOptions,
    locate: (key) => ({ Bucket: location.bucket, Key: location.prefix + key }),
  };
}

/** For `catch`: throws an error of the SDK as a StorageError. */
export function rethrow(error: unknown): never {
  throw asS3Error(error);
}
