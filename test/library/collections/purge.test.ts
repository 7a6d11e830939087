import type { TaskKind } from '@scriptorium/contracts/work/tasks';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { purgeCollection } from '../../../src/library/collections/purge.ts';
import { purgeObject } from '../../../src/library/objects/ending/purge.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { createCollectionClient, imageRef, objectRef } from '../../support/collections.ts';
import { eventsOf, uploadImage } from '../../support/images.ts';
import { takeTask } from '../../support/tasks.ts';

describe('purging from the trash', () => {
  let api: TestApi;
  let worker: Database;
  let collections: ReturnType<typeof createCollectionClient>;
  before(async () => {
    api = await startApi();
    worker = await openDatabase(api.database.workerUrl, { poolSize: 2 });
    collections = createCollectionClient(api);
  });
  after(async () => {
    await worker.destroy();
    await api.close();
  });

  const age = (table: 'object' | 'collection', id: string) => {
    const key = table === 'object' ? 'id' : 'trashed_with';
    return api.rows(
      `UPDATE ${table} SET trashed_at = trashed_at - interval '30 days' WHERE ${key} = $1`,
      [id],
    );
  };
  const take = async <K extends TaskKind>(kind: K, resourceId: string) => {
    const [task] = await api.rows<{ id: string }>(
      'SELECT id FROM task WHERE kind = $1 AND resource_id = $2 ORDER BY id DESC LIMIT 1',
      [kind, resourceId],
    );
    return takeTask<K>(worker, task!.id);
  };
  const endCollection = async (id: string) =>
    purgeCollection({}, await take('collection.purge', id));
  const told = async (id: string, from: number) =>
    (await eventsOf(api, id)).slice(from).map(({ type, data, actor_type }) => ({
      type,
      data,
      actor_type,
    }));

  it('ends the memberships of a resource, each with an event, and clears covers', async () => {
    const image = await uploadImage(api, 'ends.png');
    const stays = await uploadImage(api, 'stays.png');
    const members = [imageRef(image.id), imageRef(stays.id), objectRef(image.objectId)];
    const id = await collections.make({ members, cover: image.id });
    const covered = await collections.make({ cover: image.id });
    const trashed = await collections.make({ members: [imageRef(image.id)] });
    await collections.trash(trashed);
    await api.call('DELETE', `/v1/images/${image.id}`);
    await age('object', image.objectId);
    const before = await collections.get(id);
    await purgeObject({}, await take('object.purge', image.objectId));
    const after = await collections.get(id);
    expect(after).to.deep.include({ member_count: 1, cover: null });
    expect(after.version).to.be.greaterThan(before.version);
    expect(await collections.memberIds(id)).to.deep.equal([stays.id]);
    const removed = (ref: object) => ({
      type: 'dam.collection_member.removed',
      data: { ...ref, reason: 'purged' },
      actor_type: 'system',
    });
    const updated = {
      type: 'dam.collection.updated',
      data: { changed: ['cover'] },
      actor_type: 'system',
    };
    expect(await told(id, 4)).to.deep.equal([
      removed(imageRef(image.id)),
      removed(objectRef(image.objectId)),
      updated,
    ]);
    expect(await told(covered, 1)).to.deep.equal([updated]);
    expect(await told(trashed, 3)).to.deep.equal([removed(imageRef(image.id))]);
    const left = await api.rows('SELECT FROM collection_member WHERE resource_id = ANY($1)', [
      [image.id, image.objectId],
    ]);
    expect(left).to.deep.equal([]);
  });

  it('ends a collection with all that was trashed with it, but none of its members', async () => {
    const image = await uploadImage(api, 'held.png');
    const top = await collections.make({ members: [imageRef(image.id)] });
    const below = await collections.make({ parent_id: top, members: [imageRef(image.id)] });
    const apart = await collections.make({ parent_id: below });
    await collections.trash(apart);
    await collections.trash(top);
    await age('collection', top);
    await endCollection(top);
    for (const id of [top, below]) {
      expect((await api.call('GET', `/v1/collections/${id}`)).status).to.equal(404);
      const events = await eventsOf(api, id);
      expect(events.at(-1)).to.include({ type: 'dam.collection.purged', actor_type: 'system' });
      expect(events.filter(({ type }) => type.endsWith('removed'))).to.deep.equal([]);
    }
    expect((await api.call('GET', `/v1/images/${image.id}`)).json.state).to.equal('available');
    expect(
      await api.rows('SELECT FROM collection_member WHERE resource_id = $1', [image.id]),
    ).to.deep.equal([]);
    // A collection that was trashed separately is kept and is restored without a parent.
    const back = await collections.restore(apart);
    expect([back.status, back.json.parent_id]).to.deep.equal([200, null]);
  });

  it('skips resources that were restored or trashed again since', async () => {
    const restored = await collections.make({});
    await collections.trash(restored);
    await collections.restore(restored);
    await endCollection(restored);
    expect((await collections.get(restored)).state).to.equal('available');
    const again = await collections.make({});
    await collections.trash(again);
    await collections.restore(again);
    await collections.trash(again);
    await endCollection(again);
    expect((await collections.get(again)).state).to.equal('trashed');
  });
});
