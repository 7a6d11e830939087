import { expect } from 'chai';
import { type Tenant, type TestApi, useSharedApi } from '../support/api.ts';
import { uploadImage } from '../support/images.ts';

type Kind = 'object' | 'image' | 'collection' | 'webhook' | 'key' | 'job' | 'pack';

const lists: Record<Kind, string> = {
  object: '/v1/objects',
  image: '/v1/images',
  collection: '/v1/collections',
  webhook: '/v1/webhooks',
  key: '/v1/keys',
  job: '/v1/documents/jobs',
  pack: '/v1/documents/packs',
};

describe('lists by identifier', () => {
  let api: TestApi;
  const own: Record<Kind, string>[] = [];
  let foreign: Record<Kind, string>;
  before(async () => {
    api = await useSharedApi();
    const make = async (tenant: Tenant, filename: string): Promise<Record<Kind, string>> => {
      const post = async (path: string, body: object): Promise<string> => {
        const { status, json, text } = await api.call('POST', path, { ...tenant, body });
        expect(status, text).to.be.oneOf([201, 202]);
        return json.id;
      };
      const image = await uploadImage(api, filename, [], tenant);
      return {
        object: image.objectId,
        image: image.id,
        collection: await post('/v1/collections', { name: 'Harbour' }),
        webhook: await post('/v1/webhooks', {
          url: 'http://127.0.0.1:9/',
          event_types: ['dam.*'],
        }),
        key: await post('/v1/keys', { name: 'Key', scopes: ['keys:read'] }),
        job: await post('/v1/documents/jobs', {
          source_object_id: image.objectId,
          operations: [{ op: 'ocr' }],
        }),
        pack: await post('/v1/documents/packs', {
          name: 'Pack',
          source: { object_ids: [image.objectId] },
        }),
      };
    };
    own.push(await make(api, 'a.png'), await make(api, 'b.png'));
    foreign = await make(api.other, 'a.png');
  });

  for (const [kind, path] of Object.entries(lists) as [Kind, string][]) {
    const read = async (query: string) => {
      const { status, json, text } = await api.call('GET', `${path}?${query}`);
      expect(status, text).to.equal(200);
      const ids: string[] = json.data.map(({ id }: { id: string }) => id);
      return { ids, total: json.total, next: json.next_cursor };
    };

    it(`${path}?id= has only these, of this project, page by page`, async () => {
      const [first, second] = own.map((made) => made[kind]);
      const id = `${first},${second},${foreign[kind]}`;
      const all = await read(`id=${id}&include=total`);
      expect(all.ids).to.have.members([first, second]);
      expect(all.total).to.equal(2);
      expect((await read(`id=${first}`)).ids).to.deep.equal([first]);
      const page = await read(`id=${id}&limit=1`);
      const rest = await read(`id=${id}&limit=1&cursor=${page.next}`);
      expect([...page.ids, ...rest.ids]).to.deep.equal(all.ids);
    });

    it(`${path}?id= rejects identifiers of other kinds, and more than a page`, async () => {
      const many = Array.from(
        { length: 201 },
        (_, at) => own[0]![kind].slice(0, -3) + String(at).padStart(3, '0'),
      );
      for (const id of ['', `evt_${'0'.repeat(26)}`, many.join()]) {
        const { status, json } = await api.call('GET', `${path}?id=${id}`);
        expect([status, json.errors[0].parameter]).to.deep.equal([400, 'id']);
      }
    });
  }
});
