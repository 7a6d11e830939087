import { isTerminal } from '@scriptorium/contracts/jobs';
import type { EventRecord } from '@scriptorium/contracts/wire/events';
import { collectionsOf, imageRef, objectRef } from './collections.ts';
import { eventually } from './eventually.ts';
import { hostile } from './hostile.ts';
import { quartered } from './pictures.ts';
import { addPolicy } from './policies.ts';
import type { Reviews } from './reviews.ts';
import { bornDigitalPdf } from './samples.ts';

/**
 * Every screen of the portal by its path, over a project in which every list has something, and names
 * that are hostile or as long as may be.
 */
export async function fillScreens(on: Reviews): Promise<readonly string[]> {
  const { api } = on;
  on.workers.start('imaging', 'webhooks');
  const all = hostile.slice(0, 5).join(' ');
  const long = hostile.at(-1)!;
  const good = async (method: string, path: string, body: object) => {
    const answer = await api.call(method, path, { body });
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const webhook = await good('POST', '/v1/webhooks', {
    url: `http://127.0.0.1:9/closed?${long}`,
    description: all,
    event_types: ['documents.*', 'dam.*'],
    filter: { '/data/name': hostile },
    headers: { 'X-Token': 'abc' },
    signing: ['v1', 'v1a'],
  });
  const failing = await good('POST', '/v1/webhooks', {
    url: 'http://127.0.0.1:9/closed',
    event_types: ['documents.*', 'dam.*'],
  });
  for (const name of ['archive', `long-${'x'.repeat(90)}`]) {
    await good('POST', '/v1/events/consumers', { name });
  }
  const pictures = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6, 7].map(async (at) => {
      const bytes = await quartered(160 + at * 20, 200 - at * 12)
        .toFormat('jpeg')
        .toBuffer();
      const objectId = await on.upload(bytes, `harbour-${at}.jpg`);
      return eventually(async () => {
        const { json } = await api.call('GET', `/v1/images?object_id=${objectId}`);
        return json.data[0]?.processing === false && (json.data[0].id as string);
      });
    }),
  );
  const letter = await on.upload(
    await bornDigitalPdf([
      ['Dear Mara Kleinhoevel,', 'write to mara@example.org or call +49 30 1234567.'],
      ['Yours sincerely,', 'Jonas Birkenfeld', 'jonas@example.org'],
    ]),
    'letter.pdf',
  );
  const notes = await on.upload(Buffer.from('# Notes\n\nThe quay closes at sunset.\n'), 'notes.md');
  const broken = await on.upload(Buffer.from('%PDF-1.7\nno pages'), 'broken.pdf');
  await good('PATCH', `/v1/objects/${letter}`, { tags: ['letters'] });
  const title = `${hostile[0]} ${long}`;
  const metadata = { a: 1, [all.slice(0, 60)]: all };
  await good('PATCH', `/v1/images/${pictures[1]}`, { title, metadata, tags: hostile.slice(0, 4) });
  const longest = await on.upload('# Longest', `${'y'.repeat(100)}.md`);
  await good('PATCH', `/v1/objects/${longest}`, { filename: `${all} ${'y'.repeat(100)}.md` });
  const letters = await on.upload(
    'Dear Mara Kleinhoevel,\nwrite to mara@example.org.\n',
    'dear.txt',
  );
  const trashed = await on.upload('Old', `${hostile[0]}.txt`);
  await api.call('DELETE', `/v1/objects/${trashed}`);
  const collections = collectionsOf(api);
  const members = [...pictures.map(imageRef), objectRef(letter)];
  const collection = await collections.make({ name: 'Harbour', description: 'All of it', members });
  const inner = await collections.make({
    ...{ name: all, description: hostile.join('\n'), parent_id: collection },
    members: pictures.slice(0, 2).map(imageRef),
  });
  await collections.make({ name: long, parent_id: collection });
  await good('POST', '/v1/shares', { collection_id: collection, title: all });
  const policy = await addPolicy(api, {
    name: `Letters only redacted ${all}`,
    mode: 'audit',
    scope: { type: 'tag', tags: ['letters'] },
    actions: ['download', 'sign'],
    rules: [{ type: 'require_redaction', entities: 'personal', fallback: 'serve_redacted' }],
  });
  await good('POST', '/v1/members/invitations', { role: 'editor', name: hostile[0] });
  for (const name of hostile) {
    await good('POST', '/v1/keys', { name: name.slice(0, 100), scopes: ['objects:read'] });
  }
  const key = await good('POST', '/v1/keys', { name: all.slice(0, 100), scopes: ['objects:read'] });
  await good('POST', '/v1/documents/presets', {
    name: 'Incoming mail',
    operations: [{ op: 'classify' }],
  });
  const job = await on.run(letter, [{ op: 'ocr' }, { op: 'redact_pii' }, { op: 'classify' }]);
  const failed = await on.run(broken, [{ op: 'classify' }]);
  const review = await on.awaitReview(letter);
  const inText = await on.awaitReview(letters, { style: 'label' });
  const started = await good('POST', '/v1/documents/packs', {
    name: `Board papers ${hostile[0]}`,
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
    '/keys',
    '/keys/new',
    `/keys/${key.id}`,
    '/account',
    '/nowhere',
  ];
}
