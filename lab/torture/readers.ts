import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from './client.ts';
import type { KnownProject } from './ledger.ts';
import { findForeignText } from './projects.ts';

interface ReceivedEvent {
  id: string;
  type: string;
  sequence: number;
  resource_id: string;
  project_id: string;
}

/** A reader that follows the events of a project in one category. */
export interface Reader {
  name: string;
  project: string;
  category: 'domain' | 'audit';
  /** In the order received; a consumer may receive some again. */
  received: ReceivedEvent[];
  /** Whether it may receive events again, because its position is stored after they were read. */
  mayRepeat: boolean;
  /** Requests that failed or were interrupted, and responses that require a retry. */
  failedRequests: string[];
  /** Invalid responses. */
  violations: string[];
  /** The last sequence that it has read. */
  latest(): number;
  stop(): Promise<void>;
}

const pauseMs = 50;

interface Page {
  data: ReceivedEvent[];
  next_cursor: string | null;
  commit_sequence: number;
}

/** Statuses after which a client retries. */
const retryStatuses = [429, 502, 503, 504];

/**
 * @throws if the response is interrupted, or has an unexpected status (other than 200 by default)
 */
type Get = (
  path: string,
  body?: object,
  ...expected: number[]
) => Promise<{ status: number; json: unknown }>;

/** Queries one server after the other, and records invalid responses. */
function createGet(urls: readonly string[], project: KnownProject, violations: string[]): Get {
  let requestCount = 0;
  return async (path, body, ...expected) => {
    const url = urls[requestCount++ % urls.length]!;
    try {
      const response = await fetch(url + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          Authorization: `Bearer ${project.key}`,
          'X-Service-Project-ID': project.id,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(10_000),
      });
      const text = await response.text();
      const { status } = response;
      const foreign = findForeignText(text, project);
      if (foreign) violations.push(`${path} showed ${foreign}`);
      if (!(expected.length > 0 ? expected : [200]).includes(status)) {
        const description = `${status} ${text.slice(0, 200)}`;
        if (!retryStatuses.includes(status)) violations.push(`${path} returned ${description}`);
        throw new Error(description);
      }
      return { status, json: JSON.parse(text) };
    } catch (error) {
      throw new Error(`${path}: ${reasonOf(error)}`);
    }
  };
}

/** Reads from the beginning, by cursor. */
function followFeed(
  urls: readonly string[],
  project: KnownProject,
  category: Reader['category'],
): Reader {
  const violations: string[] = [];
  const get = createGet(urls, project, violations);
  let cursor: string | null = null;
  return startReader(
    `feed of ${category} in ${project.name}`,
    project,
    category,
    { mayRepeat: false, violations },
    async (addEvents) => {
      const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json } = await get(`/v1/events?category=${category}&limit=100&wait_seconds=2${from}`);
      const page = json as Page;
      addEvents(page.data);
      cursor = page.next_cursor ?? cursor;
    },
  );
}

/** Reads as a named consumer, which commits its position, and may also acknowledge events. */
function followAsConsumer(
  urls: readonly string[],
  project: KnownProject,
  name: string,
  acknowledges: boolean,
): Reader {
  const violations: string[] = [];
  const get = createGet(urls, project, violations);
  let id: string | null = null;
  return startReader(
    `consumer ${name} in ${project.name}`,
    project,
    'domain',
    { mayRepeat: true, violations },
    async (addEvents) => {
      if (id === null) {
        const created = await get('/v1/events/consumers', { name }, 201, 409);
        if (created.status === 201) id = (created.json as { id: string }).id;
        else {
          // The response to an earlier attempt was lost.
          const { json } = await get(`/v1/events/consumers?name=${name}`);
          id = (json as { data: { id: string }[] }).data[0]?.id ?? null;
        }
        return;
      }
      const { json } = await get(`/v1/events/consumers/${id}/events?limit=100&wait_seconds=2`);
      const page = json as Page;
      addEvents(page.data);
      if (page.data.length === 0) return;
      await get(`/v1/events/consumers/${id}/commit`, {
        sequence: page.commit_sequence,
        ...(acknowledges ? { ack: true } : {}),
      });
    },
  );
}

function startReader(
  name: string,
  project: KnownProject,
  category: Reader['category'],
  { mayRepeat, violations }: Pick<Reader, 'mayRepeat' | 'violations'>,
  round: (addEvents: (events: ReceivedEvent[]) => void) => Promise<void>,
): Reader {
  const seen: ReceivedEvent[] = [];
  const troubles: string[] = [];
  let isStopped = false;
  let latest = 0;
  const addEvents = (events: ReceivedEvent[]): void => {
    seen.push(...events);
    for (const { sequence } of events) latest = Math.max(latest, sequence);
  };
  const running = (async () => {
    while (!isStopped) {
      try {
        await round(addEvents);
      } catch (error) {
        // The connection was cut, or the server is restarting, so it retries.
        troubles.push(`${new Date().toISOString()} ${String(error)}`);
      }
      await delay(pauseMs);
    }
  })();
  return {
    name,
    project: project.id,
    category,
    received: seen,
    mayRepeat,
    failedRequests: troubles,
    violations,
    latest: () => latest,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Starts a reader of each kind, in both projects. */
export function startReaders(
  urls: readonly string[],
  [north, south]: readonly KnownProject[],
): Reader[] {
  return [
    followFeed(urls, north!, 'domain'),
    followFeed(urls, north!, 'audit'),
    followFeed(urls, south!, 'domain'),
    followAsConsumer(urls, north!, 'mirror', false),
    followAsConsumer(urls, north!, 'index', true),
  ];
}
