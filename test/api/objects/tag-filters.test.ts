import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { createCollectionClient } from '../../support/collections.ts';
import { type UploadedImage, uploadImage } from '../../support/images.ts';

describe('tag filters, regardless of case', () => {
  let api: TestApi;
  let collections: ReturnType<typeof createCollectionClient>;
  let harbour: UploadedImage;
  let city: UploadedImage;
  const spellings = ['harbour', 'HARBOUR', 'Harbour', 'ＨＡＲＢＯＵＲ', 'none,hARBOUR'];
  before(async () => {
    api = await startApi();
    collections = createCollectionClient(api);
    harbour = await uploadImage(api, 'harbour.png', [
      'Harbour',
      'Éire',
      'ΝΗΣΟΣ',
      'Say "NULL", {\\}',
    ]);
    city = await uploadImage(api, 'city.png', ['NULL', 'harbours']);
  });
  after(() => api.close());

  const list = async (path: string, tag: string, more = ''): Promise<string[]> => {
    const search = `tag=${encodeURIComponent(tag)}&include=total${more}`;
    const { status, json, text } = await api.call('GET', `${path}?${search}`);
    expect(status, text).to.equal(200);
    expect(json.total, `${path}?${search}`).to.equal(json.data.length);
    return json.data.map((one: { id: string }) => one.id);
  };

  it('find images and objects, and show tags as written', async () => {
    for (const tag of spellings) {
      expect(await list('/v1/images', tag), tag).to.deep.equal([harbour.id]);
      expect(await list('/v1/objects', tag), tag).to.deep.equal([harbour.objectId]);
      expect(await list('/v1/images', `-${tag}`), tag).to.deep.equal([city.id]);
      expect(await list('/v1/objects', `-${tag}`), tag).to.deep.equal([city.objectId]);
    }
    const { json } = await api.call('GET', `/v1/images/${harbour.id}`);
    expect(json.tags).to.include('Harbour');
  });

  it('fold letters beyond ASCII, and treat array syntax as plain text', async () => {
    const found: [string, UploadedImage][] = [
      ['éIRE', harbour],
      ['νησος', harbour],
      ['say "null"\\, {\\\\}', harbour],
      ['null', city],
    ];
    for (const [tag, image] of found) {
      expect(await list('/v1/images', tag), tag).to.deep.equal([image.id]);
      expect(await list('/v1/objects', tag), tag).to.deep.equal([image.objectId]);
    }
    expect(await list('/v1/images', 'harbour\u001fnull')).to.deep.equal([]);
  });

  it('count, with facets for tags as written', async () => {
    for (const tag of ['HARBOUR', 'HARBOUR,none']) {
      const { json } = await api.call('GET', `/v1/images?include=total,facets&tag=${tag}`);
      expect(json.total, tag).to.equal(1);
      expect(json.facets.mime, tag).to.deep.equal([{ value: 'image/png', count: 1 }]);
      expect(json.facets.tag, tag).to.deep.include({ value: 'Harbour', count: 1 });
    }
  });

  it('apply to edits by filter', async () => {
    const body = {
      filter: { tag: ['HARBOUR'] },
      expected_count: 1,
      patch: { title: 'The harbour' },
    };
    const { status, json, text } = await api.call('PATCH', '/v1/images', { body });
    expect([status, json.updated], text).to.deep.equal([200, 1]);
  });

  it('apply to smart collections, and to the collections of an image', async () => {
    const id = await collections.make({ kind: 'smart', query: { tag: ['harBOUR', '-NULL'] } });
    expect(await collections.memberIds(id)).to.deep.equal([harbour.id]);
    expect((await collections.get(id)).member_count).to.equal(1);
    const { json } = await api.call('GET', `/v1/images/${harbour.id}/collections`);
    expect(json.data.map((one: { id: string }) => one.id)).to.deep.equal([id]);
    const { json: found } = await api.call('GET', `/v1/images?collection_id=${id}&tag=HARBOUR`);
    expect(found.data).to.have.length(1);
  });

  it('find collections', async () => {
    const id = await collections.make({ name: 'By the sea', tags: ['Sea'] });
    await collections.make({ name: 'Inland', tags: ['Hill'] });
    expect(await list('/v1/collections', 'sEA')).to.deep.equal([id]);
    expect(await list('/v1/collections', '-sEA')).not.to.include(id);
  });

  it('find resources in the trash', async () => {
    await api.call('DELETE', `/v1/images/${harbour.id}`);
    expect(await list('/v1/images', 'HARBOUR', '&state=trashed')).to.deep.equal([harbour.id]);
    expect(await list('/v1/objects', 'HARBOUR', '&state=trashed')).to.deep.equal([
      harbour.objectId,
    ]);
    expect(await list('/v1/images', 'HARBOUR')).to.deep.equal([]);
  });
});
