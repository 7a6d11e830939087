import { isTerminal } from '@scriptorium/contracts/jobs';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { createCollectionClient, imageRef, objectRef } from './collections.ts';
import { eventually } from './eventually.ts';
import { hostileTexts } from './hostile-texts.ts';
import { quarteredPicture } from './pictures.ts';
import { addPolicy } from './policies.ts';
import type { Reviews } from './reviews.ts';
import { bornDigitalPdf } from './samples.ts';

/**
 * Every screen of the portal by its path, over a project in which every list has something, and names
 * that are hostile or as long as may be.
 */
export async function fillScreens(reviews: Reviews): Promise<readonly string[]> {
  const { api } = reviews;
  reviews.workers.start('imaging', 'webhooks');
  const allHostile = hostileTexts.slice(0, 5).join(' ');
  const longText = hostileTexts.at(-1)!;
  const requireSuccess = async (method: string, path: string, body: object) => {
    const response = await api.call(method, path, { body });
    if (response.status > 299)
      throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response.json;
  };
  const webhook = await requireSuccess('POST', '/v1/webhooks', {
    url: `http://127.0.0.1:9/closed?${longText}`,
    description: allHostile,
    event_types: ['documents.*', 'dam.*'],
    filter: { '/data/name': hostileTexts },
    headers: { 'X-Token': 'abc' },
    signing: ['v1', 'v1a'],
  });
  const failing = await requireSuccess('POST', '/v1/webhooks', {
    url: 'http://127.0.0.1:9/closed',
    event_types: ['documents.*', 'dam.*'],
  });
  for (const name of ['archive', `long-${'x'.repeat(90)}`]) {
    await requireSuccess('POST', '/v1/events/consumers', { name });
  }
  const pictures = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6, 7].map(async (at) => {
      const bytes = await quarteredPicture(160 + at * 20, 200 - at * 12)
        .toFormat('jpeg')
        .toBuffer();
      const objectId = await reviews.upload(bytes, `harbour-${at}.jpg`);
      return eventually(async () => {
        const { json } = await api.call('GET', `/v1/images?object_id=${objectId}`);
        return json.data[0]?.processing === false && (json.data[0].id as string);
      });
    }),
  );
  const letter = await reviews.upload(
    await bornDigitalPdf([
      ['Dear Mara Kleinhoevel,', 'write to mara@example.org or call +49 30 1234567.'],
      ['Yours sincerely,', 'Jonas Birkenfeld', 'jonas@example.org'],
    ]),
    'letter.pdf',
  );
  const notes = await reviews.upload(
    Buffer.from('# Notes\n\nThe quay closes at sunset.\n'),
    'notes.md',
  );
  const broken = await reviews.upload(Buffer.from('%PDF-1.7\nno pages'), 'broken.pdf');
  await requireSuccess('PATCH', `/v1/objects/${letter}`, { tags: ['letters'] });
  const title = `${hostileTexts[0]} ${longText}`;
  const metadata = { a: 1, [allHostile.slice(0, 60)]: allHostile };
  await requireSuccess('PATCH', `/v1/images/${pictures[1]}`, {
    title,
    metadata,
    tags: hostileTexts.slice(0, 4),
  });
  const longest = await reviews.upload('# Longest', `${'y'.repeat(100)}.md`);
  await requireSuccess('PATCH', `/v1/objects/${longest}`, {
    filename: `${allHostile} ${'y'.repeat(100)}.md`,
  });
  const letters = await reviews.upload(
    'Dear Mara Kleinhoevel,\nwrite to mara@example.org.\n',
    'dear.txt',
  );
  const trashed = await reviews.upload('Old', `${hostileTexts[0]}.txt`);
  await api.call('DELETE', `/v1/objects/${trashed}`);
  const collections = createCollectionClient(api);
  const members = [...pictures.map(imageRef), objectRef(letter)];
  const collection = await collections.make({ name: 'Harbour', description: 'All of it', members });
  const inner = await collections.make({
    name: allHostile,
    description: hostileTexts.join('\n'),
    parent_id: collection,
    members: pictures.slice(0, 2).map(imageRef),
  });
  await collections.make({ name: longText, parent_id: collection });
  const share = await requireSuccess('POST', '/v1/shares', {
    collection_id: collection,
    title: allHostile,
  });
  const policy = await addPolicy(api, {
    name: `Letters only redacted ${allHostile}`,
    mode: 'audit',
    scope: { type: 'tag', tags: ['letters'] },
    actions: ['download', 'sign'],
    rules: [{ type: 'require_redaction', entities: 'personal', fallback: 'serve_redacted' }],
  });
  await requireSuccess('POST', '/v1/retention-rules', {
    scope: { type: 'collection', collection_id: collection },
    rule: { type: 'delete_after', days: 30_000 },
  });
  await requireSuccess('POST', '/v1/members/invitations', {
    role: 'editor',
    name: hostileTexts[0],
  });
  for (const name of hostileTexts) {
    await requireSuccess('POST', '/v1/keys', {
      name: name.slice(0, 100),
      scopes: ['objects:read'],
    });
  }
  const key = await requireSuccess('POST', '/v1/keys', {
    name: allHostile.slice(0, 100),
    scopes: ['objects:read'],
  });
  await requireSuccess('POST', '/v1/documents/presets', {
    name: 'Incoming mail',
    operations: [{ op: 'classify' }],
  });
  const job = await reviews.run(letter, [{ op: 'ocr' }, { op: 'redact_pii' }, { op: 'classify' }]);
  const failed = await reviews.run(broken, [{ op: 'classify' }]);
  const review = await reviews.awaitReview(letter);
  const inText = await reviews.awaitReview(letters, { style: 'label' });
  const started = await requireSuccess('POST', '/v1/documents/packs', {
    name: `Board papers ${hostileTexts[0]}`,
    source: { object_ids: [letter, notes] },
  });
  await eventually(async () => {
    const { json } = await api.call('GET', `/v1/documents/packs/${started.id}`);
    return isTerminal(json.state);
  });
  const delivery = await eventually(async () => {
    const path = `/v1/webhooks/${failing.id}/deliveries?outcome=failed&limit=1`;
    return (await api.call('GET', path)).json.data[0]?.id as string | undefined;
  });
  const events: EventRecord[] = (await api.call('GET', '/v1/events?limit=1')).json.data;
  const records: EventRecord[] = (await api.call('GET', '/v1/events?category=audit&limit=1')).json
    .data;
  const output = job.outputs[0]!;
  return [
    '/',
    '/library',
    '/library?layout=list',
    '/library?q=letter',
    '/library?q=nothingatall',
    '/library/map',
    `/library/images/${pictures[0]}`,
    `/library/images/${pictures[1]}`,
    `/library/objects/${letter}`,
    `/library/objects/${notes}`,
    `/library/objects/${longest}`,
    '/collections',
    `/collections/${collection}`,
    `/collections/${inner}`,
    '/shares',
    `/shares/${share.id}`,
    '/trash',
    '/jobs',
    '/jobs/new',
    `/jobs/new?object=${letter}&op=redact_pii`,
    `/jobs/${job.id}`,
    `/jobs/${failed.id}`,
    `/jobs/${job.id}/pages/1`,
    `/jobs/${job.id}/outputs/${output.object_id}`,
    '/reviews',
    '/reviews/stats',
    `/reviews/${review.id}`,
    `/reviews/${inText.id}`,
    '/packs',
    `/packs/new?collection=${collection}`,
    `/packs/${started.id}`,
    '/events',
    `/events/${events[0]!.id}`,
    '/events/types',
    '/events/consumers',
    '/webhooks',
    '/webhooks/new',
    '/webhooks/playground',
    `/webhooks/${webhook.id}/settings`,
    `/webhooks/${webhook.id}/edit`,
    `/webhooks/${failing.id}`,
    `/webhooks/${failing.id}/stats`,
    `/webhooks/${failing.id}/deliveries/${delivery}`,
    '/audit',
    `/audit/${records[0]!.id}`,
    '/policies',
    '/policies/new',
    `/policies/${policy}`,
    `/policies/${policy}/edit`,
    '/members',
    '/project',
    '/keys',
    '/keys/new',
    `/keys/${key.id}`,
    '/account',
    '/nowhere',
  ];
}
