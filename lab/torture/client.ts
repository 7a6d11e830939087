import { setTimeout as delay } from 'node:timers/promises';
import type { Bytes, Entry, KnownProject, Ledger } from './ledger.ts';
import { foreignIn } from './projects.ts';

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  json: Record<string, unknown>;
  entry: Entry;
}

interface Sending {
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
  send(method: string, path: string, sending?: Sending): Promise<Answer>;
}

/** A request did not get a final response within the time for recovery. */
class Unanswered extends Error {}

const pauseMs = 100;
const inProgress = 'idempotency_in_progress';

export function createClient(
  number: number,
  project: KnownProject,
  ledger: Ledger,
  world: { urls: readonly string[]; patienceMs: number; over: AbortSignal },
): Client {
  return {
    number,
    project,
    ledger,
    async send(method, path, sending = {}) {
      const entry = ledger.begin(project.id, `${method} ${path}`);
      const end = Date.now() + world.patienceMs;
      let last = 'no answer';
      while (Date.now() < end && !world.over.aborted) {
        entry.attempts += 1;
        entry.attemptedAt = Date.now();
        let isMeant = false;
        try {
          const turn = (sending.first ?? number) + entry.attempts;
          const url = world.urls[turn % world.urls.length]!;
          const answer = await attempt(url, project, entry, method, path, sending);
          entry.status = answer.status;
          last = `${answer.status} ${answer.bytes.toString('utf8').slice(0, 300)}`;
          const foreign = foreignIn(answer.bytes.toString('latin1'), project);
          if (foreign) ledger.violations.push(`${entry.what} showed ${foreign} to ${project.name}`);
          if (answer.status === 500) ledger.violations.push(`${entry.what} returned ${last}`);
          if (!isUndecided(answer)) {
            entry.answeredAt = Date.now();
            return answer;
          }
          // If a request is sent to two servers at once, they conflict.
          isMeant = sending.first !== undefined && answer.json.code === inProgress;
        } catch (error) {
          last = reasonOf(error);
        }
        if (!isMeant)
          ledger.troubles.push(`${new Date().toISOString()} ${entry.id} ${entry.what}: ${last}`);
        await delay(pauseMs);
      }
      entry.status = null;
      ledger.violations.push(`${entry.id} ${entry.what} was not decided: ${last}`);
      throw new Unanswered(last);
    },
  };
}

/** With the cause, which describes the failure of the connection. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? String(error) : `${String(error)} (${String(cause)})`;
}

export function isUnanswered(error: unknown): boolean {
  return error instanceof Unanswered;
}

/** Responses after which a client retries: the request has not been decided, or not permanently. */
function isUndecided({ status, json }: Answer): boolean {
  if ([429, 500, 502, 503, 504, 507].includes(status)) return true;
  return json.retryable === true || json.code === inProgress || json.code === 'upload_locked';
}

async function attempt(
  url: string,
  project: KnownProject,
  entry: Entry,
  method: string,
  path: string,
  { body, bytes, headers = {}, isKeyed = false, limitMs = 20_000 }: Sending,
): Promise<Answer> {
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
    ...{ status: response.status, headers: response.headers, bytes: received, entry },
    json: parse(response, received),
  };
}

function parse(response: Response, bytes: Buffer): Record<string, unknown> {
  if (!/json/.test(response.headers.get('content-type') ?? '') || bytes.length === 0) return {};
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
