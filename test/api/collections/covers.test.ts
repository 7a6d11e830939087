import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import {
  createCollectionClient,
  imageRef,
  objectRef,
  type ResourceRef,
} from '../../support/collections.ts';
import { type UploadedImage, uploadImage } from '../../support/images.ts';
import { postRaw } from '../../support/uploads.ts';

describe('the covers of collections', () => {
  let api: TestApi;
  let collections: ReturnType<typeof createCollectionClient>;
  const images: UploadedImage[] = [];
  before(async () => {
    api = await startApi();
    collections = createCollectionClient(api);
    for (let at = 0; at < 6; at++) images.push(await uploadImage(api, `picture-${at}.png`));
    await api.rows(
      `INSERT INTO rendition (project_id, image_id, name, mime, sha256, bytes, width, height)
       SELECT project_id, id, 'thumb', 'image/webp', repeat('0', 64), 10, 20, 20 FROM image`,
    );
  });
  after(() => api.close());

  const coversOf = async (id: string): Promise<ResourceRef[]> => {
    const { status, json } = await collections.list('?include=covers');
    expect(status).to.equal(200);
    return json.data.find((one: { id: string }) => one.id === id).covers;
  };
  const refs = (...at: number[]): ResourceRef[] => at.map((one) => imageRef(images[one]!.id));

  it('are the first four members with a picture, in their order', async () => {
    const note = (await postRaw(api, Buffer.from('A note'), 'note.txt')).json.id;
    const members = [objectRef(note), ...refs(3, 1, 0, 2, 4)];
    const id = await collections.make({ members });
    expect(await coversOf(id)).to.deep.equal(refs(3, 1, 0, 2));
    expect((await collections.list()).json.data[0]).not.to.have.property('covers');
    await collections.move(id, imageRef(images[4]!.id), { before: objectRef(note) });
    expect(await coversOf(id)).to.deep.equal(refs(4, 3, 1, 0));
  });

  it('show an image once, whether the member is the image or its object', async () => {
    const [one, two] = images;
    const members = [objectRef(two!.objectId), imageRef(one!.id), objectRef(one!.objectId)];
    const id = await collections.make({ members });
    expect(await coversOf(id)).to.deep.equal(refs(1, 0));
  });

  it('are PDFs whose pages are known, but no image without a thumbnail', async () => {
    const pdf = (await postRaw(api, Buffer.from('%PDF-1.7\nof no use'), 'a.pdf')).json.id;
    const waiting = await uploadImage(api, 'waiting.png');
    const id = await collections.make({ members: [imageRef(waiting.id), objectRef(pdf)] });
    expect(await coversOf(id)).to.deep.equal([]);
    await api.rows('UPDATE object SET pages = 2 WHERE id = $1', [pdf]);
    expect(await coversOf(id)).to.deep.equal([objectRef(pdf)]);
  });

  it('are the chosen image alone, unless it is in the trash', async () => {
    const id = await collections.make({ cover: images[5]!.id, members: refs(0, 1) });
    expect(await coversOf(id)).to.deep.equal(refs(5));
    await api.call('DELETE', `/v1/images/${images[5]!.id}`);
    expect(await coversOf(id)).to.deep.equal(refs(0, 1));
    await api.call('DELETE', `/v1/images/${images[0]!.id}`);
    expect(await coversOf(id)).to.deep.equal(refs(1));
    for (const at of [0, 5]) await api.call('POST', `/v1/images/${images[at]!.id}/restore`);
    expect(await coversOf(id)).to.deep.equal(refs(5));
  });

  it('of smart collections are the chosen image, otherwise the newest that the query finds', async () => {
    const query = { mime: ['image/png'] };
    const all = await collections.make({ kind: 'smart', query });
    const none = await collections.make({ kind: 'smart', query: { mime: ['image/gif'] } });
    const some = await collections.make({ kind: 'smart', query: { tag: ['red'] } });
    const chosen = await collections.make({ kind: 'smart', query, cover: images[2]!.id });
    for (const at of [1, 4]) {
      await api.call('PATCH', `/v1/images/${images[at]!.id}`, { body: { tags: ['red'] } });
    }
    expect(await coversOf(all)).to.deep.equal(refs(5, 4, 3, 2));
    expect(await coversOf(none)).to.deep.equal([]);
    expect(await coversOf(some)).to.deep.equal(refs(4, 1));
    expect(await coversOf(chosen)).to.deep.equal(refs(2));
    await api.call('DELETE', `/v1/images/${images[5]!.id}`);
    expect(await coversOf(all)).to.deep.equal(refs(4, 3, 2, 1));
    await api.call('POST', `/v1/images/${images[5]!.id}/restore`);
  });
});
