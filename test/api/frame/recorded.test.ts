import { expect } from 'chai';
import { routes } from '../../../src/api/routes/index.ts';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { type Fixtures, makeFixtures } from '../../support/fixtures.ts';
import { postRaw } from '../../support/uploads.ts';

/** What a route changes leaves these events, of the actor, address and request that changed it. */
interface Change {
  route: string;
  path?: string;
  body?: object;
  headers?: Record<string, string>;
  /** Only the events of the resource itself, if a change has effects on others. */
  events: string[];
}

/** Routes that change nothing that is recorded as an event, and why. */
const unrecorded: Record<string, string> = {
  evaluatePolicies: 'reads',
  getPolicyImpact: 'reads',
  getDraftImpact: 'reads',
  searchPassages: 'reads',
  archiveObjects: 'a download, recorded with those of the hour',
  acknowledgeEvents: 'what a reader has read',
  commitConsumer: 'what a reader has read: an event would have to be read, too',
  describeUploads: 'reads',
  createUpload: 'bytes on their way: the object is recorded',
  appendToUpload: 'bytes on their way: the object is recorded',
  terminateUpload: 'bytes on their way: the object is recorded',
};

/** What needs real pages, bytes or attempts. */
const elsewhere: Record<string, string> = {
  uploadObject: 'below',
  deleteProject: 'erasure/project',
  confirmErasure: 'erasure/values',
  addFindings: 'jobs/reviews',
  decideFindings: 'jobs/reviews',
  submitReview: 'jobs/reviews',
  retryDeliveries: 'api/webhooks/webhook-recovery',
};

