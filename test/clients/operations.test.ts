import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { generatedFiles } from '../../packages/client/generator/generate.ts';
import { generateFromSource } from '../../packages/client/generator/source.ts';
import {
  type Listing,
  type OperationId,
  operations,
  Scriptorium,
} from '../../packages/client/src/index.ts';
import { routes } from '../../src/api/routes/index.ts';
import { checkout } from '../support/run.ts';

const id = 'x_1';
const member = { resource_type: 'image', resource_id: 'img_1' } as const;
const ops = [{ op: 'ocr' }] as const;
const source = { source_object_id: 'obj_1' };
const policy = {
  name: 'A',
  mode: 'enforce',
  scope: { type: 'project' },
  actions: ['download'],
  rules: [{ type: 'max_bytes', bytes: 1 }],
} as const;
const read = (listing: Listing<unknown>): Promise<unknown> => listing.page();

/**
 * One call of each operation. A new route does not compile here until the client has a method for
 * it.
 */
const calls: Record<OperationId, (client: Scriptorium) => Promise<unknown>> = {
  getCertificate: (c) => c.jobs.certificate(id),
  listCertificateKeys: (c) => read(c.jobs.certificateKeys()),
  listReviews: (c) => read(c.reviews.list()),
  getReview: (c) => c.reviews.get(id),
  getReviewStats: (c) => c.reviews.stats(),
  listReviewPages: (c) => read(c.reviews.pages(id)),
  listReviewText: (c) => read(c.reviews.text(id)),
  listFindings: (c) => read(c.reviews.findings(id)),
  claimReview: (c) => c.reviews.claim(id),
  releaseReview: (c) => c.reviews.release(id),
  decideFindings: (c) => c.reviews.decide(id, { filter: {}, decision: 'accept' }),
  addFindings: (c) => c.reviews.add(id, { page: 1, boxes: [[0, 0, 1, 1]], type: 'PERSON' }),
  removeFinding: (c) => c.reviews.remove(id, id),
  submitReview: (c) => c.reviews.submit(id, {}, { ifMatch: 1 }),
  rejectReview: (c) => c.reviews.reject(id, { reason: 'A' }),
  getLimits: (c) => c.limits(),
  getUsage: (c) => c.usage(),
  getCapabilities: (c) => c.capabilities(),
  getOpenApi: (c) => c.openApi(),
  listRetentionRules: (c) => read(c.retention.list()),
  createRetentionRule: (c) =>
    c.retention.create({ scope: { type: 'project' }, rule: { type: 'delete_after', days: 1 } }),
  previewRetention: (c) => read(c.retention.preview()),
  getRetentionRule: (c) => c.retention.get(id),
  updateRetentionRule: (c) =>
    c.retention.update(id, { rule: { type: 'delete_after', days: 2 } }, { ifMatch: 1 }),
  deleteRetentionRule: (c) => c.retention.delete(id, { ifMatch: 1 }),
  listErasures: (c) => read(c.erasures.list()),
  createErasure: (c) => c.erasures.create({ values: ['Asha Bell'] }),
  getErasure: (c) => c.erasures.get(id),
  listErasureResources: (c) => read(c.erasures.resources(id)),
  confirmErasure: (c) => c.erasures.confirm(id),
  cancelErasure: (c) => c.erasures.cancel(id),
  getProject: (c) => c.project.get(),
  updateProject: (c) => c.project.update({ embeddings: 'none' }),
  deleteProject: (c) => c.project.delete({ name: 'A' }),
  listKeys: (c) => read(c.keys.list()),
  createKey: (c) => c.keys.create({ name: 'A', scopes: ['objects:read'] }),
  getOwnKey: (c) => c.keys.self(),
  getKey: (c) => c.keys.get(id),
  updateKey: (c) => c.keys.update(id, { name: 'B' }),
  revokeKey: (c) => c.keys.revoke(id),
  rollKey: (c) => c.keys.roll(id),
  listShares: (c) => read(c.shares.list()),
  createShare: (c) => c.shares.create({ object_id: id }),
  getShare: (c) => c.shares.get(id),
  updateShare: (c) => c.shares.update(id, { title: 'B' }),
  revokeShare: (c) => c.shares.revoke(id),
  listMembers: (c) => read(c.members.list()),
  addMember: (c) =>
    c.members.add({ issuer: 'https://login.example.com', subject: 'a', role: 'viewer' }),
  getMember: (c) => c.members.get(id),
  updateMember: (c) => c.members.update(id, { role: 'editor' }),
  removeMember: (c) => c.members.remove(id),
  listInvitations: (c) => read(c.members.invitations()),
  createInvitation: (c) => c.members.invite({ role: 'viewer' }),
  getInvitation: (c) => c.members.invitation(id),
  revokeInvitation: (c) => c.members.revokeInvitation(id),
  listObjects: (c) => read(c.objects.list()),
  uploadObject: (c) => c.objects.upload(new Uint8Array([1]), { filename: 'a' }),
  getObject: (c) => c.objects.get(id),
  updateObject: (c) => c.objects.update(id, { tags: [] }),
  trashObject: (c) => c.objects.trash(id),
  emptyTrash: (c) => c.objects.emptyTrash(),
  restoreObject: (c) => c.objects.restore(id),
  getObjectContent: (c) => c.objects.download(id),
  listPresets: (c) => read(c.presets.list()),
  createPreset: (c) => c.presets.create({ name: 'A', operations: [{ op: 'ocr' }] }),
  getPreset: (c) => c.presets.get(id),
  updatePreset: (c) => c.presets.update(id, { name: 'B' }),
  deletePreset: (c) => c.presets.delete(id),
  createPack: (c) => c.packs.create({ name: 'x', source: { object_ids: ['obj_1'] } }),
  listPacks: (c) => c.packs.list().page(),
  getPack: (c) => c.packs.get(id),
  listPackDocuments: (c) => c.packs.documents(id).page(),
  listPackChanges: (c) => c.packs.changes(id).page(),
  cancelPack: (c) => c.packs.cancel(id),
  retryPack: (c) => c.packs.retry(id),
  getCitation: (c) => c.packs.citation(id),
  getPageImage: (c) => c.objects.pageImage(id, 1, { width: 640 }),
  getPageText: (c) => c.objects.pageText(id, 1),
  listImagePlaces: (c) => c.images.places({ zoom: 4 }),
  archiveObjects: (c) => c.objects.archive({ ids: ['obj_1'] }),
  createSignedUrl: (c) => c.objects.signUrl(id),
  listObjectDownloads: (c) => read(c.objects.downloads(id)),
  listObjectJobs: (c) => read(c.objects.jobs(id)),
  listObjectCollections: (c) => read(c.objects.collections(id)),
  describeUploads: (c) => c.uploads.describe(),
  createUpload: (c) => c.uploads.create({ filename: 'a', bytes: 1 }),
  getUpload: (c) => c.uploads.get(id),
  appendToUpload: (c) => c.uploads.append(id, { offset: 0, bytes: new Uint8Array([1]) }),
  terminateUpload: (c) => c.uploads.terminate(id),
  searchImages: (c) => read(c.images.list()),
  search: (c) => read(c.search.list({ q: 'a' })),
  getEmbeddings: (c) => c.search.embeddings(),
  searchPassages: (c) => c.search.passages({ query: 'a' }),
  updateImages: (c) => c.images.edit({ ids: ['img_1'], patch: { title: 'A' } }),
  getImage: (c) => c.images.get(id),
  updateImage: (c) => c.images.update(id, { title: 'A' }),
  trashImage: (c) => c.images.trash(id),
  restoreImage: (c) => c.images.restore(id),
  getRendition: (c) => c.images.rendition(id, 'thumb'),
  listImageCollections: (c) => read(c.images.collections(id)),
  listCollections: (c) => read(c.collections.list()),
  createCollection: (c) => c.collections.create({ name: 'A' }),
  getCollection: (c) => c.collections.get(id),
  updateCollection: (c) => c.collections.update(id, { name: 'B' }),
  trashCollection: (c) => c.collections.trash(id),
  restoreCollection: (c) => c.collections.restore(id),
  listCollectionMembers: (c) => read(c.collections.members.list(id)),
  addCollectionMember: (c) => c.collections.members.add(id, member),
  changeCollectionMembers: (c) => c.collections.members.change(id, { add: [member] }),
  moveCollectionMember: (c) => c.collections.members.move(id, member, { after: member }),
  removeCollectionMember: (c) => c.collections.members.remove(id, member),
  createJob: (c) => c.jobs.create({ ...source, operations: [...ops] }),
  createJobs: (c) => c.jobs.createMany({ source_object_ids: ['obj_1'], operations: [...ops] }),
  startOcr: (c) => c.jobs.ocr(source),
  startRedaction: (c) => c.jobs.redact(source),
  startClassification: (c) => c.jobs.classify(source),
  listJobs: (c) => read(c.jobs.list()),
  getJob: (c) => c.jobs.get(id),
  listJobPages: (c) => read(c.jobs.pages(id)),
  getJobPageStates: (c) => c.jobs.pageStates(id),
  cancelJob: (c) => c.jobs.cancel(id),
  retryJob: (c) => c.jobs.retry(id),
  listPolicies: (c) => read(c.policies.list()),
  createPolicy: (c) =>
    c.policies.create({ ...policy, actions: ['download'], rules: [...policy.rules] }),
  evaluatePolicies: (c) =>
    c.policies.evaluate({ action: 'read', resource: { type: 'object', id: 'obj_1' } }),
  getPolicy: (c) => c.policies.get(id),
  updatePolicy: (c) => c.policies.update(id, { name: 'B' }, { ifMatch: 1 }),
  deletePolicy: (c) => c.policies.delete(id, { ifMatch: 1 }),
  getDraftImpact: (c) =>
    c.policies.impactOfDraft({
      with: { ...policy, actions: ['download'], rules: [...policy.rules] },
    }),
  getPolicyImpact: (c) => c.policies.impact(id),
  listEvents: (c) => read(c.events.list()),
  getEvent: (c) => c.events.get(id),
  acknowledgeEvents: (c) => c.events.acknowledge({ up_to_sequence: 1 }),
  streamEvents: (c) => c.events.stream({}, { maxRetries: 0 }).next(),
  listEventTypes: (c) => c.events.types(),
  listConsumers: (c) => read(c.consumers.list()),
  createConsumer: (c) => c.consumers.create({ name: 'a' }),
  getConsumer: (c) => c.consumers.get(id),
  deleteConsumer: (c) => c.consumers.delete(id),
  readConsumerEvents: (c) => c.consumers.events(id),
  commitConsumer: (c) => c.consumers.commit(id, { sequence: 1 }),
  seekConsumer: (c) => c.consumers.seek(id, { to: 'earliest' }),
  listWebhooks: (c) => read(c.webhooks.list()),
  createWebhook: (c) => c.webhooks.create({ url: 'https://example.com', event_types: ['dam.*'] }),
  getWebhook: (c) => c.webhooks.get(id),
  getWebhookStats: (c) => c.webhooks.stats(id),
  updateWebhook: (c) => c.webhooks.update(id, { description: 'A' }, { ifMatch: 1 }),
  deleteWebhook: (c) => c.webhooks.delete(id, { ifMatch: 1 }),
  rotateWebhookSecret: (c) => c.webhooks.rotateSecret(id),
  testWebhook: (c) => c.webhooks.test(id),
  pauseWebhook: (c) => c.webhooks.pause(id),
  enableWebhook: (c) => c.webhooks.enable(id),
  disableWebhook: (c) => c.webhooks.disable(id),
  listDeliveries: (c) => read(c.webhooks.deliveries.list(id)),
  listEventDeliveries: (c) => read(c.webhooks.deliveries.ofEvent({ event_id: 'evt_1' })),
  getDelivery: (c) => c.webhooks.deliveries.get(id, id),
  redeliver: (c) => c.webhooks.deliveries.redeliver(id, id),
  replayWebhook: (c) => c.webhooks.replays.create(id, { since: '2026-01-01T00:00:00Z' }),
  listReplays: (c) => read(c.webhooks.replays.list(id)),
  getReplay: (c) => c.webhooks.replays.get(id, id),
  cancelReplay: (c) => c.webhooks.replays.cancel(id, id),
  cancelDeliveries: (c) => c.webhooks.deliveries.cancel(id),
  retryDeliveries: (c) => c.webhooks.deliveries.retry(id),
};

