import type { SearchResult } from '@scriptorium/contracts/wire/library/search';
import { expect } from 'chai';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { addDocument } from '../../support/document-text.ts';
import { addImages, type TestImage } from '../../support/library.ts';
import { addPolicy } from '../../support/policies.ts';

describe('the search over objects and images', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  beforeEach(async () => {
    await api.rows('DELETE FROM policy');
    await api.rows('DELETE FROM object');
    await api.rows('DELETE FROM image_word');
  });

  const get = (parameters: Record<string, string>, tenant: Tenant = api) =>
    api.call('GET', `/v1/search?${new URLSearchParams(parameters)}`, tenant);
  const search = async (parameters: Record<string, string>, tenant: Tenant = api) => {
    const { status, text, json } = await get(parameters, tenant);
    expect(status, text).to.equal(200);
    return json;
  };
  const results = async (q: string, more: Record<string, string> = {}): Promise<SearchResult[]> =>
    (await search({ q, ...more })).data;
  const titles = async (q: string, more: Record<string, string> = {}): Promise<string[]> =>
    (await results(q, more)).map(({ title }) => title);
  const addPictures = (...pictures: TestImage[]) => addImages(api, api, pictures);
  const marked = ({ excerpt }: SearchResult): string =>
    (excerpt ?? []).map(({ text, match }) => (match ? `[${text}]` : text)).join('');

  it('ranks titles, then names and tags, descriptions and text, in one list', async () => {
    const [described, tagged, titled] = await addPictures(
      { title: 'Boat', description: 'A heron in the reeds' },
      { title: 'Reeds', tags: ['heron'] },
      { title: 'Heron', filename: 'a.jpg' },
    );
    const objectId = await addDocument(
      api,
      'birds.txt',
      'Contents',
      'The grey heron\nstands still.',
    );
    const found = await results('heron');
    expect(found.map(({ type, id }) => [type, id])).to.deep.equal([
      ['image', titled],
      ['image', tagged],
      ['image', described],
      ['object', objectId],
    ]);
    expect(found.map(({ field, page }) => [field, page])).to.deep.equal([
      ['title', null],
      ['tags', null],
      ['description', null],
      ['text', 2],
    ]);
    expect(found.map(marked)).to.deep.equal([
      '[Heron]',
      '[heron]',
      'A [heron] in the reeds',
      'The grey [heron] stands still.',
    ]);
    const scores = found.map(({ score }) => score);
    expect(scores).to.deep.equal(scores.toSorted((a, b) => b - a));
    expect(scores.at(-1)).to.be.greaterThan(0);
  });

  it('ranks an old title above newer texts, and lists every match of a frequent word', async () => {
    const [old] = await addPictures({ title: 'Harbour' });
    await addPictures(
      ...Array.from({ length: 620 }, (_, at) => ({
        description: `harbour ${at % 2 ? 'quay' : ''}`,
      })),
    );
    const found: SearchResult[] = [];
    let cursor: string | null = null;
    do {
      const page = await search({ q: 'harbour', limit: '200', ...(cursor ? { cursor } : {}) });
      found.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor);
    expect(found[0]?.id).to.equal(old);
    expect(found).to.have.lengthOf(621);
    expect(new Set(found.map(({ id }) => id))).to.have.lengthOf(621);
    // Those that are not ranked are the oldest ones, newest first.
    const rest = found.filter(({ score }) => score === 0).map(({ object_id: id }) => id);
    expect(rest).to.have.lengthOf(120);
    expect(rest).to.deep.equal(rest.toSorted().reverse());
    const { stops } = await search({ q: 'harbour', limit: '1', include: 'stops' });
    expect(stops.cursors).to.have.lengthOf(3);
    for (const [at, stop] of stops.cursors.entries()) {
      const { data } = await search({ q: 'harbour', limit: '1', cursor: stop });
      expect(data[0]?.id).to.equal(found[(at + 1) * 200]?.id);
    }
  });

  it('ranks matches of a query with an excluded word', async () => {
    await addPictures({ title: 'Heron' }, { description: 'a heron' }, { title: 'Heron, flying' });
    const found = await results('heron -flying');
    expect(found.map(({ field }) => field)).to.deep.equal(['title', 'description']);
    expect(found[0]?.score).to.be.greaterThan(found[1]!.score);
  });

  it('finds the words of a query in different fields of one result', async () => {
    await addPictures({ title: 'Harbour', tags: ['dusk'], filename: 'IMG_4711.jpg' });
    await addDocument(api, 'minutes.txt', 'The harbour board met at dusk.');
    expect(await titles('harbour dusk 4711')).to.deep.equal(['Harbour']);
    expect(await titles('minutes harbour')).to.deep.equal(['minutes.txt']);
    expect(await titles('harbour -board')).to.deep.equal(['Harbour']);
    expect(await titles('"board met"')).to.deep.equal(['minutes.txt']);
    expect(await titles('minutes OR img dusk')).to.have.members(['Harbour', 'minutes.txt']);
    expect(await titles('-harbour')).to.deep.equal([]);
  });

  it('finds cameras and strings of metadata', async () => {
    const [image] = await addPictures({ title: 'Quay' });
    await api.rows('UPDATE image SET camera = $2 WHERE id = $1', [
      image,
      '{"make": "Meridian", "model": "Observer 4", "lens": "Tarn 50mm", "iso": 200}',
    ]);
    expect(await titles('tarn 50mm')).to.deep.equal(['Quay']);
    await api.rows(`UPDATE object SET metadata = '{"place": {"town": "Lindhaven"}}'`);
    const [byCamera] = await results('observer');
    expect([byCamera?.id, byCamera?.field]).to.deep.equal([image, 'camera']);
    const [byPlace] = await results('lindhaven quay');
    expect([byPlace?.id, byPlace?.field]).to.deep.equal([image, 'metadata']);
  });

  it('finds pictures by the city at or near their location, and its country', async () => {
    const [ferry] = await addPictures(
      { title: 'Ferry', location: [-42.9, 147.3] },
      { title: 'At sea', location: [-40, 160] },
    );
    const [found, ...others] = await results('hobart');
    expect([found?.id, found?.field, marked(found!), others.length]).to.deep.equal([
      ferry,
      'place',
      '[Hobart], Australia',
      0,
    ]);
    expect(await titles('ferry australia')).to.deep.equal(['Ferry']);
    expect((await search({ q: 'hobrat' })).mended_query).to.equal('hobart');
    await api.rows('UPDATE object SET tags = $1', [['t']]);
    expect(await titles('hobart t')).to.deep.equal(['Ferry']);
    const move = (location: string | null) =>
      api.rows('UPDATE image SET location = $2 WHERE id = $1', [ferry, location]);
    await move('{"latitude": 40.7, "longitude": -74}');
    expect(await titles('hobart')).to.deep.equal([]);
    expect(await titles('new york')).to.deep.equal(['Ferry']);
    await move('{"latitude": -17, "longitude": -179.9}');
    expect(await titles('fiji')).to.deep.equal([]);
    await move(null);
    expect(await titles('united states')).to.deep.equal([]);
    expect(await titles('ferry')).to.deep.equal(['Ferry']);
    const tenant = await api.issue(['objects:read']);
    await move('{"latitude": -42.9, "longitude": 147.3}');
    expect((await search({ q: 'hobart' }, tenant)).data).to.deep.equal([]);
  });

  it('finds pictures by who made them, and by their copyright', async () => {
    const [gull, heron] = await addPictures({ title: 'Gull' }, { title: 'Heron' });
    await api.rows(
      `UPDATE image SET creator = 'Ada Vane; Bo Lund', copyright = '© Lindhaven Press' WHERE id = $1`,
      [gull],
    );
    const [found, ...others] = await results('ada vane');
    expect([found?.id, found?.field, marked(found!), others.length]).to.deep.equal([
      gull,
      'creator',
      '[Ada] [Vane]; Bo Lund',
      0,
    ]);
    const [printed] = await results('lindhaven');
    expect([printed?.id, printed?.field]).to.deep.equal([gull, 'copyright']);
    expect((await search({ q: 'lindhavn' })).mended_query).to.equal('lindhaven');
    // Other changes of the object keep the words.
    await api.rows('UPDATE object SET tags = $1', [['bird']]);
    expect(await titles('lund bird')).to.deep.equal(['Gull']);
    await api.rows('UPDATE image SET creator = NULL');
    expect(await titles('lund')).to.deep.equal([]);
    await api.rows(`UPDATE image SET creator = 'Bo Lund' WHERE id = $1`, [heron]);
    expect(await titles('lund')).to.deep.equal(['Heron']);
    const tenant = await api.issue(['objects:read']);
    expect((await search({ q: 'lund' }, tenant)).data).to.deep.equal([]);
  });

  it('filters images as their list does, and counts their orientations', async () => {
    const [wide, tall] = await addPictures(
      { title: 'Wide heron', width: 900, height: 600, orientation: 'landscape', rating: 4 },
      { title: 'Tall heron', width: 600, height: 900, orientation: 'portrait', tags: ['bird'] },
    );
    await addDocument(api, 'heron.txt', 'A heron.');
    const ids = async (parameters: Record<string, string>) =>
      (await results('heron', parameters)).map(({ id }) => id);
    expect(await ids({ kind: 'image' })).to.have.members([wide, tall]);
    expect(await ids({ orientation: 'portrait' })).to.deep.equal([tall]);
    expect(await ids({ min_width: '700' })).to.deep.equal([wide]);
    expect(await ids({ min_rating: '4' })).to.deep.equal([wide]);
    expect(await ids({ untagged: 'true' })).to.deep.equal([wide]);
    const { facets, total } = await search({
      q: 'heron',
      kind: 'image',
      orientation: 'portrait',
      include: 'facets,total',
    });
    expect(total).to.equal(1);
    expect(facets.orientation).to.deep.equal([
      { value: 'landscape', count: 1 },
      { value: 'portrait', count: 1 },
    ]);
    const everything = await search({ q: 'heron', include: 'facets' });
    expect(everything.facets).to.have.all.keys('mime', 'tag');
    const tenant = await api.issue(['objects:read']);
    expect((await get({ q: 'heron', min_rating: '1' }, tenant)).status).to.equal(403);
    const wrong = await get({ q: 'heron', min_width: '9', max_width: '8' });
    expect([wrong.status, wrong.json.code]).to.deep.equal([400, 'invalid_parameter']);
  });

  it('follows every change of an object and its image at once', async () => {
    const [id] = await addPictures({ title: 'Before', filename: 'one.jpg' });
    const change = (body: object) => api.call('PATCH', `/v1/images/${id}`, { body });
    await change({ title: 'After', description: 'the words' });
    expect(await titles('before')).to.deep.equal([]);
    expect(await titles('after words')).to.deep.equal(['After']);
    await change({ tags: ['label'] });
    expect(await titles('after words label')).to.deep.equal(['After']);
    await change({ title: null });
    expect(await titles('after')).to.deep.equal([]);
    expect(await titles('words label one')).to.deep.equal(['one.jpg']);
  });

  it('ignores case and accents, and matches the last word as a prefix', async () => {
    await addPictures({ title: 'Überseehafen São Paulo', description: '日本語 の 写真' });
    for (const q of ['uberseehafen', 'ÜBERSEEHAFEN', 'sao paul', 'sa\u0303o', '写真', '日本']) {
      expect(await titles(q), q).to.deep.equal(['Überseehafen São Paulo']);
    }
    expect((await results('sao')).map(marked)).to.deep.equal(['Überseehafen [São] Paulo']);
  });

  it('shows the passage with the most words, between dots', async () => {
    const filler = 'and so on '.repeat(40);
    await addDocument(api, 'long.txt', `Tax ${filler} the tax return of the year ${filler}`);
    const [found] = await results('tax return');
    expect(marked(found!))
      .to.match(/^…\S.* the \[tax\] \[return\] of the year .*…$/)
      .and.have.length.below(260);
  });

  it('lists page after page without repeating a result, with total, facets and stops', async () => {
    await addPictures(
      ...Array.from({ length: 7 }, (_, at) => ({
        title: at % 2 ? 'Crane' : `Crane ${at}`,
        tags: ['t'],
      })),
    );
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await search({ q: 'crane', limit: '3', ...(cursor ? { cursor } : {}) });
      found.push(...page.data.map(({ id }: SearchResult) => id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(new Set(found)).to.have.lengthOf(7);
    expect(found).to.have.lengthOf(7);
    const counted = await search({ q: 'crane', limit: '1', include: 'total,facets,months,stops' });
    expect(counted.total).to.equal(7);
    expect(counted.facets.tag).to.deep.equal([{ value: 't', count: 7 }]);
    expect(counted.months).to.have.lengthOf(1);
    expect(counted.stops).to.deep.equal({ every: 200, cursors: [] });
    const mismatch = await get({ q: 'heron', limit: '1', cursor: counted.next_cursor });
    expect([mismatch.status, mismatch.json.code]).to.deep.equal([400, 'cursor_mismatch']);
  });

  it('takes the filters of the list of objects, and a kind', async () => {
    await addPictures({ title: 'Swan', tags: ['lake'] }, { title: 'Swan', state: 'trashed' });
    await addDocument(api, 'swan.txt');
    expect(await titles('swan')).to.have.members(['Swan', 'swan.txt']);
    expect(await titles('swan', { kind: 'image' })).to.deep.equal(['Swan']);
    expect(await titles('swan', { kind: 'object' })).to.deep.equal(['swan.txt']);
    expect(await titles('swan', { kind: 'object,image' })).to.have.lengthOf(2);
    expect(await titles('swan', { tag: 'LAKE' })).to.deep.equal(['Swan']);
    expect(await titles('swan', { mime: 'text/*' })).to.deep.equal(['swan.txt']);
    expect(await titles('swan', { state: 'trashed' })).to.deep.equal(['Swan']);
    expect(await titles('swan', { created_before: '2001-01-01' })).to.deep.equal([]);
  });

  it('leaves out what was made from a match, wherever their words are', async () => {
    const source = await addDocument(api, 'minutes.txt', 'The heron stands still.');
    const made = await addDocument(api, 'heron.txt');
    await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [made, source]);
    expect(await titles('heron')).to.deep.equal(['heron.txt', 'minutes.txt']);
    expect(await titles('heron', { originals: 'true' })).to.deep.equal(['minutes.txt']);
  });

  it('corrects a misspelt word of a title, a name or a text', async () => {
    await addPictures({ title: 'Lighthouse' });
    await addDocument(api, 'quarterly.txt', 'The photographed buoys');
    for (const [q, corrected, title] of [
      ['lighthuose', 'lighthouse', 'Lighthouse'],
      ['quaterly', 'quarterly', 'quarterly.txt'],
      ['fotographed buoys', 'photographed buoys', 'quarterly.txt'],
    ] as const) {
      const { mended_query: searched, data } = await search({ q });
      expect([searched, data[0]?.title], q).to.deep.equal([corrected, title]);
    }
    expect((await search({ q: 'lighthouse' })).mended_query).to.equal(undefined);
    expect((await search({ q: 'elephant' })).mended_query).to.equal(undefined);
  });

  it('shows nothing of another project', async () => {
    await addPictures({ title: 'Secret' });
    await addDocument(api, 'ours.txt', 'secret passage');
    for (const q of ['secret', 'sercet']) {
      const {
        data,
        mended_query: searched,
        total,
      } = await search({ q, include: 'total' }, api.other);
      expect([data, searched, total]).to.deep.equal([[], undefined, 0]);
    }
  });

  it('does not search the words of images without the right to read images', async () => {
    const [image] = await addPictures({
      title: 'Kestrel',
      description: 'a hovering bird',
      tags: ['sky'],
      filename: 'kestrel-1.jpg',
    });
    const tenant = await api.issue(['objects:read']);
    const [row] = await api.rows<{ object_id: string }>(
      'SELECT object_id FROM image WHERE id = $1',
      [image],
    );
    const { data } = await search({ q: 'kestrel' }, tenant);
    expect(data.map(({ type, id, title }: SearchResult) => [type, id, title])).to.deep.equal([
      ['object', row!.object_id, 'kestrel-1.jpg'],
    ]);
    expect((await search({ q: 'hovering' }, tenant)).data).to.deep.equal([]);
    expect((await search({ q: 'hoverign' }, tenant)).mended_query).to.equal(undefined);
    expect((await search({ q: 'kestrel -hovering sky' }, tenant)).data).to.have.lengthOf(1);
    const list = await api.call('GET', '/v1/objects?q=hovering', tenant);
    expect(list.json.data).to.deep.equal([]);
    expect((await api.call('GET', '/v1/objects?q=hovering')).json.data).to.have.lengthOf(1);
    const asImage = await get({ q: 'kestrel', kind: 'image' }, tenant);
    expect([asImage.status, asImage.json.code]).to.deep.equal([403, 'insufficient_scope']);
  });

  describe('where a policy applies to reading', () => {
    beforeEach(async () => {
      await addDocument(api, 'contract.txt', 'Paid to Amelia Lindqvist in full');
      await addDocument(api, 'menu.txt', 'Soup paid in full');
    });
    const require = (rule: object) => addPolicy(api, { actions: ['read'], rules: [rule] });
    const deny = () => require({ type: 'ip_deny', cidrs: ['127.0.0.0/8', '::1/128'] });

    it('neither finds nor shows text that it withholds', async () => {
      await deny();
      expect(await titles('amelia')).to.deep.equal([]);
      expect(await titles('contract lindqvist')).to.deep.equal([]);
      // A name is not text, and the exclusion of a withheld word excludes nothing.
      const [found] = await results('contract -amelia');
      expect([found?.title, found?.field, found?.page]).to.deep.equal([
        'contract.txt',
        'filename',
        null,
      ]);
      expect(JSON.stringify(await search({ q: 'contract full OR contract' }))).not.to.include(
        'Paid',
      );
    });

    it('does not correct a word to one that it withholds', async () => {
      await deny();
      const { mended_query: searched, data } = await search({ q: 'lindqivst' });
      expect([searched, data]).to.deep.equal([undefined, []]);
    });

    it('searches and shows the redacted text where it requires a redaction', async () => {
      await api.rows(
        `INSERT INTO object_text (project_id, object_id, page, redacted, vector, free_of, worth, job_id, text)
         SELECT project_id, id, 1, true, to_tsvector('library', 'paid to in full'), '{name}', 1, 'job_1', 'Paid to ▮▮▮ in full'
         FROM object WHERE filename = 'contract.txt'`,
      );
      await api.rows(
        `UPDATE object_index SET redacted_text = to_tsvector('library', 'paid to in full'), redacted_free_of = '{name}'
         WHERE object_id = (SELECT id FROM object WHERE filename = 'contract.txt')`,
      );
      await require({ type: 'require_redaction', entities: ['name'] });
      expect(await titles('amelia')).to.deep.equal([]);
      const [found, ...others] = await results('paid');
      expect(others).to.deep.equal([]);
      expect([found?.title, marked(found!), found?.page]).to.deep.equal([
        'contract.txt',
        '[Paid] to ▮▮▮ in full',
        1,
      ]);
    });

    it('gives a result the same score whatever its withheld text', async () => {
      const scoreOf = async (q: string) =>
        (await results(q)).map(({ title, score }) => [title, score]);
      await deny();
      const before = await scoreOf('contract');
      await api.rows(
        `UPDATE object_index SET text = to_tsvector('library', 'contract contract contract')
         WHERE object_id = (SELECT id FROM object WHERE filename = 'contract.txt')`,
      );
      expect(await scoreOf('contract')).to.deep.equal(before);
    });
  });

  it('rejects invalid queries, and accepts any words', async () => {
    for (const [parameters, code, parameter] of [
      [{}, 'required', 'q'],
      [{ q: '' }, 'too_short', 'q'],
      [{ q: 'x'.repeat(501) }, 'too_long', 'q'],
      [{ q: 'a '.repeat(40) }, 'too_many_words', 'q'],
      [{ q: 'a', kind: 'folder' }, 'not_allowed', 'kind'],
      [{ q: 'a', bbox: '1,2,3' }, undefined, 'bbox'],
      [{ q: 'a', sort: 'filename' }, 'unknown_parameter', 'sort'],
    ] as [Record<string, string>, string | undefined, string][]) {
      const { status, json, text } = await get(parameters);
      expect(status, text).to.equal(400);
      const [fault] = json.errors;
      expect(fault.parameter, text).to.equal(parameter);
      if (code) expect(fault.code, text).to.equal(code);
    }
    for (const q of ["'", '\\', 'a & b | !c <-> d', 'a:*', '"unclosed', '((', 'OR OR', '-', '*']) {
      expect((await get({ q })).status, q).to.equal(200);
    }
  });
});
