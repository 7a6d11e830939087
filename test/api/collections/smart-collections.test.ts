import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import {
  createCollectionClient,
  faultsOf,
  imageRef,
  objectRef,
} from '../../support/collections.ts';
import { type UploadedImage, uploadImage } from '../../support/images.ts';

describe('smart collections', () => {
  let api: TestApi;
  let collections: ReturnType<typeof createCollectionClient>;
  let red: UploadedImage;
  let blue: UploadedImage;
  let both: UploadedImage;
  before(async () => {
    api = await startApi();
    collections = createCollectionClient(api);
    red = await uploadImage(api, 'boat-red.png', ['red']);
    blue = await uploadImage(api, 'boat-blue.png', ['blue']);
    both = await uploadImage(api, 'crane.png', ['red', 'blue']);
  });
  after(() => api.close());
  const smart = (query: object, more: object = {}): Promise<string> =>
    collections.make({ kind: 'smart', query, ...more });
  const told = (answer: ApiResponse) => [answer.status, answer.json.code];
  const ids = (answer: ApiResponse): string[] =>
    answer.json.data.map((one: { id: string }) => one.id);
  const names = async (id: string): Promise<string> =>
    (await collections.memberIds(id))
      .map((one) => ({ [red.id]: 'red', [blue.id]: 'blue', [both.id]: 'both' })[one] ?? '?')
      .join(' ');

  it('reveal nothing about images to a key that may not read them', async () => {
    const id = await smart({ tag: ['red'] });
    const key = await api.issue(['collections:read', 'collections:write']);
    const body = { name: 'Probe', kind: 'smart', query: { q: 'boat' } };
    const made = await api.call('POST', '/v1/collections', { ...key, body });
    expect(told(made)).to.deep.equal([403, 'insufficient_scope']);
    expect(made.json.required_scopes).to.deep.equal(['images:read']);
    const patch = { ...key, body: { query: { q: 'boat' } } };
    const changed = await api.call('PATCH', `/v1/collections/${id}`, patch);
    expect(told(changed)).to.deep.equal([403, 'insufficient_scope']);
    const renamed = await api.call('PATCH', `/v1/collections/${id}`, {
      ...key,
      body: { name: 'R' },
    });
    expect(renamed.status).to.equal(200);
  });

  it('contain what their query currently finds', async () => {
    const id = await smart({ tag: ['red'] });
    expect(await collections.get(id)).to.deep.include({
      kind: 'smart',
      query: { tag: ['red'] },
      member_count: 2,
    });
    expect(await names(id)).to.equal('both red');
    const { version } = await collections.get(id);
    await api.call('PATCH', `/v1/images/${blue.id}`, { body: { add_tags: ['red'] } });
    expect(await names(id)).to.equal('both blue red');
    expect((await collections.get(id)).member_count).to.equal(3);
    await api.call('PATCH', `/v1/images/${blue.id}`, { body: { remove_tags: ['red'] } });
    await api.call('DELETE', `/v1/images/${red.id}`);
    expect(await names(id)).to.equal('both');
    await api.call('POST', `/v1/images/${red.id}/restore`);
    expect(await collections.get(id)).to.deep.include({ member_count: 2, version });
  });

  it('list their images in pages, with records, without positions', async () => {
    const id = await smart({ q: 'boat OR crane' });
    const seen: string[] = [];
    let cursor = '';
    do {
      const answer = await collections.members(id, `?limit=1&include=total,resource${cursor}`);
      expect(answer.json.total).to.equal(3);
      const [member] = answer.json.data;
      expect(member).to.deep.include({ resource_type: 'image', position: null, added_at: null });
      expect(member.resource.id).to.equal(member.resource_id);
      seen.push(member.resource_id);
      cursor = answer.json.next_cursor ? `&cursor=${answer.json.next_cursor}` : '';
    } while (cursor);
    expect(seen.sort()).to.deep.equal([red.id, blue.id, both.id].sort());
  });

  it('change only through their query', async () => {
    const id = await smart({ tag: ['red'] });
    for (const answer of [
      await collections.add(id, imageRef(blue.id)),
      await collections.remove(id, imageRef(red.id)),
      await collections.move(id, imageRef(red.id), { before: imageRef(both.id) }),
      await collections.batch(id, { add: [imageRef(blue.id)], on_error: 'continue' }),
    ]) {
      expect(told(answer), answer.text).to.deep.equal([409, 'state_conflict']);
    }
    // A merge patch of the filters removes one and adds one.
    const answer = await collections.patch(id, {
      query: { tag: null, q: 'boat', mime: ['image/png'] },
    });
    expect(answer.json.query).to.deep.equal({ q: 'boat', mime: ['image/png'] });
    expect(answer.json.member_count).to.equal(2);
    const faulty = await collections.patch(id, { query: { q: null, tag: ['a,'] } });
    expect(faultsOf(faulty)).to.deep.equal(['/query/tag empty_tag']);
  });

  it('can be narrowed to a manual collection, but not to a smart one', async () => {
    const manual = await collections.make({ members: [imageRef(red.id), imageRef(blue.id)] });
    const id = await smart({ tag: ['red'], collection_id: manual });
    expect(await names(id)).to.equal('red');
    const rejected = await collections.create({
      name: 'x',
      kind: 'smart',
      query: { collection_id: id },
    });
    expect([...told(rejected), ...faultsOf(rejected)]).to.deep.equal([
      422,
      'validation_failed',
      '/query/collection_id not_allowed',
    ]);
    const itself = await collections.patch(id, { query: { collection_id: id } });
    expect(told(itself)).to.deep.equal([422, 'validation_failed']);
    await collections.trash(manual);
    expect(await names(id)).to.equal('');
  });

  it('are listed for an image that they contain, unless in the trash', async () => {
    const yes = await smart({ tag: ['red'], q: 'crane' });
    const no = await smart({ tag: ['-red'] });
    const none = await smart({ orientation: ['landscape'], min_rating: 1 });
    const gone = await smart({ tag: ['red'] });
    await collections.trash(gone);
    const hand = await collections.make({ members: [imageRef(both.id)] });
    const path = `?limit=200&resource_type=image&resource_id=${both.id}`;
    const found = ids(await collections.list(path));
    expect(found).to.include.members([yes, hand]).and.not.include.members([no]);
    expect(found).to.not.include(none).and.not.include(gone);
    expect(ids(await collections.list(`${path}&kind=smart`))).to.not.include(hand);
    expect(ids(await api.call('GET', `/v1/images/${both.id}/collections?limit=200`))).to.deep.equal(
      found,
    );
    expect(
      ids(await api.call('GET', `/v1/objects/${both.objectId}/collections?limit=200`)),
    ).to.deep.equal(found);
    // An object is listed in manual collections only, although a query finds its image.
    expect(
      ids(await collections.list(`?resource_type=object&resource_id=${both.objectId}`)),
    ).to.deep.equal([]);
    const others = await collections.list(
      `${path}&include=total&limit=1`.replace('limit=200&', ''),
    );
    expect(others.json.total).to.equal(found.length);
  });

  describe('in image search', () => {
    const search = (query: string) => api.call('GET', `/v1/images?${query}`);

    it('narrow results, whether manual or smart, but not if in the trash', async () => {
      const manual = await collections.make({
        members: [imageRef(both.id), imageRef(blue.id), objectRef(red.objectId)],
      });
      const id = await smart({ tag: ['red'] });
      const byHand = await search(`collection_id=${manual}&include=total,facets`);
      expect(ids(byHand)).to.deep.equal([both.id, blue.id]);
      expect(byHand.json.total).to.equal(2);
      expect(byHand.json.facets.tag).to.deep.equal([
        { value: 'blue', count: 2 },
        { value: 'red', count: 1 },
      ]);
      const byQuery = await search(`collection_id=${id}&q=boat&include=total,facets`);
      expect([ids(byQuery), byQuery.json.total]).to.deep.equal([[red.id], 1]);
      expect(byQuery.json.facets.tag).to.deep.equal([{ value: 'red', count: 1 }]);
      for (const one of [manual, id]) {
        await collections.trash(one);
        const answer = await search(`collection_id=${one}&include=total`);
        expect([ids(answer), answer.json.total]).to.deep.equal([[], 0]);
      }
    });

    it('are included in results for keys that may read them', async () => {
      const one = await uploadImage(api, 'included.png');
      const b = await collections.make({ name: 'b', members: [imageRef(one.id)] });
      const a = await collections.make({ name: 'a', members: [imageRef(one.id)] });
      const gone = await collections.make({ name: 'c', members: [imageRef(one.id)] });
      await collections.trash(gone);
      const answer = await search('q=included&include=collections');
      expect(answer.json.data[0].collections).to.deep.equal([
        { id: a, name: 'a' },
        { id: b, name: 'b' },
      ]);
      expect((await search('q=boat&include=collections')).json.data[0].collections).to.be.an(
        'array',
      );
      const reader = await api.issue(['images:read']);
      const rejected = await api.call('GET', '/v1/images?include=collections', reader);
      expect(told(rejected)).to.deep.equal([403, 'insufficient_scope']);
    });
  });

  it(`are limited to ${limits.smart_collections_per_project}, even when concurrent`, async () => {
    const most = limits.smart_collections_per_project;
    const make = (name: string) =>
      api.call('POST', '/v1/collections', {
        ...api.other,
        body: { name, kind: 'smart', query: { q: name } },
      });
    const first = await make('first');
    await api.rows(
      `INSERT INTO collection (id, project_id, name, kind, query)
       SELECT 'col_' || n, $1, 'n', 'smart', '{}' FROM generate_series(1, $2::integer) n`,
      [api.other.projectId, most - 6],
    );
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => make(`at once ${at}`)));
    expect(answers.filter(({ status }) => status === 201)).to.have.length(5);
    const rejected = answers.find(({ status }) => status !== 201)!;
    expect([...told(rejected), rejected.json.limit]).to.deep.equal([409, 'state_conflict', most]);
    // A trashed collection frees its place, and is restored only if there is one.
    const path = `/v1/collections/${first.json.id}`;
    expect((await api.call('DELETE', path, api.other)).status).to.equal(204);
    expect((await make('instead')).status).to.equal(201);
    expect(told(await api.call('POST', `${path}/restore`, api.other))).to.deep.equal([
      409,
      'state_conflict',
    ]);
  });
});
