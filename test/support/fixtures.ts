import type { TSchema } from 'typebox';
import { isIdKind, paramNames, paramRule, type Route } from '../../src/api/route.ts';
import type { IdKind } from '../../src/contracts/ids.ts';
import type { CallOptions, Tenant, TestApi } from './api.ts';
import { eventually } from './eventually.ts';
import { openRelay } from './relay.ts';

/** One resource of each kind in a project, which belong together: the delivery is the webhook's. */
export type Fixtures = Partial<Record<IdKind, string>>;

/**
 * Makes one resource of each kind that a route has in its path. The suites of bad requests and of
 * isolation need them, and fail for a route with a kind that is not made here.
 */
export async function makeFixtures(api: TestApi, tenant: Tenant): Promise<Fixtures> {
  const make = async (path: string, options: CallOptions): Promise<string> => {
    const answer = await api.call('POST', path, { ...tenant, ...options });
    if (answer.status > 299) throw new Error(`No fixture from ${path}: ${answer.text}`);
    return answer.json.id;
  };
  const key = await make('/v1/keys', { body: { name: 'Fixture', scopes: ['keys:read'] } });
  const webhook = await make('/v1/webhooks', {
    body: { url: 'http://127.0.0.1:9/hooks', event_types: ['dam.*'] },
  });
  const object = await make('/v1/objects', {
    body: onePagePdf,
    headers: { 'content-type': 'application/pdf', 'x-filename': `${webhook}.pdf` },
  });
  const job = await make('/v1/documents/jobs', {
    body: { source_object_id: object, operations: [{ op: 'ocr' }] },
  });
  const relay = await openRelay(api);
  try {
    const [owed] = await eventually(async () => {
      await relay.run();
      const rows = await api.rows<{ id: string; event_id: string }>(
        'SELECT id, event_id FROM delivery WHERE endpoint_id = $1 ORDER BY id LIMIT 1',
        [webhook],
      );
      return rows.length > 0 && rows;
    });
    return { key, webhook, object, job, event: owed!.event_id, delivery: owed!.id };
  } finally {
    await relay.close();
  }
}

const onePagePdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

/**
 * Valid bodies of routes whose body names resources, by operation. Each identifier in them is
 * replaced by a stranger's in the isolation suite.
 */
export const validBodies: Record<string, (fixtures: Fixtures) => object> = {
  acknowledgeEvents: ({ event }) => ({ event_ids: [event] }),
  createJob: ({ object }) => ({ source_object_id: object, operations: [{ op: 'ocr' }] }),
  startOcr: ({ object }) => ({ source_object_id: object }),
};

/** A route's path with its parameters filled in; `instead` replaces some of them. */
export function fillPath(
  route: Route,
  fixtures: Fixtures,
  instead: Record<string, string> = {},
): string {
  let path = route.path;
  for (const name of paramNames(route.path)) {
    const value = instead[name] ?? valueFor(route, name, fixtures);
    path = path.replace(`{${name}}`, value);
  }
  return path;
}

function valueFor(route: Route, name: string, fixtures: Fixtures): string {
  const rule = paramRule(route, name);
  if (rule === undefined) throw new Error(`${route.operationId} does not say what {${name}} is.`);
  if (isIdKind(rule)) {
    const id = fixtures[rule];
    if (id) return id;
    throw new Error(
      `${route.operationId} has a ${rule} in its path: make one in makeFixtures (test/support/fixtures.ts).`,
    );
  }
  const { enum: allowed } = rule as TSchema & { enum?: string[] };
  if (allowed?.[0] === undefined)
    throw new Error(`No value for {${name}} of ${route.operationId}.`);
  return allowed[0];
}
