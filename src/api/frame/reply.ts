import type { Readable } from 'node:stream';

interface ReplyOptions {
  /** The version of the resource, which becomes the ETag. */
  version?: number;
  /** An ETag to use instead, including its quotes. */
  etag?: string;
  headers?: Record<string, string>;
}

/** The response of a handler, before serialisation. An `undefined` body means no body. */
export interface Reply<Status extends number = number, Body = unknown> {
  status: Status;
  body: Body;
  headers: Record<string, string>;
}

function reply<Status extends number, Body>(
  status: Status,
  body: Body,
  options: ReplyOptions = {},
): Reply<Status, Body> {
  const headers: Record<string, string> = { ...options.headers };
  const etag =
    options.etag ?? (options.version === undefined ? undefined : etagOf(options.version));
  if (etag !== undefined) headers.ETag = etag;
  return { status, body, headers };
}

/** The strong ETag of a resource at a version (RFC 9110 §8.8.3). */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** 200 with a body. */
export function ok<Body>(body: Body, options?: ReplyOptions): Reply<200, Body> {
  return reply(200, body, options);
}

/** 201 with the new resource and its URL. */
export function created<Body>(
  body: Body,
  location: string,
  options: ReplyOptions = {},
): Reply<201, Body> {
  return reply(201, body, { ...options, headers: { Location: location, ...options.headers } });
}

/** 202. `location` is the URL that reports the progress. */
export function accepted<Body>(
  body: Body,
  location?: string,
  options: ReplyOptions = {},
): Reply<202, Body> {
  const headers = { ...(location ? { Location: location } : {}), ...options.headers };
  return reply(202, body, { ...options, headers });
}

/** 204 without a body. */
export function noContent(options?: ReplyOptions): Reply<204, null> {
  return reply(204, null, options);
}

/** Bytes from a stream, which is destroyed when the client disconnects. */
export function stream<Status extends number, Body extends Readable | null>(
  status: Status,
  body: Body,
  headers: Record<string, string>,
): Reply<Status, Body> {
  return { status, body, headers };
}
