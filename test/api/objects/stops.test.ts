import { expect } from 'chai';
import { thinOut } from '../../../src/db/statements/stops.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { addImages } from '../../support/library.ts';

describe('stops of a list', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    const images = Array.from({ length: 450 }, (_, at) => ({
      title: `${'harbour '.repeat(1 + (at % 3))}${at}`,
      tags: at % 9 === 0 ? ['rare'] : ['usual'],
      ...(at % 4 > 0 && {
        captured_at: new Date(Date.UTC(2024, 0, 1 + (at % 40))).toISOString(),
      }),
      created_at: new Date(Date.UTC(2026, 0, 1) - (at % 50) * 60_000).toISOString(),
    }));
    await addImages(api, api, images);
    await addImages(
      api,
      api.other,
      Array.from({ length: 210 }, () => ({ title: 'harbour', tags: ['usual'] })),
    );
  });
  after(() => api.close());

  const list = async (path: string) => {
    const { status, json, text } = await api.call('GET', path);
    expect(status, text).to.equal(200);
    return json;
  };
  /** The identifiers of the whole list, page by page. */
  const read = async (path: string): Promise<string[]> => {
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const json = await list(`${path}&limit=150${cursor && `&cursor=${cursor}`}`);
      ids.push(...json.data.map(({ id }: { id: string }) => id));
      cursor = json.next_cursor;
    }
    return ids;
  };

  const lists = [
    '/v1/objects?sort=-created_at',
    '/v1/objects?sort=-mime',
    '/v1/objects?originals=true&tag=usual&sort=filename',
    '/v1/images?sort=captured_at',
    '/v1/images?sort=-captured_at',
    '/v1/images?q=harbour',
    '/v1/images?q=harbuor&tag=usual',
  ];
  for (const path of lists) {
    it(`start the pages of ${path} where its own pages lead`, async () => {
      const all = await read(path);
      const { stops, data, next_cursor } = await list(`${path}&limit=1&include=stops`);
      expect([data.length, typeof next_cursor]).to.deep.equal([1, 'string']);
      expect([stops.every, stops.cursors.length]).to.deep.equal([
        200,
        Math.floor(all.length / 200),
      ]);
      for (const [at, cursor] of stops.cursors.entries()) {
        const { data: page } = await list(`${path}&limit=20&cursor=${cursor}`);
        const from = (at + 1) * 200;
        expect(page.map(({ id }: { id: string }) => id)).to.deep.equal(all.slice(from, from + 20));
      }
    });
  }

  it('are empty for a short list, absent by default, and bound to the filters', async () => {
    const short = await list('/v1/objects?tag=rare&include=stops');
    expect(short.stops).to.deep.equal({ every: 200, cursors: [] });
    expect(await list('/v1/objects?limit=1')).not.to.have.property('stops');
    const { stops } = await list('/v1/objects?limit=1&include=stops');
    const other = await api.call('GET', `/v1/objects?tag=usual&cursor=${stops.cursors[0]}`);
    expect([other.status, other.json.errors[0].code]).to.deep.equal([400, 'cursor_mismatch']);
  });

  it('are farther apart in very long lists', () => {
    const rows = Array.from({ length: 25 }, (_, at) => at + 1);
    expect(thinOut(rows, 10)).to.deep.equal({ every: 600, rows: [3, 6, 9, 12, 15, 18, 21, 24] });
    expect(thinOut(rows, 25)).to.deep.equal({ every: 200, rows });
  });
});