describe('the TypeScript client', () => {
  it('has types generated from the current routes and schemas, as has the portal', async () => {
    const made = await generateFromSource();
    const written = {
      client: await readFile(join(checkout, generatedFiles.client), 'utf8'),
      portal: await readFile(join(checkout, generatedFiles.portal), 'utf8'),
    };
    const message = 'out of date: run script/client-types and commit';
    expect(written.client === made.client, message).to.equal(true);
    expect(written.portal === made.portal, message).to.equal(true);
  });

  it('has a method for every operation', () => {
    expect(Object.keys(calls)).to.have.members(routes.map((route) => route.operationId));
    expect(Object.keys(operations)).to.have.members(Object.keys(calls));
  });

  for (const route of routes) {
    it(`sends a valid ${route.operationId} request`, async () => {
      const sent: Request[] = [];
      const client = new Scriptorium({
        baseUrl: 'http://service.test/',
        projectId: 'prj_1',
        apiKey: 'sk_1',
        maxRetries: 0,
        fetch: async (input, init) => {
          sent.push(new Request(input, init));
          return Response.json({ code: 'not_found', detail: 'Not here.' }, { status: 404 });
        },
      });
      const call = calls[route.operationId as OperationId];
      const error = await call(client).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).to.include({ status: 404, code: 'not_found', detail: 'Not here.' });
      expect(sent).to.have.length(1);
      const [request] = sent;
      const path = route.path
        .replace('{type}', member.resource_type)
        .replace('{rid}', member.resource_id)
        .replace('{name}', 'thumb')
        .replace('{n}', '1')
        .replaceAll(/\{\w+\}/g, id);
      expect(`${request!.method} ${new URL(request!.url).pathname}`).to.equal(
        `${route.method} ${path}`,
      );
      const { headers } = request!;
      expect(headers.get('authorization')).to.equal('Bearer sk_1');
      expect(headers.get('x-service-project-id')).to.equal('prj_1');
      const keyed = operations[route.operationId as OperationId].keyed;
      expect(headers.has('idempotency-key')).to.equal(keyed);
      const demands = route.kind === 'json' && route.precondition === 'required';
      expect(headers.get('if-match')).to.equal(demands ? '"1"' : null);
    });
  }
});
