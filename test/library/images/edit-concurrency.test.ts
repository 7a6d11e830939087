import { expect } from 'chai';
import { type ApiResponse, startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { eventsOf, type UploadedImage, uploadImage } from '../../support/images.ts';
import { createPick } from '../../support/random.ts';

const editors = 50;
const rounds = 10;
const imageCount = 24;
/** The first images are trashed and restored while they are edited. */
const restless = 4;

/** A 409 means that an image was in the trash, or that a filter then matched other images. */
const named = ['state_conflict', 'count_changed'];

describe('fifty concurrent editors of images', () => {
  let api: TestApi;
  let tenant: Tenant;
  let images: UploadedImage[];
  /** The number of responses by request and status. */
  const answers = new Map<string, number>();
  /** The final tags and metadata, by image. */
  const tags = new Map<string, Set<string>>();
  const metadata = new Map<string, Record<string, number>>();

  before(async () => {
    api = await startApi();
    tenant = await api.issue(['*'], { read: 1_000_000, write: 1_000_000 });
    images = [];
    for (let at = 0; at < imageCount; at++) {
      images.push(await uploadImage(api, `shared-${at}.png`, ['first']));
    }
    for (const { id } of images) {
      tags.set(id, new Set(['first']));
      metadata.set(id, {});
    }
  });
  after(() => api.close());

  const call = async (
    method: string,
    path: string,
    body: object | undefined,
    allowed: number[],
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> => {
    const answer = await api.call(method, path, { ...tenant, body, headers });
    const what = `${method} ${path.replace(/\/(img|obj)_\w+/, '/{$1}')} ${answer.status}`;
    answers.set(what, (answers.get(what) ?? 0) + 1);
    expect(allowed, answer.text).to.include(answer.status);
    if (answer.status === 409) expect(named).to.include(answer.json.code);
    return answer;
  };

  /** Adds a tag to images, or removes it if the editor's last edit added it. */
  async function edit(editor: number, round: number, pick: (below: number) => number) {
    const tag = `editor-${editor}`;
    const chosen = [...new Set(Array.from({ length: 1 + pick(5) }, () => pick(imageCount)))].map(
      (at) => images[at]!,
    );
    const patchOf = (id: string) =>
      tags.get(id)?.has(tag) ? { remove_tags: [tag] } : { add_tags: [tag] };
    const done = (id: string, patch: ReturnType<typeof patchOf>): void => {
      if ('add_tags' in patch) tags.get(id)?.add(tag);
      else tags.get(id)?.delete(tag);
    };
    const [one] = chosen;
    switch (pick(7)) {
      case 0: {
        const patch = patchOf(one!.id);
        const body = { id: one!.id, ...patch };
        const answer = await call('PATCH', '/v1/images', body, [200, 409]);
        if (answer.status === 200) done(one!.id, patch);
        return;
      }
      case 1: {
        const patch = patchOf(one!.id);
        const answer = await call('PATCH', `/v1/images/${one!.id}`, patch, [200, 409]);
        if (answer.status === 200) done(one!.id, patch);
        return;
      }
      case 2: {
        const patch = patchOf(one!.id);
        const alike = chosen.filter(({ id }) => 'add_tags' in patchOf(id) === 'add_tags' in patch);
        const ids = alike.map(({ id }) => id);
        const answer = await call('PATCH', '/v1/images', { ids, patch }, [200, 409]);
        if (answer.status === 200) for (const id of ids) done(id, patch);
        return;
      }
      case 3: {
        const updates = chosen.map(({ id }) => ({ id, patch: patchOf(id) }));
        const body = { updates, on_error: 'continue' };
        const answer = await call('PATCH', '/v1/images', body, [200]);
        for (const [at, { id, outcome, problem }] of answer.json.results.entries()) {
          if (outcome === 'failed') expect(problem.code).to.equal('state_conflict');
          else done(id, updates[at]!.patch);
        }
        return;
      }
      case 4: {
        const marked = images.filter(({ id }) => tags.get(id)?.has(tag));
        const body = {
          filter: { tag: [tag] },
          expected_count: marked.length,
          patch: { remove_tags: [tag] },
        };
        const answer = await call('PATCH', '/v1/images', body, [200, 409]);
        if (answer.status === 200) for (const { id } of marked) tags.get(id)?.delete(tag);
        return;
      }
      case 5: {
        // Metadata through the object, merged: no member gets lost.
        const body = { metadata: { [tag]: round } };
        const answer = await call('PATCH', `/v1/objects/${one!.objectId}`, body, [200, 409]);
        if (answer.status === 200) metadata.get(one!.id)![tag] = round;
        return;
      }
      default: {
        // All tags through the object, as they were read: If-Match protects concurrent changes.
        const path = `/v1/objects/${one!.objectId}`;
        const patch = patchOf(one!.id);
        const read = await call('GET', path, undefined, [200]);
        const before: string[] = read.json.tags;
        const body = {
          tags: 'add_tags' in patch ? [...before, tag] : before.filter((other) => other !== tag),
        };
        const headers = { 'if-match': read.headers.get('etag') ?? '' };
        const answer = await call('PATCH', path, body, [200, 409, 412], headers);
        if (answer.status === 200) done(one!.id, patch);
      }
    }
  }

  /** Trashes and restores an image through either of its resources. */
  async function comeAndGo(pick: (below: number) => number) {
    const { id, objectId } = images[pick(restless)]!;
    const path = (): string => (pick(2) ? `/v1/images/${id}` : `/v1/objects/${objectId}`);
    await call('DELETE', path(), undefined, [204]);
    await call('POST', `${path()}/restore`, {}, [200, 409]);
  }

  it('lose no change and get no undocumented error', async () => {
    await Promise.all(
      Array.from({ length: editors }, async (_, editor) => {
        const pick = createPick(editor + 1);
        for (let round = 0; round < rounds; round++) {
          if (editor % 5 === 0 && round % 2 === 0) await comeAndGo(pick);
          else await edit(editor, round, pick);
        }
      }),
    );
    for (const { id } of images.slice(0, restless)) {
      await call('POST', `/v1/images/${id}/restore`, {}, [200, 409]);
    }
    for (const { id, objectId } of images) {
      const image = (await api.call('GET', `/v1/images/${id}`)).json;
      const object = (await api.call('GET', `/v1/objects/${objectId}`)).json;
      expect(image.state).to.equal('available');
      expect(image.tags).to.have.members([...tags.get(id)!]);
      expect(object.tags).to.deep.equal(image.tags);
      expect(image.metadata).to.deep.equal(metadata.get(id));
    }
    const [database] = await api.rows<{ deadlocks: number }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(database!.deadlocks, 'no deadlock was hidden by a retry').to.equal(0);
    // Every kind of edit occurred and succeeded.
    const seen = [...answers.keys()];
    for (const what of ['PATCH /v1/images', 'PATCH /v1/images/{img}', 'PATCH /v1/objects/{obj}']) {
      expect(seen).to.include(`${what} 200`);
    }
  });

  it('leave events with each image’s tag changes in order', async () => {
    for (const { id } of images) {
      const told = new Set<string>();
      let trashed = false;
      for (const { type, data } of await eventsOf(api, id)) {
        if (type === 'dam.image.trashed' || type === 'dam.image.restored') {
          expect(trashed).to.equal(type === 'dam.image.restored');
          trashed = type === 'dam.image.trashed';
        }
        if (type !== 'dam.image.tags_changed') continue;
        expect(trashed, 'nothing changes in the trash').to.equal(false);
        const { added, removed } = data as { added: string[]; removed: string[] };
        for (const tag of removed) expect(told.delete(tag)).to.equal(true);
        for (const tag of added) {
          expect(told.has(tag)).to.equal(false);
          told.add(tag);
        }
      }
      expect([...told]).to.have.members([...tags.get(id)!]);
    }
  });
});
