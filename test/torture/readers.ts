import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from './client.ts';
import type { KnownProject } from './ledger.ts';

interface SeenEvent {
  id: string;
  type: string;
  sequence: number;
  resource_id: string;
  project_id: string;
}

/** A reader that follows the events of a project, in one category. */
export interface Reader {
  name: string;
  project: string;
  category: 'domain' | 'audit';
  /** As they came; a consumer may get some again. */
  seen: SeenEvent[];
  /** Whether it may get events again: its position is stored after they were read. */
  mayRepeat: boolean;
  /** Requests that failed, were cut off, or got an answer that is not expected. */
  troubles: string[];
  /** The last sequence that it has read. */
  latest(): number;
  stop(): Promise<void>;
}

const pauseMs = 50;

interface Page {
  data: SeenEvent[];
  next_cursor: string | null;
  commit_sequence: number;
}

/** @throws if the answer is cut off, or has a status that is not expected (200 by default) */
type Get = (
  path: string,
  body?: object,
  ...expected: number[]
) => Promise<{ status: number; json: unknown }>;

/** Asks one server after the other. */
function ask(urls: readonly string[], project: KnownProject): Get {
  let asked = 0;
  return async (path, body, ...expected) => {
    const url = urls[asked++ % urls.length]!;
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
      if (!(expected.length > 0 ? expected : [200]).includes(status)) {
        throw new Error(`${status} ${text.slice(0, 200)}`);
      }
      return { status, json: JSON.parse(text) };
    } catch (error) {
      throw new Error(`${path}: ${reasonOf(error)}`);
    }
  };
}

/** Reads from the beginning, cursor by cursor. */
function followFeed(
  urls: readonly string[],
  project: KnownProject,
  category: Reader['category'],
): Reader {
  const get = ask(urls, project);
  let cursor: string | null = null;
  return follow(
    `feed of ${category} in ${project.name}`,
    project,
    category,
    { mayRepeat: false },
    async (take) => {
      const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json } = await get(`/v1/events?category=${category}&limit=100&wait_seconds=2${from}`);
      const page = json as Page;
      take(page.data);
      cursor = page.next_cursor ?? cursor;
    },
  );
}

/** Reads as a named consumer, which commits what it has read, and may acknowledge it as well. */
function followAsConsumer(
  urls: readonly string[],
  project: KnownProject,
  name: string,
  acknowledges: boolean,
): Reader {
  const get = ask(urls, project);
  let id: string | null = null;
  return follow(
    `consumer ${name} in ${project.name}`,
    project,
    'domain',
    { mayRepeat: true },
    async (take) => {
      if (id === null) {
        const made = await get('/v1/events/consumers', { name }, 201, 409);
        if (made.status === 201) id = (made.json as { id: string }).id;
        else {
          // The answer to an earlier attempt was lost.
          const { json } = await get(`/v1/events/consumers?name=${name}`);
          id = (json as { data: { id: string }[] }).data[0]?.id ?? null;
        }
        return;
      }
      const { json } = await get(`/v1/events/consumers/${id}/events?limit=100&wait_seconds=2`);
      const page = json as Page;
      take(page.data);
      if (page.data.length === 0) return;
      await get(`/v1/events/consumers/${id}/commit`, {
        sequence: page.commit_sequence,
        ...(acknowledges ? { ack: true } : {}),
      });
    },
  );
}

function follow(
  name: string,
  project: KnownProject,
  category: Reader['category'],
  { mayRepeat }: Pick<Reader, 'mayRepeat'>,
  round: (take: (events: SeenEvent[]) => void) => Promise<void>,
): Reader {
  const seen: SeenEvent[] = [];
  const troubles: string[] = [];
  let isOver = false;
  let latest = 0;
  const take = (events: SeenEvent[]): void => {
    seen.push(...events);
    for (const { sequence } of events) latest = Math.max(latest, sequence);
  };
  const running = (async () => {
    while (!isOver) {
      try {
        await round(take);
      } catch (error) {
        // The connection was cut, or the server is starting again, if all is well: it asks again.
        troubles.push(`${new Date().toISOString()} ${String(error)}`);
      }
      await delay(pauseMs);
    }
  })();
  return {
    ...{ name, project: project.id, category, seen, mayRepeat, troubles },
    latest: () => latest,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

/** One of each kind, in both projects. */
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
