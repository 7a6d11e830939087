import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { eventsOf, type UploadedImage, uploadImage } from '../../support/images.ts';
import { postRaw } from '../../support/uploads.ts';

describe('an image and its object', () => {
  let api: TestApi;
  let pair: UploadedImage;
  let made = 0;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  beforeEach(async () => {
    made += 1;
    pair = await uploadImage(api, `picture-${made}.png`, ['first']);
  });

  const image = (): Promise<ApiResponse> => api.call('GET', `/v1/images/${pair.id}`);
  const object = (): Promise<ApiResponse> => api.call('GET', `/v1/objects/${pair.objectId}`);
  /** The changes and events of both since `before`. */
  const news = async (from: number) =>
    (await eventsOf(api, pair.id, pair.objectId))
      .slice(from)
      .map(({ type, data }) => ({ type, data }));
  const told = async (): Promise<number> => (await eventsOf(api, pair.id, pair.objectId)).length;

  it('share tags and metadata, whichever is changed', async () => {
    const from = await told();
    const first = await image();
    const changed = await api.call('PATCH', `/v1/images/${pair.id}`, {
      body: {
        title: 'Harbour',
        alt_text: 'Boats at night',
        add_tags: [' Boats ', 'first'],
        remove_tags: ['never'],
        metadata: { shelf: { row: 1, box: 2 } },
      },
      headers: { 'if-match': first.headers.get('etag') ?? '', 'x-request-id': 'edit-1' },
    });
    expect(changed.status, changed.text).to.equal(200);
    expect(changed.json).to.deep.include({
      title: 'Harbour',
      alt_text: 'Boats at night',
      description: null,
      tags: ['first', 'Boats'],
      metadata: { shelf: { row: 1, box: 2 } },
      version: first.json.version + 1,
    });
    expect(changed.json).to.deep.equal((await image()).json);
    expect((await object()).json).to.deep.include({
      tags: ['first', 'Boats'],
      metadata: { shelf: { row: 1, box: 2 } },
    });
    expect(await news(from)).to.deep.equal([
      { type: 'dam.object.updated', data: { changed: ['tags', 'metadata'] } },
      { type: 'dam.image.updated', data: { changed: ['metadata', 'title', 'alt_text'] } },
      { type: 'dam.image.tags_changed', data: { added: ['Boats'], removed: [] } },
    ]);
    for (const event of (await eventsOf(api, pair.id, pair.objectId)).slice(from)) {
      expect(event).to.deep.include({
        actor_type: 'api_key',
        actor_id: api.keyId,
        address: '127.0.0.1',
        request_id: 'edit-1',
      });
    }

    const before = await image();
    const second = await api.call('PATCH', `/v1/objects/${pair.objectId}`, {
      body: { tags: ['Boats', 'new'], filename: 'renamed.png', metadata: { shelf: { box: null } } },
    });
    expect(second.status, second.text).to.equal(200);
    const after = await image();
    expect(after.json).to.deep.include({
      tags: ['Boats', 'new'],
      filename: 'renamed.png',
      metadata: { shelf: { row: 1 } },
      title: 'Harbour',
    });
    expect(after.headers.get('etag')).not.to.equal(before.headers.get('etag'));
    expect(await news(from + 3)).to.deep.equal([
      { type: 'dam.object.updated', data: { changed: ['filename', 'tags', 'metadata'] } },
      { type: 'dam.image.updated', data: { changed: ['filename', 'metadata'] } },
      { type: 'dam.image.tags_changed', data: { added: ['new'], removed: ['first'] } },
    ]);
  });

  it('record no event if nothing changes', async () => {
    await api.call('PATCH', `/v1/images/${pair.id}`, { body: { title: 'x', metadata: { a: 1 } } });
    const before = await image();
    const from = await told();
    for (const body of [
      {},
      { title: 'x' },
      { tags: ['first'] },
      { add_tags: ['first'], remove_tags: ['absent'] },
      { metadata: { a: 1, b: null } },
      { rating: null, description: null },
    ]) {
      const answer = await api.call('PATCH', `/v1/images/${pair.id}`, { body });
      expect([answer.status, answer.json]).to.deep.equal([200, before.json]);
    }
    expect(await told()).to.equal(from);
  });

  it('report fields set to null and reordered tags as updated', async () => {
    await api.call('PATCH', `/v1/images/${pair.id}`, {
      body: { description: 'd', rating: 5, add_tags: ['second'] },
    });
    const from = await told();
    const answer = await api.call('PATCH', `/v1/images/${pair.id}`, {
      body: { description: null, rating: null, tags: ['second', 'first'] },
    });
    expect(answer.json).to.deep.include({
      description: null,
      rating: null,
      tags: ['second', 'first'],
    });
    expect(await news(from)).to.deep.equal([
      { type: 'dam.object.updated', data: { changed: ['tags'] } },
      { type: 'dam.image.updated', data: { changed: ['tags', 'description', 'rating'] } },
    ]);
    await api.call('PATCH', `/v1/images/${pair.id}`, { body: { tags: null } });
    expect((await image()).json.tags).to.deep.equal([]);
  });

  it('are trashed and restored together, through either resource', async () => {
    const paths = [`/v1/images/${pair.id}`, `/v1/objects/${pair.objectId}`];
    for (const [at, path] of paths.entries()) {
      const from = await told();
      const before = await image();
      expect((await api.call('DELETE', path)).status).to.equal(204);
      // Again: it is already in the trash.
      expect((await api.call('DELETE', paths[1 - at]!)).status).to.equal(204);
      const trashed = await image();
      expect([trashed.status, trashed.json.state]).to.deep.equal([200, 'trashed']);
      expect((await object()).json.state).to.equal('trashed');
      expect(trashed.headers.get('etag')).not.to.equal(before.headers.get('etag'));

      for (const target of paths) {
        const answer = await api.call('PATCH', target, { body: { tags: ['x'] } });
        expect([answer.status, answer.json.code]).to.deep.equal([409, 'state_conflict']);
      }
      // Validation errors come before state conflicts.
      const both = await api.call('PATCH', paths[0]!, { body: { add_tags: [' '] } });
      expect(both.status).to.equal(422);

      const restored = await api.call('POST', `${path}/restore`);
      expect([restored.status, restored.json.state]).to.deep.equal([200, 'available']);
      const again = await api.call('POST', `${paths[1 - at]}/restore`);
      expect([again.status, again.json.code]).to.deep.equal([409, 'state_conflict']);
      expect((await image()).json.state).to.equal('available');
      expect(await news(from)).to.deep.equal([
        { type: 'dam.object.trashed', data: {} },
        { type: 'dam.image.trashed', data: {} },
        { type: 'dam.object.restored', data: {} },
        { type: 'dam.image.restored', data: {} },
      ]);
    }
  });

  it('return a restored image in its new state', async () => {
    await api.call('DELETE', `/v1/images/${pair.id}`);
    const restored = await api.call('POST', `/v1/images/${pair.id}/restore`);
    const now = await image();
    expect(restored.json).to.deep.equal(now.json);
    expect(restored.headers.get('etag')).to.equal(now.headers.get('etag'));
  });

  it('honour If-Match, which a change of the other half invalidates', async () => {
    const stale = (await image()).headers.get('etag') ?? '';
    await api.call('PATCH', `/v1/objects/${pair.objectId}`, { body: { metadata: { a: 1 } } });
    const headers = { 'if-match': stale };
    for (const [method, path, body] of [
      ['PATCH', `/v1/images/${pair.id}`, { title: 'x' }],
      ['DELETE', `/v1/images/${pair.id}`, undefined],
      ['POST', `/v1/images/${pair.id}/restore`, {}],
    ] as const) {
      const answer = await api.call(method, path, { headers, body });
      expect([answer.status, answer.json.code], method).to.deep.equal([412, 'etag_mismatch']);
    }
    expect((await image()).json).to.deep.include({ title: null, state: 'available' });
  });

  it('record no image events for an object that is not an image', async () => {
    const { json } = await postRaw(api, 'plain', `plain-${made}.txt`);
    await api.call('PATCH', `/v1/objects/${json.id}`, { body: { tags: ['a'] } });
    await api.call('DELETE', `/v1/objects/${json.id}`);
    await api.call('POST', `/v1/objects/${json.id}/restore`);
    const types = (await eventsOf(api, json.id)).map(({ type }) => type);
    expect(types.slice(-3)).to.deep.equal([
      'dam.object.updated',
      'dam.object.trashed',
      'dam.object.restored',
    ]);
    const [count] = await api.rows<{ n: number }>(
      `SELECT count(*) AS n FROM event WHERE type LIKE 'dam.image.%' AND data ->> 'object_id' = $1`,
      [json.id],
    );
    expect(count!.n).to.equal(0);
  });

  it('report all faults in a patch at once and apply none of it', async () => {
    const before = await image();
    const many = Array.from({ length: 100 }, (_, at) => `t${at}`);
    for (const [body, wanted] of [
      [
        { tags: ['a'], add_tags: ['b'], remove_tags: [] },
        [
          ['/add_tags', 'conflicting_field'],
          ['/remove_tags', 'conflicting_field'],
        ],
      ],
      [
        { add_tags: ['a', ' ', 'a\nb'], remove_tags: ['ﬁ', 'a'] },
        [
          ['/add_tags/1', 'too_short'],
          ['/add_tags/2', 'control_character'],
          ['/remove_tags/1', 'conflicting_tag'],
        ],
      ],
      [{ add_tags: many }, [['/add_tags', 'too_many']]],
      [{ title: 'ok', metadata: { a: 'x'.repeat(17_000) } }, [['/metadata', 'too_large']]],
      [
        { rating: 6, title: 'x'.repeat(501) },
        [
          ['/title', 'too_long'],
          ['/rating', 'too_large'],
        ],
      ],
    ] as const) {
      const answer = await api.call('PATCH', `/v1/images/${pair.id}`, { body });
      expect(answer.status, answer.text).to.equal(422);
      const told = answer.json.errors.map((e: { pointer: string; code: string }) => [
        e.pointer,
        e.code,
      ]);
      expect(told).to.have.deep.members([...wanted]);
    }
    expect((await image()).json).to.deep.equal(before.json);
    // With one tag removed, a hundred fit.
    const full = await api.call('PATCH', `/v1/images/${pair.id}`, {
      body: { add_tags: many, remove_tags: ['first'] },
    });
    expect(full.json.tags).to.deep.equal(many);
  });

  it('return the same error for another project’s image and for a missing one', async () => {
    const absent = newId('image');
    const theirs = await uploadImage(api, 'theirs.png', [], api.other);
    for (const [method, suffix] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/restore'],
    ] as const) {
      const answers = await Promise.all(
        [absent, theirs.id].map((id) =>
          api.call(method, `/v1/images/${id}${suffix}`, {
            headers: { 'x-request-id': 'same' },
            ...(method === 'DELETE' ? {} : { body: {} }),
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404]);
      expect(answers[0]!.text.replaceAll(absent, 'ID')).to.equal(
        answers[1]!.text.replaceAll(theirs.id, 'ID'),
      );
    }
  });
});
