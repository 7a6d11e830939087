import { type IdKind, idPattern, idPrefixes, newId } from '@scriptorium/contracts/ids';
import type { TSchema } from 'typebox';
import type { Route } from '../../src/api/frame/route.ts';
import { isIdKind, paramNames, paramRule } from '../../src/api/frame/route-properties.ts';
import { sealFinding } from '../../src/jobs/reviews/findings.ts';
import type { Tenant, TestApi } from './api.ts';
import { openRelay } from './relay.ts';
import { postRaw } from './uploads.ts';

/** The API that makes fixtures: that of this process, or of another one. */
export type FixtureMaker = Pick<TestApi, 'call' | 'rows' | 'database'> & {
  deps: Pick<TestApi['deps'], 'seal'>;
};

/** One resource of each kind in a project, which belong together: the delivery is the webhook's. */
export type Fixtures = Partial<Record<IdKind, string>>;

/**
 * Makes one resource of each kind that a route has in its path. The suites of bad requests and of
 * isolation need them, and fail for a route with a kind that is not made here.
 */
export async function makeFixtures(api: FixtureMaker, tenant: Tenant): Promise<Fixtures> {
  const post = async (path: string, body: object): Promise<string> => {
    const response = await api.call('POST', path, { ...tenant, body });
    if (response.status > 299) throw new Error(`POST ${path}: ${response.status} ${response.text}`);
    return response.json.id;
  };
  const key = await post('/v1/keys', { name: 'Fixture', scopes: ['keys:read'] });
  // No receiver is meant to hear of it: nothing in these suites delivers.
  const webhook = await post('/v1/webhooks', {
    url: 'http://127.0.0.1:9/hook',
    event_types: ['documents.*'],
  });
  const member = await post('/v1/members', {
    issuer: 'https://login.example.com',
    subject: `fixture-${tenant.projectId}`,
    role: 'viewer',
  });
  const invitation = await post('/v1/members/invitations', { role: 'viewer' });
  const [user] = await api.rows<{ id: string }>('SELECT user_id AS id FROM member WHERE id = $1', [
    member,
  ]);
  const consumer = await post('/v1/events/consumers', { name: 'fixture' });
  const policy = await post('/v1/dam/security/policies', {
    name: 'Fixture',
    mode: 'audit',
    scope: { type: 'project' },
    actions: ['download'],
    rules: [{ type: 'max_bytes', bytes: 1 }],
  });
  const retentionRule = await post('/v1/retention-rules', {
    scope: { type: 'project' },
    rule: { type: 'delete_after', days: 36_500 },
  });
  const erasure = await post('/v1/erasures', { values: ['Fixture of an erasure'] });
  const uploaded = await postRaw(api, pdf, 'fixture.pdf', tenant);
  if (uploaded.status !== 201) throw new Error(`Upload: ${uploaded.status} ${uploaded.text}`);
  const object: string = uploaded.json.id;
  const picture = await postRaw(api, onePixelPng, 'fixture.png', tenant);
  const [image] = await api.rows<{ id: string }>('SELECT id FROM image WHERE object_id = $1', [
    picture.json.id,
  ]);
  if (!image) throw new Error('The picture has no image.');
  const job = await post('/v1/documents/jobs', {
    source_object_id: object,
    operations: [{ op: 'ocr' }],
  });
  const { review, finding } = await makeReview(api, tenant, object);
  const preset = await post('/v1/documents/presets', {
    name: 'Fixture',
    operations: [{ op: 'ocr' }],
  });
  const pack = await post('/v1/documents/packs', {
    name: 'Fixture',
    source: { object_ids: [object] },
  });
  const created = await api.call('POST', '/v1/uploads', {
    ...tenant,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${Buffer.from('fixture.bin').toString('base64')}`,
    },
  });
  if (created.status !== 201) throw new Error(`Begin an upload: ${created.status} ${created.text}`);
  const upload = created.headers.get('location')!.slice('/v1/uploads/'.length);
  const collection = await post('/v1/collections', {
    name: 'Fixture',
    members: [
      { resource_type: 'image', resource_id: image.id },
      { resource_type: 'object', resource_id: object },
    ],
  });
  const share = await post('/v1/shares', { collection_id: collection });
  const relay = await openRelay(api);
  try {
    await relay.run();
  } finally {
    await relay.close();
  }
  const [delivery] = await api.rows<{ id: string; event_id: string }>(
    'SELECT id, event_id FROM delivery WHERE endpoint_id = $1 LIMIT 1',
    [webhook],
  );
  if (!delivery) throw new Error('The job made no delivery to the webhook.');
  const replay = await post(`/v1/webhooks/${webhook}/replay`, { since: '2026-01-01T00:00:00Z' });
  return {
    key,
    webhook,
    replay,
    member,
    ...(user && { user: user.id }),
    invitation,
    consumer,
    policy,
    retention_rule: retentionRule,
    erasure,
    object,
    image: image.id,
    collection,
    share,
    job,
    review,
    finding,
    preset,
    pack,
    upload,
    event: delivery.event_id,
    delivery: delivery.id,
  };
}

/** Makes an open review with a finding that a person added, in a separate job. */
async function makeReview(
  api: FixtureMaker,
  tenant: Tenant,
  object: string,
): Promise<{ review: string; finding: string }> {
  const body = { source_object_id: object, review: 'required' };
  const started = await api.call('POST', '/v1/documents/redact', { ...tenant, body });
  if (started.status !== 202) throw new Error(`Redact: ${started.status} ${started.text}`);
  const { projectId } = tenant;
  const jobId: string = started.json.id;
  const review = newId('review');
  const finding = newId('finding');
  const content = sealFinding(
    { seal: api.deps.seal.seal },
    { projectId, sourceObjectId: object },
    finding,
    { text: 'Fixture', boxes: [[0, 0, 10, 10]] },
  );
  const key = [projectId, jobId];
  await api.rows(`UPDATE job SET state = 'awaiting_review' WHERE project_id = $1 AND id = $2`, key);
  await api.rows(
    `UPDATE job_operation SET state = 'awaiting_review'
     WHERE project_id = $1 AND job_id = $2 AND op = 'redact_pii'`,
    key,
  );
  await api.rows(
    `INSERT INTO review (project_id, id, job_id, operation_index, op, source_object_id, reviewers,
       pages, added, requested_by, expires_at)
     VALUES ($1, $3, $2, 1, 'redact_pii', $4, 'anyone', 1, 1,
       '{"type": "api_key", "id": null}', now() + interval '1 day')`,
    [...key, review, object],
  );
  await api.rows(
    `INSERT INTO finding (project_id, id, review_id, page, type, source, decision, content, laid_out)
     VALUES ($1, $2, $3, 1, 'PERSON', 'person', 'accepted', $4, true)`,
    [projectId, finding, review, content],
  );
  return { review, finding };
}

/** A grey pixel. */
export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** As little as is sniffed as a PDF: nothing in these suites opens it. */
const pdf = '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

/**
 * Valid bodies of routes whose body names resources, by operation. Each identifier in them is
 * replaced by a stranger's in the isolation suite; `place` is its field, for bodies of
 * several forms.
 */
export const validBodies: Record<
  string,
  (fixtures: Fixtures, idField: string, parentField: string) => object
> = {
  updateImages: ({ image }, idField) => {
    const patch = { title: 'Harbour' };
    if (idField === 'ids') return { ids: [image], patch };
    if (idField === 'updates') return { updates: [{ id: image, patch }] };
    if (idField === 'filter') return { filter: {}, expected_count: 0, patch };
    return { id: image, ...patch };
  },
  createCollection: ({ image, object, collection }, idField) => {
    if (idField === 'query') {
      return { name: 'Harbour', kind: 'smart', query: { collection_id: collection } };
    }
    const members = [
      { resource_type: 'image', resource_id: image },
      { resource_type: 'object', resource_id: object },
    ];
    return { name: 'Harbour', parent_id: collection, cover: image, members };
  },
  updateCollection: ({ image, collection }, idField) =>
    idField === 'parent_id' ? { parent_id: collection } : { cover: image },
  addCollectionMember: ({ image }) => ({ resource_type: 'image', resource_id: image }),
  changeCollectionMembers: ({ image }, idField) => ({
    [idField]: [{ resource_type: 'image', resource_id: image }],
  }),
  moveCollectionMember: ({ object }, idField) => ({
    [idField]: { resource_type: 'object', resource_id: object },
  }),
  createShare: ({ object, collection }, idField) =>
    idField === 'object_id' ? { object_id: object } : { collection_id: collection },
  createJob: ({ object }) => ({ source_object_id: object, operations: [{ op: 'ocr' }] }),
  createPack: ({ object, collection, pack }, idField, parentField) => {
    if (idField === 'refreshes')
      return { name: 'Harbour', source: { object_ids: [object] }, refreshes: pack };
    if (parentField === 'collection_id')
      return { name: 'Harbour', source: { collection_id: collection } };
    if (parentField === 'filter')
      return { name: 'Harbour', source: { filter: { derived_from: object } } };
    return { name: 'Harbour', source: { object_ids: [object] } };
  },
  createJobs: ({ object }) => ({ source_object_ids: [object], operations: [{ op: 'ocr' }] }),
  archiveObjects: ({ object }) => ({ ids: [object] }),
  startOcr: ({ object }) => ({ source_object_id: object }),
  startClassification: ({ object }) => ({ source_object_id: object }),
  startRedaction: ({ object }) => ({ source_object_id: object }),
  decideFindings: ({ finding }) => ({ ids: [finding], decision: 'accept' }),
  createPolicy: ({ collection }) => policyDraft(collection),
  createRetentionRule: ({ collection }) => ({
    scope: { type: 'collection', collection_id: collection },
    rule: { type: 'delete_after', days: 30 },
  }),
  searchPassages: ({ object }, idField) => ({
    query: 'harbour',
    filter: idField === 'derived_from' ? { derived_from: object } : { id: [object] },
  }),
  updatePolicy: ({ collection }) => ({ scope: policyDraft(collection).scope }),
  getDraftImpact: ({ collection }) => ({ with: policyDraft(collection) }),
  getPolicyImpact: ({ collection }) => ({ with: policyDraft(collection) }),
  evaluatePolicies: ({ object, policy, collection }) => ({
    action: 'read',
    resource: { type: 'object', id: object },
    with: [{ id: policy, ...policyDraft(collection) }],
  }),
  acknowledgeEvents: ({ event }) => ({ event_ids: [event] }),
  seekConsumer: ({ event }) => ({ event_id: event }),
};

function policyDraft(collection: string | undefined) {
  return {
    name: 'Draft',
    mode: 'enforce',
    scope: { type: 'collection', ids: [collection] },
    actions: ['read'],
    rules: [{ type: 'max_bytes', bytes: 1 }],
  };
}

const kindOfPattern = new Map(
  (Object.keys(idPrefixes) as IdKind[]).map((kind) => [idPattern(kind), kind]),
);

/** The kinds of identifier that a schema of a string takes. */
export function idKindsOf(schema: TSchema): IdKind[] {
  const { pattern, anyOf } = schema as { pattern?: string; anyOf?: TSchema[] };
  const kind = pattern === undefined ? undefined : kindOfPattern.get(pattern);
  return [...(kind ? [kind] : []), ...(anyOf ?? []).flatMap(idKindsOf)];
}

/** A route's path with its parameters filled in; `instead` replaces some of them. */
export function fillPath(
  route: Route,
  fixtures: Fixtures,
  overrides: Record<string, string> = {},
): string {
  let path = route.path;
  for (const name of paramNames(route.path)) {
    const value = overrides[name] ?? valueFor(route, name, fixtures);
    path = path.replace(`{${name}}`, value);
  }
  return path;
}

/** Values of parameters that are not identifiers of resources, by the titles of their schemas. */
const valuesByTitle: Record<string, string> = { page: '1', chunk: `chk_${'0'.repeat(24)}_0` };

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
  const [kind] = idKindsOf(rule);
  const fixture = kind && fixtures[kind];
  if (fixture) return fixture;
  const { enum: allowed, title } = rule as TSchema & { enum?: string[]; title?: string };
  const value = valuesByTitle[title ?? ''] ?? allowed?.[0];
  if (value === undefined) throw new Error(`No value for {${name}} of ${route.operationId}.`);
  return value;
}

/** The parameters that a route's query cannot do without: words, or a resource that is there. */
export function requiredQuery(route: Route, fixtures: Fixtures): Record<string, string> {
  const { required = [], properties = {} } = (route.query ?? {}) as {
    required?: string[];
    properties?: Record<string, TSchema>;
  };
  const requiredNames = required.filter((name) => !('default' in (properties[name] ?? {})));
  return Object.fromEntries(
    requiredNames.map((name) => {
      if (name === 'q') return [name, 'words'];
      const [kind] = idKindsOf(properties[name] ?? {});
      const fixture = kind && fixtures[kind];
      if (!fixture) throw new Error(`No value for ?${name}= of ${route.operationId}.`);
      return [name, fixture];
    }),
  );
}
