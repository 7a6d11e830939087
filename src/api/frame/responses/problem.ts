import {
  type Fault,
  Problem,
  type ProblemCode,
  problemCodes,
} from '@scriptorium/contracts/problems';
import type { ProblemDocument } from '@scriptorium/contracts/wire/shapes';
import { isMachineCode } from '@scriptorium/sandbox/errors';
import type { Context } from 'koa';
import { errorFieldsOf, isCancelled, isDiskFull, isUnreachable } from '../../../db/errors.ts';
import { isOutdatedPlan } from '../../../db/wire/pipeline.ts';
import { StorageError } from '../../../storage/storage.ts';

/** The title of a code, in sentence case with acronyms in capitals. */
function problemTitle(code: ProblemCode): string {
  const words = code.split('_').map((word) => spellings[word] ?? word);
  const title = words.join(' ');
  return code.startsWith('tus_') ? title : title[0]!.toUpperCase() + title.slice(1);
}

const spellings: Readonly<Record<string, string>> = {
  api: 'API',
  csrf: 'CSRF',
  etag: 'ETag',
  id: 'ID',
  ip: 'IP address',
  json: 'JSON',
  uri: 'URI',
  url: 'URL',
};

/** The document of a problem (RFC 9457 §3). */
export function problemDocument(problem: Problem, requestId: string): ProblemDocument {
  return {
    type: `urn:scriptorium:problem:${problem.code}`,
    title: problemTitle(problem.code),
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    retryable: problem.retryable,
    ...(problem.errors && problem.errors.length > 0
      ? { errors: problem.errors.map(copyFault) }
      : {}),
    ...problem.extra,
  };
}

function copyFault({ allowed, ...fault }: Fault) {
  return allowed ? { ...fault, allowed: [...allowed] } : fault;
}

/** Sends a problem. */
export function writeProblem(ctx: Context, problem: Problem, requestId: string): void {
  ctx.status = problem.status;
  if (problem.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  for (const [name, value] of Object.entries(problem.headers)) ctx.set(name, value);
  ctx.body = JSON.stringify(problemDocument(problem, requestId));
  ctx.set('Content-Type', 'application/problem+json');
}

/** Responds with a problem if a stream fails before its first byte. */
export function endWithProblem({ res, state }: Context, problem: Problem): void {
  for (const name of Object.keys(res.getHeaders())) {
    if (/^(content-|accept-ranges$|etag$|last-modified$)/.test(name)) res.removeHeader(name);
  }
  for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
  const body = JSON.stringify(problemDocument(problem, String(state.requestId)));
  res.statusCode = problem.status;
  res.setHeader('Content-Type', 'application/problem+json');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

/**
 * Converts an error to a problem. Returns null for an unexpected error: it is logged, and the client
 * gets only the request identifier.
 */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  const storageCode = error instanceof StorageError ? error.code : null;
  if (isDiskFull(error) || storageCode === 'storage_full') {
    return new Problem('storage_full', 'The storage is full.');
  }
  if (isCancelled(error)) {
    const detail =
      'The database query took too long and was cancelled. Narrow the filters, shorten `q` or omit `include`.';
    return new Problem('query_timeout', detail, { headers: { 'Retry-After': '10' } });
  }
  if (isUnreachable(error) || isLostRace(error)) return dependencyUnavailable('database');
  const { code, status, expose } = errorFieldsOf(error);
  // A disk that fails during a read, or too many open files.
  if (storageCode === 'unavailable' || isMachineCode(code)) return dependencyUnavailable('storage');
  if (expose === true && typeof status === 'number' && status >= 400 && status < 500) {
    return problemFromStatus(status);
  }
  return null;
}

/**
 * 503 for a dependency that cannot be reached. It may be unknown whether the request took effect.
 */
function dependencyUnavailable(dependency: string): Problem {
  return new Problem('dependency_unavailable', `The ${dependency} is unavailable.`, {
    headers: { 'Retry-After': '2' },
  });
}

/** The problem for an HTTP status from the HTTP parser or Koa. */
export function problemFromStatus(status: number): Problem {
  const entry = Object.entries(problemCodes).find(([, value]) => value === status);
  const code = entry && status !== 400 ? (entry[0] as ProblemCode) : 'malformed_request';
  const details: Partial<Record<ProblemCode, string>> = {
    headers_too_large: 'The request line and headers are too large.',
    request_timeout: 'The request did not arrive in time.',
    not_found: 'No endpoint exists at this path.',
  };
  return new Problem(code, details[code] ?? 'The request is not well-formed HTTP.');
}

/** Whether the transaction conflicted with another and should be retried. */
export function isLostRace(error: unknown): boolean {
  const { code, constraint } = errorFieldsOf(error);
  return (
    code === '40001' ||
    code === '40P01' ||
    isOutdatedPlan(error) ||
    (code === '23505' && typeof constraint === 'string' && /^idempotency_pkey/.test(constraint))
  );
}
