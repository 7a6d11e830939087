import { randomUUID } from 'node:crypto';
import type { KnownProject } from '../torture/ledger.ts';

/** The context of a request of the load. */
export interface RequestContext {
  project: KnownProject;
  url: string;
  pick: (below: number) => number;
  /** The origin of the receiver; paths under `/failing` return 500. */
  receiver: string;
  /** The existing resources, oldest first. */
  resources: { objects: string[]; webhooks: string[]; shares: { id: string; url: string }[] };
  samples: Samples;
}

/** Bytes that are generated once. */
interface Samples {
  scannedPage: Uint8Array<ArrayBuffer>;
  letter: string;
  picture: Uint8Array<ArrayBuffer>;
}

interface JsonResponse {
  status: number;
  json: Record<string, unknown>;
}

/** A status that the load does not expect. */
class UnexpectedStatus extends Error {}

async function call(
  { url, project }: RequestContext,
  method: string,
  path: string,
  options: {
    json?: unknown;
    bytes?: Uint8Array<ArrayBuffer>;
    headers?: Record<string, string>;
  } = {},
  ...expected: number[]
): Promise<JsonResponse> {
  const { json, bytes, headers = {} } = options;
  const response = await fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${project.key}`,
      'X-Service-Project-ID': project.id,
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(bytes === undefined ? {} : { body: bytes }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (!(expected.length > 0 ? expected.includes(response.status) : response.ok)) {
    throw new UnexpectedStatus(
      `${method} ${path} returned ${response.status}: ${text.slice(0, 200)}`,
    );
  }
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, json: isJson && text !== '' ? JSON.parse(text) : {} };
}

/** The maximum number of webhooks and shares in a project. */
const maxCounts = { webhooks: 8, shares: 20 };
/** How long objects are kept. */
const objectLifetimeMs = 180_000;

async function store(
  context: RequestContext,
  filename: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { json } = await call(context, 'POST', '/v1/objects', {
    bytes,
    headers: { 'Content-Type': 'application/octet-stream', 'X-Filename': filename },
  });
  const id = String(json.id);
  context.resources.objects.push(id);
  return id;
}

const uniqueBytes = (text: string) => new Uint8Array(Buffer.from(`${text}\n${randomUUID()}\n`));
const pickOptional = <T>(list: readonly T[], pick: RequestContext['pick']): T | undefined =>
  list[pick(list.length)];

async function createJob(context: RequestContext, id: string, operations: object[]): Promise<void> {
  await call(context, 'POST', '/v1/documents/jobs', { json: { source_object_id: id, operations } });
}

/** Each kind of request by name: its weight, and its action. */
export const requestKinds = {
  upload: {
    weight: 12,
    run: async (context) =>
      void (await store(context, 'letter.md', uniqueBytes(context.samples.letter))),
  },
  picture: {
    weight: 2,
    async run(context) {
      const bytes = Buffer.concat([context.samples.picture, Buffer.from(randomUUID())]);
      await store(context, 'picture.png', new Uint8Array(bytes));
    },
  },
  search: {
    weight: 12,
    run: async (context) =>
      void (await call(
        context,
        'GET',
        `/v1/objects?q=${pickOptional(['harbour', 'tide', 'paid'], context.pick)}&limit=20`,
      )),
  },
  list: {
    weight: 12,
    run: async (context) => void (await call(context, 'GET', '/v1/objects?limit=50')),
  },
  patch: {
    weight: 8,
    async run(context) {
      const id = pickOptional(context.resources.objects, context.pick);
      if (id === undefined) return;
      const json = { metadata: { note: randomUUID() } };
      await call(context, 'PATCH', `/v1/objects/${id}`, { json }, 200, 404, 409);
    },
  },
  download: {
    weight: 8,
    async run(context) {
      const id = pickOptional(context.resources.objects, context.pick);
      if (id === undefined) return;
      await call(context, 'GET', `/v1/objects/${id}/content`, {}, 200, 404, 409);
    },
  },
  events: {
    weight: 12,
    run: async (context) => void (await call(context, 'GET', '/v1/events?limit=50')),
  },
  normalise: {
    weight: 3,
    async run(context) {
      const id = await store(context, 'letter.md', uniqueBytes(context.samples.letter));
      await createJob(context, id, [{ op: 'normalize_for_llm' }, { op: 'classify' }]);
    },
  },
  redact: {
    weight: 1,
    async run(context) {
      const id = await store(context, 'letter.txt', uniqueBytes(context.samples.letter));
      await createJob(context, id, [{ op: 'redact_pii' }]);
    },
  },
  ocr: {
    weight: 1,
    async run(context) {
      const bytes = Buffer.concat([context.samples.scannedPage, Buffer.from(randomUUID())]);
      const id = await store(context, 'scan.png', new Uint8Array(bytes));
      await createJob(context, id, [{ op: 'ocr' }]);
    },
  },
  /** Those older than a few minutes, including outputs of jobs. */
  discard: {
    weight: 18,
    async run(context) {
      const { json } = await call(context, 'GET', '/v1/objects?sort=created_at&limit=3');
      for (const { id, created_at: at } of json.data as { id: string; created_at: string }[]) {
        if (Date.now() - Date.parse(at) < objectLifetimeMs) return;
        await call(context, 'DELETE', `/v1/objects/${id}`, {}, 200, 204, 404, 409);
        await call(context, 'DELETE', `/v1/objects/${id}?purge=true`, {}, 200, 204, 404, 409);
        context.resources.objects = context.resources.objects.filter((each) => each !== id);
      }
    },
  },
  endpoint: {
    weight: 2,
    async run(context) {
      const { resources: stock, receiver, pick } = context;
      if (stock.webhooks.length >= maxCounts.webhooks) {
        const id = stock.webhooks.shift()!;
        await call(context, 'DELETE', `/v1/webhooks/${id}`, { headers: { 'If-Match': '*' } });
      }
      // A quarter of them fails.
      const path = pick(4) === 0 ? 'failing' : 'hooks';
      const json = { url: `${receiver}/${path}/${randomUUID()}`, event_types: ['dam.object.*'] };
      const made = await call(context, 'POST', '/v1/webhooks', { json });
      stock.webhooks.push(String(made.json.id));
    },
  },
  share: {
    weight: 2,
    async run(context) {
      const { resources: stock, pick } = context;
      const object = pickOptional(stock.objects.slice(-20), pick);
      if (object === undefined) return;
      const json = {
        object_id: object,
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      };
      const made = await call(context, 'POST', '/v1/shares', { json }, 201, 404, 409, 422);
      if (made.status === 201)
        stock.shares.push({ id: String(made.json.id), url: String(made.json.url) });
      if (stock.shares.length <= maxCounts.shares) return;
      const { id } = stock.shares.shift()!;
      await call(
        context,
        'DELETE',
        `/v1/shares/${id}`,
        { headers: { 'If-Match': '*' } },
        204,
        404,
        409,
      );
    },
  },
  visit: {
    weight: 4,
    async run(context) {
      const share = pickOptional(context.resources.shares, context.pick);
      if (!share) return;
      const { pathname } = new URL(share.url, context.url);
      await call(context, 'GET', pathname, {}, 200, 404, 410);
    },
  },
} as const satisfies Record<
  string,
  { weight: number; run: (context: RequestContext) => Promise<void> }
>;

export type RequestKind = keyof typeof requestKinds;
export const requestKindNames = Object.keys(requestKinds) as RequestKind[];
