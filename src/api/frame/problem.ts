import type { Context } from 'koa';
import { type Fault, Problem, type ProblemCode, problemCodes } from '../../contracts/problems.ts';
import type { ProblemDocument } from '../../contracts/wire/shapes.ts';
import { faultOf, isCancelled, isDiskFull, isUnreachable } from '../../db/faults.ts';
import { isOutdatedPlan } from '../../db/wire/round.ts';
import { StorageError } from '../../storage/storage.ts';

/** How a code reads as a heading. */
function problemTitle(code: ProblemCode): string {
  const words = code.replaceAll('_', ' ').replace('api key', 'API key').replace('etag', 'ETag');
  return words[0]!.toUpperCase() + words.slice(1);
}

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
    ...(problem.errors && problem.errors.length > 0 ? { errors: problem.errors.map(copy) } : {}),
    ...problem.extra,
  };
}

function copy({ allowed, ...fault }: Fault) {
  return allowed ? { ...fault, allowed: [...allowed] } : fault;
}

/** Answers a request with a problem. */
export function writeProblem(ctx: Context, problem: Problem, requestId: string): void {
  ctx.status = problem.status;
  for (const [name, value] of Object.entries(problem.headers)) ctx.set(name, value);
  if (problem.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  ctx.body = JSON.stringify(problemDocument(problem, requestId));
  ctx.set('Content-Type', 'application/problem+json');
}

/**
 * What a client is told about an error from anywhere below. Null for what nobody foresaw: that is
 * logged, and the client learns the request's identifier and nothing else.
 */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (isDiskFull(error)) {
    return new Problem('storage_full', 'There is no room left to store this.');
  }
  if (isCancelled(error)) {
    const detail =
      'The database took longer for this than a request may take, and stopped. Ask for less at once: narrow the filters, shorten `q` or leave out `include`.';
    return new Problem('query_timeout', detail, { headers: { 'Retry-After': '10' } });
  }
  if (isUnreachable(error) || isLostRace(error)) return dependencyUnavailable('database');
  if (error instanceof StorageError && error.code === 'unavailable') {
    return dependencyUnavailable('store of the bytes');
  }
  const { status, expose } = faultOf(error);
  if (expose === true && typeof status === 'number' && status >= 400 && status < 500) {
    return fromStatus(status);
  }
  return null;
}

/** Something cannot be reached: nothing was done, or nobody knows; the client may ask again. */
function dependencyUnavailable(what: string): Problem {
  return new Problem('dependency_unavailable', `The ${what} cannot be reached right now.`, {
    headers: { 'Retry-After': '2' },
  });
}

/** The problem for a bare HTTP status, as the HTTP parser and Koa give them. */
export function fromStatus(status: number): Problem {
  const known = Object.entries(problemCodes).find(([, value]) => value === status);
  const code = known && status !== 400 ? (known[0] as ProblemCode) : 'malformed_request';
  const details: Partial<Record<ProblemCode, string>> = {
    headers_too_large: 'The headers and the request line are too long together.',
    request_timeout: 'The request did not arrive in time.',
    not_found: 'There is nothing at this path.',
  };
  return new Problem(code, details[code] ?? 'The request is not well-formed HTTP.');
}

/** Whether trying the whole transaction again may help: it lost a race in the database. */
export function isLostRace(error: unknown): boolean {
  const { code, constraint } = faultOf(error);
  return (
    code === '40001' ||
    code === '40P01' ||
    isOutdatedPlan(error) ||
    (code === '23505' && typeof constraint === 'string' && /^idempotency_pkey/.test(constraint))
  );
}
