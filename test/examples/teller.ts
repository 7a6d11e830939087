import type { issueKey } from '../../src/access/projects.ts';
import type { RecordedExchange } from '../../src/api/openapi/examples.ts';
import { routes } from '../../src/api/routes/index.ts';
import type { Tenant, TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import type { Receiver } from '../support/receiver.ts';
import { createMadeUp } from './made-up.ts';

/** A request as a scene writes it. */
interface Asked {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** JSON; text or bytes as they are, with a Content-Type among the headers; or a form. */
  body?: unknown;
  /** Another key; null: without the two headers. */
  key?: string | null;
  /** For a response that does not end: reads until its text contains this. */
  until?: string;
  /** Keeps only the relevant part of a long response. */
  // biome-ignore lint/suspicious/noExplicitAny: a scene knows what it asked for
  shorten?: (body: any) => unknown;
}

interface Told {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; throws if it is not valid. */
  // biome-ignore lint/suspicious/noExplicitAny: a scene knows what it asked for
  json: any;
}

/** Plays a scene and records its exchanges. */
export interface Teller extends Tenant {
  receiver: Receiver;
  /** A key as only an operator can create it, such as one with its own limits. */
  issue(key: Parameters<typeof issueKey>[2]): Promise<string>;
  told: RecordedExchange[];
  /** Sends a request that is an example. Fails if the response has another status. */
  tell(operationId: string, summary: string, status: number, asked?: Asked): Promise<Told>;
  /** Sends a request that is not an example, for prerequisites. */
  ask(operationId: string, status: number, asked?: Asked): Promise<Told>;
  /** Repeats a request until the response is as expected. */
  until(operationId: string, asked: Asked, holds: (told: Told) => boolean): Promise<Told>;
  /** Stores what the API has only counted so far. */
  settle(): Promise<void>;
  /** A person accepts a membership, which they do in a browser. */
  accept(memberId: string): Promise<void>;
  /** The exchanges, with values that differ in every run replaced. */
  record(): RecordedExchange[];
}

/** Response headers that examples show. */
const shown =
  /^(location|etag|link|retry-after|allow|www-authenticate|idempotent-replayed|object-id|upload-(offset|length|expires)|tus-.*|content-(range|disposition)|accept-ranges|preference-applied)$/;

export function createTeller(
  api: TestApi,
  receiver: Receiver,
  tenant: Tenant,
  issue: Teller['issue'],
): Teller {
  const told: RecordedExchange[] = [];
  const play = async (operationId: string, status: number, asked: Asked): Promise<Heard> => {
    const heard = await exchange(api, tenant, operationId, asked);
    if (heard.status === status) return heard;
    throw new Error(`${operationId} returned ${heard.status}, not ${status}: ${heard.text}`);
  };
  return {
    ...tenant,
    receiver,
    issue,
    told,
    async tell(operationId, summary, status, asked = {}) {
      const heard = await play(operationId, status, asked);
      told.push({ operationId, summary, ...kept(asked, heard) });
      return heard;
    },
    settle: () => api.deps.downloadCounts.flush(),
    accept: async (memberId) => {
      await api.rows(`UPDATE member SET state = 'active' WHERE id = $1`, [memberId]);
    },
    ask: (operationId, status, asked = {}) => play(operationId, status, asked),
    until: (operationId, asked, holds) =>
      eventually(async () => {
        const heard = await exchange(api, tenant, operationId, asked);
        return holds(heard) ? heard : null;
      }),
    record() {
      const madeUp = createMadeUp({
        [receiver.url]: 'https://harbour.example/hooks',
        [api.url]: 'https://scriptorium.example',
        '"127.0.0.1"': '"203.0.113.7"',
        "'127.0.0.1'": "'203.0.113.7'",
      });
      return JSON.parse(madeUp(JSON.stringify(told))) as RecordedExchange[];
    },
  };
}

interface Heard extends Told {
  type: string;
}

async function exchange(
  api: TestApi,
  tenant: Tenant,
  operationId: string,
  asked: Asked,
): Promise<Heard> {
  const { method, path } = routeOf(operationId);
  const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => asked.params?.[name] ?? '');
  const query = new URLSearchParams(asked.query).toString();
  const { body } = asked;
  const isJson = isPlain(body);
  const response = await fetch(`${api.url}${target}${query && `?${query}`}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(asked.key === null
        ? {}
        : {
            authorization: `Bearer ${asked.key ?? tenant.key}`,
            'x-service-project-id': tenant.projectId,
          }),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...asked.headers,
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string) }),
  });
  const text = await read(response, asked.until);
  return {
    status: response.status,
    headers: response.headers,
    type: (response.headers.get('content-type') ?? '').split(';')[0]!,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

/** Signed URLs and links are not routes of the API's frame. */
export const openOperations: Record<string, { method: string; path: string; tag: string }> = {
  useSignedUrl: { method: 'GET', path: '/s/{token}', tag: 'Objects' },
  useShare: { method: 'GET', path: '/l/{token}', tag: 'Shares' },
  openShare: { method: 'POST', path: '/l/{token}', tag: 'Shares' },
  uploadToShare: { method: 'POST', path: '/l/{token}/files', tag: 'Shares' },
};

function routeOf(operationId: string): { method: string; path: string } {
  const found =
    openOperations[operationId] ?? routes.find((route) => route.operationId === operationId);
  if (!found) throw new Error(`Unknown operation '${operationId}'.`);
  return found;
}

/** The whole text, or what has arrived once it contains the awaited text. */
async function read(response: Response, until: string | undefined): Promise<string> {
  if (until === undefined) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(until) && text.endsWith('\n\n')) break;
  }
  return text;
}

function isPlain(body: unknown): boolean {
  return (
    body !== undefined &&
    typeof body !== 'string' &&
    !(body instanceof Uint8Array) &&
    !(body instanceof FormData)
  );
}

function kept(asked: Asked, heard: Heard): Pick<RecordedExchange, 'request' | 'response'> {
  const { params, query, headers = {}, key, shorten = (body) => body } = asked;
  const { 'content-type': given, ...rest } = headers;
  const isForm = asked.body instanceof FormData;
  const body = isForm ? fieldsOf(asked.body as FormData) : asText(asked.body);
  const type = isForm ? 'multipart/form-data' : (given ?? 'application/json');
  const answered = [...heard.headers].filter(([name]) => shown.test(name));
  const isJson = /[/+]json$/.test(heard.type);
  return {
    request: {
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(Object.keys(rest).length > 0 ? { headers: rest } : {}),
      ...(body === undefined ? {} : { type, body }),
      ...(key === null ? { anonymous: true } : {}),
    },
    response: {
      status: heard.status,
      ...(answered.length > 0 ? { headers: Object.fromEntries(answered) } : {}),
      ...(heard.text === '' ? {} : { type: heard.type }),
      ...(heard.text === ''
        ? {}
        : {
            body: isJson
              ? shorten(JSON.parse(heard.text))
              : /^text\/|ndjson$/.test(heard.type)
                ? heard.text
                : `(bytes of ${heard.type})`,
          }),
    },
  };
}

function asText(body: unknown): unknown {
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : body;
}

function fieldsOf(form: FormData): Record<string, unknown> {
  return Object.fromEntries(
    [...form].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `(the bytes of ${value.name})`,
    ]),
  );
}