describe('every change through the API', () => {
  let api: TestApi;
  let made: Fixtures;
  let second: Tenant;
  before(async () => {
    api = await startApi();
    made = await makeFixtures(api, api);
    second = await api.issue(['*']);
  });
  after(() => api.close());

  const versioned = { 'if-match': '*' };
  const source = () => ({ source_object_id: made.object });
  const list = (): Change[] => [
    {
      route: 'updateProject',
      body: { embeddings: 'redacted' },
      events: ['access.project.updated'],
    },
    {
      route: 'createKey',
      body: { name: 'K', scopes: ['keys:read'] },
      events: ['access.api_key.created'],
    },
    { route: 'updateKey', body: { name: 'Renamed' }, events: ['access.api_key.updated'] },
    {
      route: 'rollKey',
      body: { overlap_seconds: 600 },
      events: ['access.api_key.created', 'access.api_key.rolled'],
    },
    { route: 'revokeKey', events: ['access.api_key.revoked'] },
    {
      route: 'addMember',
      body: { issuer: 'https://login.example.com', subject: 'second', role: 'viewer' },
      events: ['access.member.added'],
    },
    { route: 'updateMember', body: { role: 'editor' }, events: ['access.member.role_changed'] },
    { route: 'removeMember', events: ['access.member.removed'] },
    { route: 'createInvitation', body: { role: 'viewer' }, events: ['access.member.invited'] },
    { route: 'revokeInvitation', events: ['access.member.invitation_revoked'] },
    { route: 'updateObject', body: { tags: ['a'] }, events: ['dam.object.updated'] },
    { route: 'updateImage', body: { title: 'A' }, events: ['dam.image.updated'] },
    { route: 'updateImages', body: { id: made.image, title: 'B' }, events: ['dam.image.updated'] },
    { route: 'createSignedUrl', body: {}, events: ['dam.object.url_signed'] },
    { route: 'createCollection', body: { name: 'C' }, events: ['dam.collection.created'] },
    { route: 'updateCollection', body: { name: 'D' }, events: ['dam.collection.updated'] },
    {
      route: 'moveCollectionMember',
      path: `/v1/collections/${made.collection}/members/object/${made.object}`,
      body: { before: { resource_type: 'image', resource_id: made.image } },
      events: ['dam.collection_member.reordered'],
    },
    {
      route: 'removeCollectionMember',
      path: `/v1/collections/${made.collection}/members/object/${made.object}`,
      events: ['dam.collection_member.removed'],
    },
    {
      route: 'addCollectionMember',
      body: { resource_type: 'object', resource_id: made.object },
      events: ['dam.collection_member.added'],
    },
    {
      route: 'changeCollectionMembers',
      body: { remove: [{ resource_type: 'object', resource_id: made.object }] },
      events: ['dam.collection_member.removed'],
    },
    { route: 'createShare', body: { object_id: made.object }, events: ['dam.share.created'] },
    { route: 'updateShare', body: { title: 'T' }, events: ['dam.share.updated'] },
    { route: 'revokeShare', events: ['dam.share.revoked'] },
    { route: 'trashCollection', events: ['dam.collection.trashed'] },
    { route: 'restoreCollection', events: ['dam.collection.restored'] },
    {
      route: 'createPolicy',
      body: {
        name: 'P',
        mode: 'audit',
        scope: { type: 'project' },
        actions: ['download'],
        rules: [{ type: 'max_bytes', bytes: 1 }],
      },
      events: ['dam.policy.created'],
    },
    {
      route: 'updatePolicy',
      body: { name: 'Q' },
      headers: versioned,
      events: ['dam.policy.updated'],
    },
    {
      route: 'createRetentionRule',
      body: { scope: { type: 'project' }, rule: { type: 'delete_after', days: 30 } },
      events: ['dam.retention_rule.created'],
    },
    {
      route: 'updateRetentionRule',
      body: { rule: { type: 'delete_after', days: 60 } },
      headers: versioned,
      events: ['dam.retention_rule.updated'],
    },
    {
      route: 'deleteRetentionRule',
      headers: versioned,
      events: ['dam.retention_rule.deleted'],
    },
    {
      route: 'createErasure',
      body: { values: ['Asha Bell'] },
      events: ['access.erasure.requested'],
    },
    { route: 'cancelErasure', events: ['access.erasure.cancelled'] },
    { route: 'deletePolicy', headers: versioned, events: ['dam.policy.deleted'] },
    {
      route: 'createPreset',
      body: { name: 'R', operations: [{ op: 'ocr' }] },
      events: ['documents.preset.created'],
    },
    {
      route: 'updatePreset',
      body: { name: 'S' },
      headers: versioned,
      events: ['documents.preset.updated'],
    },
    { route: 'deletePreset', headers: versioned, events: ['documents.preset.deleted'] },
    {
      route: 'createJob',
      body: { ...source(), operations: [{ op: 'ocr' }] },
      events: ['documents.job.created'],
    },
    { route: 'startOcr', body: source(), events: ['documents.job.created'] },
    { route: 'startRedaction', body: source(), events: ['documents.job.created'] },
    { route: 'startClassification', body: source(), events: ['documents.job.created'] },
    {
      route: 'createJobs',
      body: { source_object_ids: [made.object], operations: [{ op: 'ocr' }] },
      events: ['documents.job.created'],
    },
    { route: 'cancelJob', events: ['documents.job.cancel_requested'] },
    { route: 'retryJob', body: {}, events: ['documents.job.created', 'documents.job.retried'] },
    { route: 'claimReview', events: ['documents.review.claimed'] },
    {
      route: 'removeFinding',
      events: ['documents.review.decided'],
    },
    { route: 'releaseReview', events: ['documents.review.released'] },
    { route: 'claimReview', events: ['documents.review.claimed'] },
    {
      route: 'rejectReview',
      body: { reason: 'Wrong file.' },
      events: ['documents.review.rejected'],
    },
    {
      route: 'createPack',
      body: { name: 'P', source: { object_ids: [made.object] } },
      events: ['documents.pack.created'],
    },
    { route: 'cancelPack', events: ['documents.pack.cancel_requested'] },
    { route: 'retryPack', events: ['documents.pack.created'] },
    { route: 'createConsumer', body: { name: 'second' }, events: ['events.consumer.created'] },
    { route: 'seekConsumer', body: { to: 'latest' }, events: ['events.consumer.changed'] },
    { route: 'deleteConsumer', events: ['events.consumer.deleted'] },
    {
      route: 'createWebhook',
      body: { url: 'http://127.0.0.1:9/other', event_types: ['documents.*'] },
      events: ['webhooks.endpoint.created'],
    },
    {
      route: 'updateWebhook',
      body: { description: 'W' },
      headers: versioned,
      events: ['webhooks.endpoint.updated'],
    },
    { route: 'rotateWebhookSecret', body: {}, events: ['webhooks.endpoint.secret_rotated'] },
    { route: 'cancelDeliveries', body: {}, events: ['webhooks.deliveries.cancelled'] },
    { route: 'pauseWebhook', events: ['webhooks.endpoint.paused'] },
    { route: 'enableWebhook', events: ['webhooks.endpoint.enabled'] },
    { route: 'disableWebhook', events: ['webhooks.endpoint.disabled'] },
    { route: 'enableWebhook', events: ['webhooks.endpoint.enabled'] },
    { route: 'testWebhook', events: ['webhooks.endpoint.tested'] },
    { route: 'redeliver', events: ['webhooks.delivery.redelivered'] },
    { route: 'cancelReplay', events: ['webhooks.replay.completed'] },
    {
      route: 'replayWebhook',
      body: { since: '2026-01-01T00:00:00Z' },
      events: ['webhooks.replay.started'],
    },
    { route: 'deleteWebhook', headers: versioned, events: ['webhooks.endpoint.deleted'] },
    // An image and its object are trashed together.
    { route: 'trashImage', events: ['dam.image.trashed', 'dam.object.trashed'] },
    { route: 'restoreImage', events: ['dam.image.restored', 'dam.object.restored'] },
    { route: 'trashObject', events: ['dam.object.trashed'] },
    { route: 'restoreObject', events: ['dam.object.restored'] },
    { route: 'trashObject', events: ['dam.object.trashed'] },
    { route: 'emptyTrash', body: {}, events: ['dam.object.purged', 'dam.trash.emptied'] },
  ];

  it('is recorded as the deed of the actor who made it, from their address, in their request', async () => {
    const wrong: string[] = [];
    const kinds = made as Record<string, string | undefined>;
    const seen = new Set<string>();
    for (const [n, change] of list().entries()) {
      seen.add(change.route);
      const route = routes.find(({ operationId }) => operationId === change.route);
      if (!route) {
        wrong.push(`${change.route}: no such route`);
        continue;
      }
      const rules: Record<string, unknown> = route.params ?? {};
      const path =
        change.path ??
        route.path.replace(/\{(\w+)\}/g, (_, name: string) => kinds[String(rules[name])] ?? '?');
      const requestId = `recorded-${n}`;
      const answer = await api.call(route.method, path, {
        ...second,
        ...(change.body && { body: change.body }),
        headers: { 'x-request-id': requestId, ...change.headers },
      });
      const rows = await api.rows<{ type: string; actor_id: string; address: string | null }>(
        'SELECT type, actor_id, address FROM event WHERE request_id = $1 ORDER BY type',
        [requestId],
      );
      const own = rows.filter(({ actor_id: id, address }) => id === second.keyId && address);
      const types = own.map(({ type }) => type);
      if (answer.status > 299) wrong.push(`${change.route}: ${answer.status} ${answer.text}`);
      else if (types.join() !== change.events.join()) {
        wrong.push(
          `${change.route}: [${types}], not [${change.events}]; all: ${JSON.stringify(rows)}`,
        );
      }
    }
    for (const { operationId, method } of routes) {
      if (method === 'GET' || seen.has(operationId) || operationId in unrecorded) continue;
      if (operationId in elsewhere) continue;
      wrong.push(`${operationId}: not in the list`);
    }
    expect(wrong.join('\n')).to.equal('');
  });

  it('is recorded for uploads, too', async () => {
    const { json } = await postRaw(api, 'by the second', 'second.txt', second);
    const rows = await api.rows<{ type: string; actor_id: string; address: string }>(
      'SELECT type, actor_id, address FROM event WHERE resource_id = $1 ORDER BY type',
      [json.id],
    );
    const by = { actor_id: second.keyId, address: '127.0.0.1' };
    expect(rows).to.deep.equal([
      { type: 'dam.object.available', ...by },
      { type: 'dam.object.created', ...by },
    ]);
  });
});
