import type { issueKey } from '../../src/access/projects.ts';
import type { Exchange } from '../../src/api/openapi/examples.ts';
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
  /** JSON; text or bytes as they are, then with a Content-Type among the headers; or a form. */
  body?: unknown;
  /** With another key; null: without the two headers. */
  key?: string | null;
  /** Of an answer that does not end: reads until its text has this. */
  until?: string;
  /** Keeps only what is worth showing of a long answer. */
  // biome-ignore lint/suspicious/noExplicitAny: a scene knows what it asked for
  shorten?: (body: any) => unknown;
}

interface Told {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; throws when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a scene knows what it asked for
  json: any;
}

/** Plays a scene and keeps what was said. */
export interface Teller extends Tenant {
  receiver: Receiver;
  /** A key as only the operator makes it, such as one with limits of its own. */
  issue(key: Parameters<typeof issueKey>[2]): Promise<string>;
  told: Exchange[];
  /** Makes a request that is an example. Fails when the answer is not of this status. */
  tell(operationId: string, summary: string, status: number, asked?: Asked): Promise<Told>;
  /** Makes a request that is none, for what has to be there first. */
  ask(operationId: string, status: number, asked?: Asked): Promise<Told>;
  /** Asks until the answer is as it should be. */
  until(operationId: string, asked: Asked, holds: (told: Told) => boolean): Promise<Told>;
  /** What was told, with made-up values in the place of those that change. */
  record(): Exchange[];
}

/** Headers of answers that examples show. */
const shown =
  /^(location|etag|link|retry-after|allow|www-authenticate|idempotent-replayed|object-id|upload-(offset|length|expires)|tus-.*|content-(range|disposition)|accept-ranges|preference-applied)$/;

export function createTeller(
  api: TestApi,
  receiver: Receiver,
  tenant: Tenant,
  issue: Teller['issue'],
  /** Hears of every answer; null where the request had another key than the scene's. */
  heardOf: (operationId: string, status: number | null) => void = () => undefined,
): Teller {
  const told: Exchange[] = [];
  const play = async (operationId: string, status: number, asked: Asked): Promise<Heard> => {
    const heard = await exchange(api, tenant, operationId, asked);
    heardOf(operationId, asked.key === undefined ? heard.status : null);
    if (heard.status === status) return heard;
    throw new Error(`${operationId} answered ${heard.status}, not ${status}: ${heard.text}`);
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
    ask: (operationId, status, asked = {}) => play(operationId, status, asked),
    until: (operationId, asked, holds) =>
      eventually(async () => {
        const heard = await exchange(api, tenant, operationId, asked);
        heardOf(operationId, asked.key === undefined ? heard.status : null);
        return holds(heard) ? heard : null;
      }),
    record() {
      const madeUp = createMadeUp({
        [receiver.url]: 'https://harbour.example/hooks',
        [api.url]: 'https://scriptorium.example',
        '"127.0.0.1"': '"203.0.113.7"',
        "'127.0.0.1'": "'203.0.113.7'",
      });
      return JSON.parse(madeUp(JSON.stringify(told))) as Exchange[];
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

/** Signed URLs are no route of the frame. */
const useSignedUrl = { method: 'GET', path: '/s/{token}' };

function routeOf(operationId: string): { method: string; path: string } {
  if (operationId === 'useSignedUrl') return useSignedUrl;
  const found = routes.find((route) => route.operationId === operationId);
  if (!found) throw new Error(`Unknown operation '${operationId}'.`);
  return found;
}

/** The whole text, or what has come when it has what was waited for. */
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

function kept(asked: Asked, heard: Heard): Pick<Exchange, 'request' | 'response'> {
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
