import { expect } from 'chai';
import { inProject } from '../../../src/db/transaction.ts';
import { tidyIndex } from '../../../src/library/images/tidy-index.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { onePixelPng } from '../../support/fixtures.ts';
import { addImages, type TestImage } from '../../support/library.ts';
import { postRaw } from '../../support/uploads.ts';

describe('GET /v1/images', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  beforeEach(async () => {
    await api.rows('DELETE FROM object');
    await api.rows('DELETE FROM image_word');
  });

  const get = (parameters: Record<string, string | string[]> = {}) => {
    const search = new URLSearchParams(
      Object.entries(parameters).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      ),
    );
    return api.call('GET', `/v1/images?${search}`);
  };
  /** The titles of the results, in order. */
  const titles = async (parameters: Record<string, string | string[]>): Promise<string[]> => {
    const { status, json, text } = await get(parameters);
    expect(status, text).to.equal(200);
    return json.data.map((image: { title: string }) => image.title);
  };
  const add = (...given: TestImage[]) => addImages(api, api, given);

  it('filters by object ID', async () => {
    const [one, , three] = await add({ title: 'one' }, { title: 'two' }, { title: 'three' });
    const rows = await api.rows<{ id: string; object_id: string }>(
      'SELECT id, object_id FROM image',
    );
    const objectOf = (id?: string) => rows.find((row) => row.id === id)!.object_id;
    const both = `${objectOf(one)},${objectOf(three)}`;
    expect(await titles({ object_id: both, sort: 'filename' })).to.have.members(['one', 'three']);
    expect(await titles({ object_id: objectOf(one) })).to.deep.equal(['one']);
    expect(await titles({ object_id: 'obj_00000000000000000000000000' })).to.deep.equal([]);
    expect((await get({ object_id: both, include: 'total,facets' })).json.total).to.equal(2);
  });

  it('counts the matches of each month, without the trash', async () => {
    await add(
      { title: 'one', tags: ['sea'], created_at: '2024-02-29T23:59:59Z' },
      { title: 'two', tags: ['sea'], created_at: '2024-03-01T00:00:00Z' },
      { title: 'three', created_at: '2024-03-31T23:59:59Z' },
      { title: 'four', state: 'trashed', created_at: '2024-04-01T00:00:00Z' },
    );
    const months = async (parameters: Record<string, string>) =>
      (await get({ ...parameters, include: 'months' })).json.months;
    expect(await months({})).to.deep.equal([
      { month: '2024-03', count: 2 },
      { month: '2024-02', count: 1 },
    ]);
    expect(await months({ tag: 'sea' })).to.deep.equal([
      { month: '2024-03', count: 1 },
      { month: '2024-02', count: 1 },
    ]);
    expect(await months({ q: 'four' })).to.deep.equal([]);
    expect(await months({ state: 'trashed' })).to.deep.equal([{ month: '2024-04', count: 1 }]);
    expect((await get()).json).not.to.have.property('months');
  });

  it('counts by the month in which images were taken, without those of unknown date', async () => {
    await add(
      { title: 'one', tags: ['sea'], captured_at: '1999-12-31T23:59:59Z' },
      { title: 'two', tags: ['sea'], captured_at: '2000-01-01T00:00:00Z' },
      { title: 'three', captured_at: '2000-01-31T00:00:00Z' },
      { title: 'four', tags: ['sea'] },
    );
    const months = async (parameters: Record<string, string>) =>
      (await get({ ...parameters, include: 'months', months_by: 'captured_at' })).json.months;
    expect(await months({})).to.deep.equal([
      { month: '2000-01', count: 2 },
      { month: '1999-12', count: 1 },
    ]);
    expect(await months({ tag: 'sea' })).to.deep.equal([
      { month: '2000-01', count: 1 },
      { month: '1999-12', count: 1 },
    ]);
    const { status } = await get({ include: 'months', months_by: 'updated_at' });
    expect(status).to.equal(400);
  });

  it('lists the newest first, each as in its own GET, and requires images:read', async () => {
    const [first, second] = await add(
      { title: 'one', created_at: '2026-01-01T00:00:00Z' },
      { title: 'two', created_at: '2026-01-02T00:00:00Z' },
    );
    const { json, status } = await get();
    expect(status).to.equal(200);
    expect(json.data.map((image: { id: string }) => image.id)).to.deep.equal([second, first]);
    expect(json.data[0]).to.deep.equal((await api.call('GET', `/v1/images/${second}`)).json);
    expect([json.has_more, json.next_cursor, json.total]).to.deep.equal([false, null, null]);
    expect(json).not.to.have.any.keys('facets', 'mended_query');
    const stranger = await api.issue(['objects:read']);
    expect((await api.call('GET', '/v1/images', stranger)).status).to.equal(403);
  });

  it('finds the image of an object, and none for another project’s object', async () => {
    const { json: object } = await postRaw(api, onePixelPng, 'one.png');
    await postRaw(api, onePixelPng, 'two.png');
    const { json } = await get({ object_id: object.id });
    expect(json.data.map((image: { object_id: string }) => image.object_id)).to.deep.equal([
      object.id,
    ]);
    const foreign = await api.call('GET', `/v1/images?object_id=${object.id}`, api.other);
    expect([foreign.status, foreign.json.data]).to.deep.equal([200, []]);
    expect((await get({ object_id: 'img_1' })).status).to.equal(400);
  });

  it('finds changes immediately, and no outdated values', async () => {
    const { json: object } = await postRaw(api, onePixelPng, 'Sunrise_1234.png');
    expect(await titles({ q: 'sunrise' })).to.have.length(1);
    await api.call('PATCH', `/v1/objects/${object.id}`, { body: { tags: ['harbour'] } });
    expect(await titles({ q: 'harbour' })).to.have.length(1);
    expect(await titles({ tag: 'harbour' })).to.have.length(1);
    await api.rows(`UPDATE image SET title = 'Boats' WHERE object_id = $1`, [object.id]);
    expect(await titles({ q: 'boats harbour sunrise' })).to.deep.equal(['Boats']);
    await api.call('PATCH', `/v1/objects/${object.id}`, { body: { tags: ['quay'] } });
    expect(await titles({ q: 'harbour' })).to.deep.equal([]);
    await api.call('DELETE', `/v1/objects/${object.id}`);
    expect(await titles({ q: 'quay' })).to.deep.equal([]);
    expect(await titles({ q: 'quay', state: 'trashed' })).to.deep.equal(['Boats']);
    await api.call('POST', `/v1/objects/${object.id}/restore`);
    expect(await titles({ q: 'quay' })).to.deep.equal(['Boats']);
    await api.rows('DELETE FROM object WHERE id = $1', [object.id]);
    expect(await titles({})).to.deep.equal([]);
  });

  it('never shows another project’s images in lists, totals, facets or suggestions', async () => {
    await add({ title: 'lighthouse', tags: ['coast'] });
    for (const query of [
      '?include=total,facets',
      '?include=total,facets&q=lighthouse',
      '?include=total,facets&q=lighthuose',
      '?include=total,facets&tag=coast',
      '?include=total,facets&sort=filename',
    ]) {
      const { json } = await api.call('GET', `/v1/images${query}`, { ...api.other });
      expect([json.data, json.total, json.facets, json.mended_query], query).to.deep.equal([
        [],
        0,
        { tag: [], mime: [], orientation: [] },
        undefined,
      ]);
    }
    const { json } = await api.call('GET', '/v1/images?include=months', { ...api.other });
    expect(json.months).to.deep.equal([]);
  });

  describe('with text', () => {
    it('searches titles, tags, descriptions, alternative texts and filenames', async () => {
      await add(
        { title: 'five', filename: 'IMG_1234-heron.jpg' },
        { title: 'two', tags: ['heron'] },
        { title: 'three', description: 'a heron' },
        { title: 'four', alt_text: 'heron, again' },
        { title: 'heron' },
        { title: 'none' },
      );
      const found = await titles({ q: 'heron' });
      expect(found.slice(0, 2)).to.deep.equal(['heron', 'two']);
      expect(found.slice(2, 4)).to.have.members(['three', 'four']);
      expect(found.slice(4)).to.deep.equal(['five']);
      expect(await titles({ q: '1234' })).to.deep.equal(['five']);
      expect(await titles({ q: 'img_1234-heron.jpg' })).to.deep.equal(['five']);
    });

    it('supports AND, OR, NOT, phrases and a prefix at the end', async () => {
      await add(
        { title: 'red car' },
        { title: 'blue car' },
        { title: 'car, red and blue' },
        { title: 'red boat' },
        { title: 'blueberry' },
      );
      const expected: [string, string[]][] = [
        ['red car', ['red car', 'car, red and blue']],
        ['car red', ['red car', 'car, red and blue']],
        ['"red car"', ['red car']],
        ['red-car', ['red car']],
        ['red -car', ['red boat']],
        ['-car red', ['red boat']],
        ['red -"red car"', ['car, red and blue', 'red boat']],
        ['boat OR blue car', ['blue car', 'car, red and blue']],
        ['boat OR blueberry', ['red boat', 'blueberry']],
        ['blue', ['blue car', 'car, red and blue', 'blueberry']],
        ['"blue"', ['blue car', 'car, red and blue']],
        ['blue car', ['blue car', 'car, red and blue']],
        ['red OR', ['red car', 'car, red and blue', 'red boat']],
        ['OR red', ['red car', 'car, red and blue', 'red boat']],
        ['red "car', ['red car', 'car, red and blue']],
        ['-red -car', ['blueberry']],
        ['RED Boat', ['red boat']],
        ['red !!! boat', ['red boat']],
        ['- red', ['red car', 'car, red and blue', 'red boat']],
        ['re:* & bo', []],
        ['no such thing', []],
      ];
      for (const [q, found] of expected) {
        expect(await titles({ q }), q).to.have.members(found);
      }
    });

    it('ignores case and accents in every script', async () => {
      await add(
        { title: 'Crème brûlée' },
        { title: 'Straße' },
        { title: 'ПРИВЕТ мир' },
        { title: 'हिन्दी' },
      );
      const expected = {
        'creme BRULEE': 'Crème brûlée',
        CRÈME: 'Crème brûlée',
        'cre\u0300me': 'Crème brûlée',
        strasse: 'Straße',
        привет: 'ПРИВЕТ мир',
        हिन्दी: 'हिन्दी',
      };
      for (const [q, title] of Object.entries(expected)) {
        expect(await titles({ q }), q).to.deep.equal([title]);
      }
    });

    it('finds nothing without words, and rejects too many words', async () => {
      for (const q of ['!!!', '-', '""', '" "', '—', '🌴', "'"]) {
        const { status, json } = await get({ q });
        expect([status, json.data], q).to.deep.equal([200, []]);
      }
      const words = (n: number): string =>
        Array.from({ length: n }, (_, at) => `w${at}`).join(' OR ');
      expect((await get({ q: words(32) })).status).to.equal(200);
      const many = await get({ q: words(33) });
      expect([many.status, many.json.errors[0]]).to.deep.equal([
        400,
        {
          parameter: 'q',
          code: 'too_many_words',
          detail: '`q` can have at most 32 words, not 33.',
        },
      ]);
      const { status, json } = await get({ sort: 'relevance' });
      expect([status, json.errors[0].parameter]).to.deep.equal([400, 'sort']);
    });

    it('returns the matching fragments on request', async () => {
      await add({
        title: 'Crème of the crop',
        tags: ['ice cream', 'crop'],
        description: 'A crème brûlée <b>',
        filename: 'IMG_cropped.jpg',
      });
      const { json } = await get({ q: '-nothing creme crop', include: 'highlights' });
      const piece = (text: string, match: boolean) => ({ text, match });
      expect(json.data[0].highlights).to.deep.equal({
        title: [piece('Crème', true), piece(' of the ', false), piece('crop', true)],
        tags: [piece('ice cream', false), piece('crop', true)],
        description: [piece('A ', false), piece('crème', true), piece(' brûlée <b>', false)],
        filename: [piece('IMG_', false), piece('cropped', true), piece('.jpg', false)],
      });
      const phrase = await get({ q: '"crème of"', include: 'highlights' });
      expect(phrase.json.data[0].highlights.title[0]).to.deep.equal(piece('Crème of', true));
      expect((await get({ include: 'highlights' })).json.data[0]).not.to.have.key('highlights');
    });
  });

  describe('with filters', () => {
    it('combines repeated tags with AND, commas with OR and dashes with NOT', async () => {
      await add(
        { title: 'a', tags: ['a'] },
        { title: 'ab', tags: ['a', 'b'] },
        { title: 'c', tags: ['c'] },
        { title: 'comma', tags: ['x,y'] },
        { title: 'none' },
      );
      const expected: [Record<string, string | string[]>, string[]][] = [
        [{ tag: 'a' }, ['a', 'ab']],
        [{ tag: ['a', 'b'] }, ['ab']],
        [{ tag: 'b,c' }, ['ab', 'c']],
        [{ tag: ['a', '-b'] }, ['a']],
        [{ tag: '-a,c' }, ['comma', 'none']],
        [{ tag: 'x\\,y' }, ['comma']],
        [{ tag: 'A' }, ['a', 'ab']],
        [{ tag: '-A' }, ['c', 'comma', 'none']],
        [{ untagged: 'true' }, ['none']],
        [{ untagged: 'false' }, ['a', 'ab', 'c', 'comma']],
        [{ tag: ['a', '-a'] }, []],
        [{ tag: 'a', untagged: 'true' }, []],
      ];
      for (const [query, found] of expected) {
        expect(await titles(query), JSON.stringify(query)).to.have.members(found);
      }
      expect((await get({ tag: 'a,' })).json.errors[0].parameter).to.equal('tag');
    });

    it('combines type, orientation, size, rating and time', async () => {
      await add(
        {
          title: 'one',
          mime: 'image/png',
          orientation: 'square',
          width: 100,
          height: 100,
          bytes: 10,
          rating: 2,
          created_at: '2026-01-01T00:00:00Z',
          captured_at: '2020-06-01T12:00:00Z',
        },
        {
          title: 'two',
          orientation: 'landscape',
          width: 300,
          height: 200,
          bytes: 20,
          rating: 5,
          created_at: '2026-02-01T00:00:00Z',
        },
        { title: 'three', mime: 'image/gif', created_at: '2026-03-01T00:00:00Z', state: 'failed' },
      );
      const expected: [Record<string, string>, string[]][] = [
        [{ mime: 'image/png' }, ['one']],
        [{ mime: 'image/png,image/gif' }, ['one', 'three']],
        [{ orientation: 'square,landscape' }, ['one', 'two']],
        [{ min_width: '100', max_width: '100' }, ['one']],
        [{ min_height: '101' }, ['two']],
        [{ max_bytes: '20', min_bytes: '11' }, ['two']],
        [{ min_rating: '2' }, ['one', 'two']],
        [{ created_after: '2026-01-01T00:00:00Z' }, ['two', 'three']],
        [{ created_before: '2026-02-01T01:00:00+01:00' }, ['one']],
        [{ captured_after: '2020-01-01T00:00:00Z' }, ['one']],
        [{ captured_before: '2020-06-01T12:00:00Z' }, []],
        [{ state: 'failed' }, ['three']],
        [{ state: 'available' }, ['one', 'two']],
        [{ mime: 'image/png', orientation: 'landscape' }, []],
      ];
      for (const [query, found] of expected) {
        expect(await titles(query), JSON.stringify(query)).to.have.members(found);
      }
    });

    it('rejects contradictory filters with both of their names', async () => {
      const { status, json } = await get({
        min_width: '2',
        max_width: '1',
        created_after: '2026-01-02T00:00:00Z',
        created_before: '2026-01-01T00:00:00Z',
      });
      expect(status).to.equal(400);
      expect(json.errors.map((fault: { parameter: string }) => fault.parameter)).to.deep.equal([
        'min_width',
        'max_width',
        'created_after',
        'created_before',
      ]);
    });
  });

  describe('with totals and facets', () => {
    const counts = async (parameters: Record<string, string | string[]>) => {
      const { json, status, text } = await get({ ...parameters, include: 'total,facets' });
      expect(status, text).to.equal(200);
      const values = (facet: { value: string; count: number }[]) =>
        facet.map(({ value, count }) => `${value} ${count}`);
      return {
        total: json.total,
        tag: values(json.facets.tag),
        mime: values(json.facets.mime),
        orientation: values(json.facets.orientation),
      };
    };
    const library: TestImage[] = [
      { tags: ['a', 'b'], mime: 'image/png', orientation: 'square', title: 'x' },
      { tags: ['a'], mime: 'image/jpeg', orientation: 'square' },
      { tags: ['b'], mime: 'image/jpeg', orientation: 'portrait', title: 'x' },
      { tags: ['c'], mime: 'image/gif', title: 'x' },
      { tags: ['a', 'c'], mime: 'image/gif', orientation: 'portrait', state: 'trashed' },
    ];

    it('returns exact counts without filters and without the trash', async () => {
      await add(...library);
      expect(await counts({})).to.deep.equal({
        total: 4,
        tag: ['a 2', 'b 2', 'c 1'],
        mime: ['image/jpeg 2', 'image/gif 1', 'image/png 1'],
        orientation: ['square 2', 'portrait 1'],
      });
      expect((await get({ include: 'total', limit: '1' })).json.total).to.equal(4);
      expect(await counts({ state: 'trashed' })).to.deep.equal({
        total: 1,
        tag: ['a 1', 'c 1'],
        mime: ['image/gif 1'],
        orientation: ['portrait 1'],
      });
    });

    it('does not narrow a facet by its own filter', async () => {
      await add(...library);
      expect(await counts({ mime: 'image/png' })).to.deep.equal({
        total: 1,
        tag: ['a 1', 'b 1'],
        mime: ['image/jpeg 2', 'image/gif 1', 'image/png 1'],
        orientation: ['square 1'],
      });
      expect(await counts({ orientation: 'square', mime: 'image/jpeg,image/gif' })).to.deep.equal({
        total: 1,
        tag: ['a 1'],
        mime: ['image/jpeg 1', 'image/png 1'],
        orientation: ['portrait 1', 'square 1'],
      });
      expect(await counts({ tag: 'a,c' })).to.deep.equal({
        total: 3,
        tag: ['a 2', 'b 2', 'c 1'],
        mime: ['image/gif 1', 'image/jpeg 1', 'image/png 1'],
        orientation: ['square 2'],
      });
      expect(await counts({ tag: 'a' })).to.deep.equal({
        total: 2,
        tag: ['a 2', 'b 1'],
        mime: ['image/jpeg 1', 'image/png 1'],
        orientation: ['square 2'],
      });
      expect(await counts({ tag: ['a,b', '-c'], mime: 'image/jpeg', q: 'x' })).to.deep.equal({
        total: 1,
        tag: ['b 1'],
        mime: ['image/jpeg 1', 'image/png 1'],
        orientation: ['portrait 1'],
      });
    });

    it('distinguishes a tag with a comma from two tags', async () => {
      await add({ tags: ['x,y', 'x'] }, { tags: ['x'] }, { tags: ['y'] }, { tags: ['x,y'] });
      const { total, tag } = await counts({ tag: ['x\\,y', 'x,y'] });
      expect([total, tag]).to.deep.equal([1, ['x,y 2', 'x 1']]);
    });

    it('returns counts that match the list', async () => {
      await add(...library);
      for (const query of [{}, { q: 'x' }, { tag: 'a,b' }, { mime: 'image/gif', q: 'x' }]) {
        const { json } = await get({ ...query, include: 'total,facets' });
        expect(json.total).to.equal(json.data.length);
      }
    });

    it('returns the same counts if few or most of many images match', async () => {
      await add(
        ...Array.from({ length: 2_500 }, (_, at) => ({
          tags: [`t${at % 3}`, `u${at % 7}`],
          orientation: at % 2 ? 'square' : 'portrait',
          bytes: at,
        })),
      );
      const recount = async (condition: string) =>
        (
          await api.rows<{ tag: string; n: number }>(
            `SELECT tag, count(*)::int AS n FROM image_index, unnest(tags) tag
             WHERE ${condition} GROUP BY 1 ORDER BY 2 DESC, 1`,
          )
        ).map(({ tag, n }) => `${tag} ${n}`);
      const searches: [Record<string, string | string[]>, string][] = [
        [{ min_bytes: '1' }, 'bytes >= 1'],
        [{ min_bytes: '2000' }, 'bytes >= 2000'],
        [{ max_bytes: '2300', tag: 't1,u1' }, 'bytes <= 2300'],
        [{ orientation: 'square,portrait' }, 'true'],
        [{ state: 'available' }, 'true'],
      ];
      for (const [search, condition] of searches) {
        expect((await counts(search)).tag, condition).to.deep.equal(await recount(condition));
      }
      await api.rows('DELETE FROM object WHERE bytes >= 2499');
      expect((await counts({ min_bytes: '3' })).tag).to.deep.equal(await recount('bytes >= 3'));
    });

    it('returns the hundred most frequent tags', async () => {
      await add(...Array.from({ length: 150 }, (_, at) => ({ tags: [`t${at}`, `u${at % 120}`] })));
      for (const query of [{}, { min_bytes: '1' }]) {
        const { tag } = await counts(query);
        expect(tag).to.have.length(100);
        expect(tag.slice(0, 31)).to.deep.equal([
          ...Array.from({ length: 30 }, (_, at) => `u${at} 2`).sort(),
          't0 1',
        ]);
      }
    });
  });

  describe('with a misspelt word', () => {
    it('corrects it to a word of the project if there are few results', async () => {
      await add(
        { title: 'lighthouse at dawn' },
        { title: 'lighthouse at dusk' },
        { title: 'lightness' },
        { title: 'café' },
      );
      const expected: [string, string | undefined, number][] = [
        ['lighthuose', 'lighthouse', 2],
        ['lihgthouse dawn', 'lighthouse dawn', 1],
        ['dawn OR ligthouse', 'dawn OR lighthouse', 2],
        ['cafe', undefined, 1],
        ['caffe', 'cafe', 1],
        ['dwan', 'dawn', 1],
        ['lighthouse', undefined, 2],
        ['light', undefined, 3],
        // Two wrong words, an excluded one, a phrase, a word with a digit, a different word.
        ['lihgthouse dwan', undefined, 0],
        ['"lighthuose"', undefined, 0],
        ['dawn1', undefined, 0],
        ['elephant', undefined, 0],
      ];
      for (const [q, corrected, found] of expected) {
        const { json } = await get({ q, include: 'total' });
        expect([json.mended_query, json.total, json.data.length], q).to.deep.equal([
          corrected,
          found,
          found,
        ]);
      }
      const { json } = await get({ q: '-lighthuose dawns', include: 'highlights' });
      expect(json.mended_query).to.equal('-lighthuose dawn');
      expect(json.data[0].highlights.title[1]).to.deep.equal({ text: 'dawn', match: true });
    });

    it('keeps the correction on the following pages', async () => {
      await add(...Array.from({ length: 5 }, (_, at) => ({ title: `lighthouse ${at}` })));
      const first = await get({ q: 'lighthuose', limit: '3', include: 'total' });
      expect([first.json.data.length, first.json.total]).to.deep.equal([3, 5]);
      const next = await get({
        q: 'lighthuose',
        limit: '3',
        include: 'total',
        cursor: first.json.next_cursor,
      });
      expect([next.json.data.length, next.json.total, next.json.mended_query]).to.deep.equal([
        2,
        5,
        'lighthouse',
      ]);
    });

    it('does not correct it if only the page is small', async () => {
      await add(...Array.from({ length: 5 }, () => ({ title: 'lighthouse' })), { title: 'dawn' });
      const { json } = await get({ q: 'lighthouse OR dwan', limit: '1', include: 'total' });
      expect([json.mended_query, json.total]).to.deep.equal([undefined, 5]);
    });

    it('does not correct it to a word that no image contains any more', async () => {
      const [, gone] = await add({ title: 'lighthouse' }, { title: 'elephant' });
      await api.rows('DELETE FROM object o USING image i WHERE i.id = $1 AND o.id = i.object_id', [
        gone,
      ]);
      expect((await get({ q: 'elehpant' })).json.mended_query).to.equal(undefined);
      await inProject(api.deps.database, api.projectId, (tx) => tidyIndex(tx, api.projectId));
      const words = await api.rows<{ word: string }>('SELECT word FROM image_word ORDER BY word');
      expect(words.map(({ word }) => word)).to.deep.equal(['jpg', 'lighthouse', 'picture']);
      const left = await api.rows('SELECT FROM image_count_delta WHERE project_id = $1', [
        api.projectId,
      ]);
      expect(left).to.deep.equal([]);
    });

    it('corrects it only to an existing word with more results', async () => {
      const [id] = await add({ title: 'harbour' }, { title: 'harbor' });
      await api.rows(`UPDATE image SET title = 'port' WHERE id = $1`, [id]);
      expect((await get({ q: 'harbours' })).json.mended_query).to.equal('harbor');
      await add({ title: 'sunest' });
      await api.rows(`UPDATE image SET title = 'sunset' WHERE title = 'sunest'`);
      expect((await get({ q: 'sunest' })).json.mended_query).to.equal('sunset');
    });
  });
});
