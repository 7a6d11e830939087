import { setTimeout as delay } from 'node:timers/promises';
import type { Bytes, Entry, KnownProject, Ledger } from './ledger.ts';
import { findForeignText } from './projects.ts';

export interface ClientResponse {
  status: number;
  headers: Headers;
  bytes: Buffer;
  json: Record<string, unknown>;
  entry: Entry;
}

interface SendOptions {
  body?: unknown;
  bytes?: Bytes;
  headers?: Record<string, string>;
  /** With an Idempotency-Key, the same in every attempt. */
  isKeyed?: boolean;
  /** The server that is tried first. Default: by the number of the client. */
  first?: number;
  /** The time limit of one attempt, in milliseconds. */
  limitMs?: number;
}

/**
 * Sends requests like a careful client, to one server after the other, until a response is final.
 */
export interface Client {
  number: number;
  project: KnownProject;
  ledger: Ledger;
  send(method: string, path: string, options?: SendOptions): Promise<ClientResponse>;
}

/** A request did not get a final response within the time for recovery. */
class RequestUndecided extends Error {}

const pauseMs = 100;
const inProgress = 'idempotency_in_progress';

export function createClient(
  number: number,
  project: KnownProject,
  ledger: Ledger,
  world: { urls: readonly string[]; recoveryMs: number; abortSignal: AbortSignal },
): Client {
  return {
    number,
    project,
    ledger,
    async send(method, path, options = {}) {
      const entry = ledger.begin(project.id, `${method} ${path}`);
      const end = Date.now() + world.recoveryMs;
      let lastOutcome = 'no answer';
      while (Date.now() < end && !world.abortSignal.aborted) {
        entry.attempts += 1;
        entry.attemptedAt = Date.now();
        let isExpectedConflict = false;
        try {
          const turn = (options.first ?? number) + entry.attempts;
          const url = world.urls[turn % world.urls.length]!;
          const response = await attempt(url, project, entry, method, path, options);
          entry.status = response.status;
          lastOutcome = `${response.status} ${response.bytes.toString('utf8').slice(0, 300)}`;
          const foreign = findForeignText(response.bytes.toString('latin1'), project);
          if (foreign) ledger.violations.push(`${entry.what} showed ${foreign} to ${project.name}`);
          if (response.status === 500)
            ledger.violations.push(`${entry.what} returned ${lastOutcome}`);
          if (!isUndecided(response)) {
            entry.answeredAt = Date.now();
            return response;
          }
          // If a request is sent to two servers at once, they conflict.
          isExpectedConflict = options.first !== undefined && response.json.code === inProgress;
        } catch (error) {
          lastOutcome = reasonOf(error);
        }
        if (!isExpectedConflict)
          ledger.failedAttempts.push(
            `${new Date().toISOString()} ${entry.id} ${entry.what}: ${lastOutcome}`,
          );
        await delay(pauseMs);
      }
      entry.status = null;
      ledger.violations.push(`${entry.id} ${entry.what} was not decided: ${lastOutcome}`);
      throw new RequestUndecided(lastOutcome);
    },
  };
}

/** With the cause, which describes the failure of the connection. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? String(error) : `${String(error)} (${String(cause)})`;
}

export function isRequestUndecided(error: unknown): boolean {
  return error instanceof RequestUndecided;
}

/** Responses after which a client retries: the request has not been decided, or not permanently. */
function isUndecided({ status, json }: ClientResponse): boolean {
  if ([429, 500, 502, 503, 504, 507].includes(status)) return true;
  return json.retryable === true || json.code === inProgress || json.code === 'upload_locked';
}

async function attempt(
  url: string,
  project: KnownProject,
  entry: Entry,
  method: string,
  path: string,
  { body, bytes, headers = {}, isKeyed = false, limitMs = 20_000 }: SendOptions,
): Promise<ClientResponse> {
  const sent: Bytes | string | undefined =
    bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${project.key}`,
      'X-Service-Project-ID': project.id,
      'X-Request-Id': `${entry.id}-${entry.attempts}`,
      ...(isKeyed ? { 'Idempotency-Key': entry.id } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
    signal: AbortSignal.timeout(limitMs),
  });
  const received = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    bytes: received,
    entry,
    json: parse(response, received),
  };
}

function parse(response: Response, bytes: Buffer): Record<string, unknown> {
  if (!/json/.test(response.headers.get('content-type') ?? '') || bytes.length === 0) return {};
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
