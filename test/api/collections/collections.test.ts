import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import {
  createCollectionClient,
  faultsOf,
  imageRef,
  objectRef,
} from '../../support/collections.ts';
import { eventsOf, type UploadedImage, uploadImage } from '../../support/images.ts';

describe('collections', () => {
  let api: TestApi;
  let collections: ReturnType<typeof createCollectionClient>;
  let image: UploadedImage;
  before(async () => {
    api = await startApi();
    collections = createCollectionClient(api);
    image = await uploadImage(api, 'harbour.png');
  });
  after(() => api.close());
  const typesOf = async (id: string): Promise<string[]> =>
    (await eventsOf(api, id)).map(({ type }) => type);

  it('are created and returned with all their fields', async () => {
    const parent = await collections.make({ name: 'Ports' });
    const answer = await collections.create({
      name: '  Harbour ',
      description: 'Boats and cranes',
      parent_id: parent,
      cover: image.id,
      tags: ['sea', ' sea ', 'blue'],
      metadata: { season: 'summer' },
      members: [objectRef(image.objectId), imageRef(image.id), imageRef(image.id)],
    });
    expect(answer.status).to.equal(201);
    const { id } = answer.json;
    expect(answer.headers.get('location')).to.equal(`/v1/collections/${id}`);
    expect(answer.headers.get('etag')).to.equal(`"${answer.json.version}"`);
    expect(answer.json).to.deep.include({
      project_id: api.projectId,
      state: 'available',
      name: 'Harbour',
      description: 'Boats and cranes',
      kind: 'manual',
      query: null,
      parent_id: parent,
      path: [
        { id: parent, name: 'Ports' },
        { id, name: 'Harbour' },
      ],
      cover: image.id,
      tags: ['sea', 'blue'],
      metadata: { season: 'summer' },
      member_count: 2,
    });
    expect(await collections.get(id)).to.deep.equal(answer.json);
    expect(await collections.memberIds(id)).to.deep.equal([image.objectId, image.id]);
    const events = await eventsOf(api, id);
    expect(events.map(({ type, data }) => ({ type, data }))).to.deep.equal([
      {
        type: 'dam.collection.created',
        data: { name: 'Harbour', kind: 'manual', parent_id: parent },
      },
      { type: 'dam.collection_member.added', data: objectRef(image.objectId) },
      { type: 'dam.collection_member.added', data: imageRef(image.id) },
    ]);
    expect(events.every((event) => event.actor_id === api.keyId && event.request_id)).to.equal(
      true,
    );
  });

  it('report all faults of a body at once', async () => {
    const answer = await collections.create({
      name: ' ',
      tags: ['a\u0007'],
      query: { min_width: 3, max_width: 2 },
      metadata: { text: 'x'.repeat(17 * 1024) },
    });
    expect(answer.status).to.equal(422);
    expect(faultsOf(answer)).to.have.members([
      '/name too_short',
      '/tags/0 control_character',
      '/metadata too_large',
      '/query not_allowed',
      '/query/min_width empty_range',
      '/query/max_width empty_range',
    ]);
    const missing = await collections.create({ kind: 'smart', members: [{ resource_type: 'x' }] });
    expect(faultsOf(missing)).to.include.members([
      '/name required',
      '/members/0/resource_type not_allowed',
    ]);
  });

  for (const [what, body, status, fault] of [
    ['a smart one without a query', { kind: 'smart' }, 422, '/query required'],
    [
      'a smart one with members',
      { kind: 'smart', query: {}, members: [] },
      422,
      '/members not_allowed',
    ],
    [
      'an unknown filter',
      { kind: 'smart', query: { surprise: 1 } },
      422,
      '/query/surprise unknown_field',
    ],
    [
      'a query for too many words',
      { kind: 'smart', query: { q: 's '.repeat(33) } },
      422,
      '/query/q too_many_words',
    ],
    [
      'a query for too many tags',
      { kind: 'smart', query: { tag: [`${'a,'.repeat(200)}b`] } },
      422,
      '/query/tag too_many_tags',
    ],
    ['a query for no words', { kind: 'smart', query: { q: '"' } }, 422, '/query/q no_words'],
    [
      'a cover of another kind',
      { cover: 'obj_00000000000000000000000000' },
      422,
      '/cover id_prefix_mismatch',
    ],
    [
      'a cover that is not there',
      { cover: 'img_00000000000000000000000000' },
      422,
      '/cover reference_not_found',
    ],
    [
      'a parent that is not there',
      { parent_id: 'col_00000000000000000000000000' },
      422,
      '/parent_id reference_not_found',
    ],
    [
      'a member of another kind',
      { members: [{ resource_type: 'image', resource_id: 'obj_00000000000000000000000000' }] },
      422,
      '/members/0/resource_id id_prefix_mismatch',
    ],
    [
      'a member that is not there',
      { members: [{ resource_type: 'object', resource_id: 'obj_00000000000000000000000000' }] },
      422,
      '/members/0/resource_id reference_not_found',
    ],
    ['a name that is too long', { name: 'x'.repeat(501) }, 422, '/name too_long'],
    ['a version', { version: 3 }, 422, '/version unknown_field'],
  ] as const) {
    it(`reject ${what}`, async () => {
      const before = (await api.rows('SELECT FROM collection')).length;
      const answer = await collections.create({ name: 'Harbour', ...body });
      expect([answer.status, ...faultsOf(answer)], answer.text).to.deep.equal([status, fault]);
      expect(await api.rows('SELECT FROM collection')).to.have.length(before);
    });
  }

  it('are created once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await collections.create({ name: 'Once' }, { headers });
    const second = await collections.create({ name: 'Once' }, { headers });
    expect(second.text).to.equal(first.text);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
  });

  it('change by a merge patch, with one event and one version', async () => {
    const id = await collections.make({
      description: 'x',
      tags: ['a'],
      metadata: { a: 1, b: { c: 2 } },
    });
    const answer = await collections.patch(id, {
      name: 'Port',
      description: null,
      tags: null,
      cover: image.id,
      metadata: { a: null, b: { d: 3 } },
    });
    expect(answer.status).to.equal(200);
    expect(answer.json).to.deep.include({
      name: 'Port',
      description: null,
      tags: [],
      cover: image.id,
      metadata: { b: { c: 2, d: 3 } },
      version: 2,
    });
    const [, updated] = await eventsOf(api, id);
    expect(updated!.data).to.deep.equal({
      changed: ['name', 'description', 'cover', 'tags', 'metadata'],
    });
    expect((await collections.patch(id, { cover: null })).json.cover).to.equal(null);
  });

  it('stay unchanged after a patch that changes nothing', async () => {
    const id = await collections.make({ tags: ['a'] });
    const answer = await collections.patch(id, { name: 'Harbour', tags: ['a'], metadata: {} });
    expect([answer.status, answer.json.version]).to.deep.equal([200, 1]);
    expect(await typesOf(id)).to.deep.equal(['dam.collection.created']);
  });

  it('keep their kind, and a manual one has no query', async () => {
    const id = await collections.make({});
    expect(faultsOf(await collections.patch(id, { kind: 'smart' }))).to.deep.equal([
      '/kind unknown_field',
    ]);
    expect(faultsOf(await collections.patch(id, { query: { q: 'boat' } }))).to.deep.equal([
      '/query not_allowed',
    ]);
  });

  it('honour If-Match everywhere, and If-None-Match', async () => {
    const id = await collections.make({});
    const stale = { headers: { 'if-match': '"9"' } };
    for (const answer of [
      await collections.patch(id, { name: 'x' }, stale),
      await collections.trash(id, stale),
      await collections.add(id, imageRef(image.id), stale),
      await collections.batch(id, { add: [imageRef(image.id)] }, stale),
    ]) {
      expect([answer.status, answer.json.code]).to.deep.equal([412, 'etag_mismatch']);
    }
    const good = await collections.patch(id, { name: 'x' }, { headers: { 'if-match': '"1"' } });
    expect(good.headers.get('etag')).to.equal('"2"');
    const known = await api.call('GET', `/v1/collections/${id}`, {
      headers: { 'if-none-match': '"2"' },
    });
    expect(known.status).to.equal(304);
  });

  it('accept one of two concurrent changes with the same ETag', async () => {
    const id = await collections.make({});
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        collections.patch(id, { name }, { headers: { 'if-match': '"1"' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412]);
  });

  describe('listed', () => {
    const made: Record<string, string> = {};
    const named = async (search: string): Promise<string> => {
      const answer = await api.call('GET', `/v1/collections?${search}`, api.other);
      expect(answer.status, answer.text).to.equal(200);
      return answer.json.data.map((one: { name: string }) => one.name).join(' ');
    };
    before(async () => {
      const make = async (name: string, more: object = {}): Promise<void> => {
        const body = { name, ...more };
        const answer = await api.call('POST', '/v1/collections', { ...api.other, body });
        made[name] = answer.json.id;
      };
      await make('delta', { tags: ['x', 'y'] });
      await make('Alpha', { tags: ['x'] });
      await make('charlie', { kind: 'smart', query: { q: 'boat' } });
      await make('beta_1%', { parent_id: made.delta });
      await make('gone');
      await api.call('DELETE', `/v1/collections/${made.gone}`, api.other);
    });

    for (const [search, wanted] of [
      ['', 'beta_1% charlie Alpha delta'],
      ['sort=created_at', 'delta Alpha charlie beta_1%'],
      ['state=trashed', 'gone'],
      ['kind=smart', 'charlie'],
      ['kind=manual', 'beta_1% Alpha delta'],
      ['parent_id=root', 'charlie Alpha delta'],
      ['tag=x', 'Alpha delta'],
      ['tag=x&tag=-y', 'Alpha'],
      ['q=ALPH', 'Alpha'],
      ['q=_', 'beta_1%'],
      ['q=%25', 'beta_1%'],
      ['q=gone', ''],
    ] as const) {
      it(`with ?${search} are ${wanted || 'empty'}`, async () => {
        expect(await named(search)).to.equal(wanted);
      });
    }

    it('include only the children of a parent', async () => {
      expect(await named(`parent_id=${made.delta}`)).to.equal('beta_1%');
      expect(await named(`parent_id=${made.Alpha}`)).to.equal('');
    });

    it('are paged in every sort order, with the total', async () => {
      for (const sort of ['created_at', '-created_at', 'name', '-name']) {
        const whole = (await named(`sort=${sort}`)).split(' ');
        const paged: string[] = [];
        let cursor = '';
        do {
          const answer = await api.call(
            'GET',
            `/v1/collections?limit=1&include=total&sort=${sort}${cursor}`,
            api.other,
          );
          expect(answer.json.total).to.equal(4);
          paged.push(...answer.json.data.map((one: { name: string }) => one.name));
          cursor = answer.json.next_cursor ? `&cursor=${answer.json.next_cursor}` : '';
        } while (cursor);
        expect(paged, sort).to.deep.equal(whole);
      }
    });

    it('omit the count of a smart collection', async () => {
      const answer = await api.call('GET', '/v1/collections?sort=name', api.other);
      const counts = answer.json.data.map(
        (one: { member_count: number | null }) => one.member_count,
      );
      expect(counts.filter((count: number | null) => count === null)).to.have.length(1);
    });

    for (const [search, fault] of [
      ['resource_type=image', 'resource_id required'],
      ['resource_id=img_00000000000000000000000000', 'resource_type required'],
      [
        'resource_type=image&resource_id=obj_00000000000000000000000000',
        'resource_id id_prefix_mismatch',
      ],
      ['parent_id=nonsense', 'parent_id id_prefix_mismatch'],
      ['tag=', 'tag too_short'],
      ['tag=a,,b', 'tag empty_tag'],
    ] as const) {
      it(`with ?${search} return 400`, async () => {
        const answer = await collections.list(`?${search}`);
        expect([answer.status, answer.json.code]).to.deep.equal([400, 'invalid_parameter']);
        expect(faultsOf(answer)).to.include(fault);
      });
    }
  });

  describe('as a tree', () => {
    const chain = async (length: number, top: string | null = null): Promise<string[]> => {
      const ids: string[] = [];
      for (let at = 0; at < length; at++) {
        ids.push(await collections.make({ name: `level ${at + 1}`, parent_id: ids.at(-1) ?? top }));
      }
      return ids;
    };

    it(`are nested up to ${limits.collection_nesting} levels`, async () => {
      const ids = await chain(limits.collection_nesting);
      expect(
        (await collections.get(ids.at(-1)!)).path.map(({ id }: { id: string }) => id),
      ).to.deep.equal(ids);
      const deeper = await collections.create({ name: 'x', parent_id: ids.at(-1) });
      expect([deeper.status, deeper.json.code, deeper.json.limit]).to.deep.equal([
        409,
        'collection_cycle',
        8,
      ]);
    });

    it('move only where the whole branch fits, and never into themselves', async () => {
      const long = await chain(6);
      const short = await chain(3);
      const refuse = async (id: string, parentId: string): Promise<void> => {
        const answer = await collections.patch(id, { parent_id: parentId });
        expect([answer.status, answer.json.code], answer.text).to.deep.equal([
          409,
          'collection_cycle',
        ]);
      };
      await refuse(short[0]!, long[5]!);
      await refuse(long[0]!, long[0]!);
      await refuse(long[0]!, long[5]!);
      const moved = await collections.patch(short[0]!, { parent_id: long[4] });
      expect(moved.status, moved.text).to.equal(200);
      expect((await collections.get(short[2]!)).path).to.have.length(8);
      const back = await collections.patch(short[0]!, { parent_id: null });
      expect(back.json.path).to.have.length(1);
    });

    it('raise the version of all whose path changes, with an event each', async () => {
      const [top, middle, bottom] = await chain(3);
      const before = await collections.get(bottom!);
      await collections.patch(top!, { name: 'Renamed' });
      const after = await collections.get(bottom!);
      expect(after.path[0].name).to.equal('Renamed');
      expect(after.version).to.equal(before.version + 1);
      for (const id of [middle!, bottom!]) {
        const events = await eventsOf(api, id);
        expect(events.at(-1)!.data).to.deep.equal({ changed: ['path'] });
      }
      await collections.patch(top!, { description: 'no path has it' });
      expect((await collections.get(bottom!)).version).to.equal(after.version);
    });

    it('are trashed with their descendants and restored with those trashed together', async () => {
      const [top, middle, bottom] = await chain(3);
      const apart = await collections.make({ parent_id: middle });
      await collections.add(bottom!, imageRef(image.id));
      expect((await collections.trash(apart)).status).to.equal(204);
      expect((await collections.trash(top!)).status).to.equal(204);
      expect((await collections.trash(top!)).status).to.equal(204);
      for (const id of [top!, middle!, bottom!]) {
        expect((await collections.get(id)).state).to.equal('trashed');
        expect(
          (await typesOf(id)).filter((type) => type === 'dam.collection.trashed'),
        ).to.have.length(1);
      }
      // Members stay as they are.
      expect((await api.call('GET', `/v1/images/${image.id}`)).json.state).to.equal('available');
      const rejected = [
        await collections.restore(middle!),
        await collections.restore(apart),
        await collections.patch(top!, { name: 'x' }),
        await collections.add(top!, imageRef(image.id)),
        await collections.create({ name: 'x', parent_id: top }),
      ];
      for (const answer of rejected) {
        expect([answer.status, answer.json.code], answer.text).to.deep.equal([
          409,
          'state_conflict',
        ]);
      }
      const back = await collections.restore(top!);
      expect([back.status, back.json.state]).to.deep.equal([200, 'available']);
      expect((await collections.get(bottom!)).member_count).to.equal(1);
      expect((await collections.get(apart)).state).to.equal('trashed');
      expect((await collections.restore(apart)).status).to.equal(200);
      expect((await collections.restore(apart)).status).to.equal(409);
      const tasks = await api.rows('SELECT FROM task WHERE resource_id = ANY($1)', [[top, apart]]);
      expect(tasks).to.have.length(2);
    });

    it('cannot be restored where they no longer fit', async () => {
      const branch = await chain(3);
      const home = await collections.make({});
      await collections.patch(branch[0]!, { parent_id: home });
      await collections.trash(branch[0]!);
      const long = await chain(5);
      await collections.patch(home, { parent_id: long[4] });
      const answer = await collections.restore(branch[0]!);
      expect([answer.status, answer.json.code]).to.deep.equal([409, 'collection_cycle']);
      await collections.patch(home, { parent_id: null });
      expect((await collections.restore(branch[0]!)).status).to.equal(200);
    });
  });
});
