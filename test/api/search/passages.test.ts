import type { PassageRecord } from '@scriptorium/contracts/wire/library/passages';
import { expect } from 'chai';
import { startApi, type Tenant, type TestApi } from '../../support/api.ts';
import { addDocument } from '../../support/document-text.ts';
import { addPolicy } from '../../support/policies.ts';

describe('the search for passages', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ settings: { ocrLanguages: ['deu', 'eng', 'jpn'] } });
  });
  after(() => api.close());
  beforeEach(async () => {
    await api.rows('DELETE FROM policy');
    await api.rows('DELETE FROM object');
    await api.rows('DELETE FROM image_word');
  });

  const post = (body: object, tenant: Tenant = api) =>
    api.call('POST', '/v1/search/passages', { ...tenant, body });
  const find = async (q: string, more: object = {}, tenant?: Tenant): Promise<PassageRecord[]> => {
    const { status, text, json } = await post({ query: q, ...more }, tenant);
    expect(status, text).to.equal(200);
    return json.data;
  };
  const places = async (q: string, more: object = {}): Promise<string[]> =>
    (await find(q, more)).map(({ filename, page }) => `${filename} ${page}`);
  const marked = ({ excerpt }: PassageRecord): string =>
    excerpt.map(({ text, match }) => (match ? `[${text}]` : text)).join('');

  it('ranks passages with more and rarer words of a question first', async () => {
    await addDocument(
      api,
      'harbour.txt',
      'The harbour was built in 1840. The harbour is large.',
      'Ships wait outside of the harbour at low tide, because its depth is four metres.',
      'Another harbour is in the north of the island, behind the hills.',
      'The lights of a harbour are red and green.',
    );
    await addDocument(api, 'garden.txt', 'The depth of a pond is one metre.');
    const found = await find('What is the depth of the harbour?');
    expect(found.map(({ filename, page }) => `${filename} ${page}`).slice(0, 3)).to.deep.equal([
      'harbour.txt 2',
      'garden.txt 1',
      'harbour.txt 1',
    ]);
    expect(marked(found[0]!)).to.equal(
      'Ships wait outside of the [harbour] at low tide, because its [depth] is four metres.',
    );
    const scores = found.map(({ score }) => score);
    expect(scores).to.deep.equal(scores.toSorted((a, b) => b - a));
  });

  it('ranks passages with several words among more passages than it can rank', async () => {
    const page = (at: number): string => `The ${at % 2 === 0 ? 'ferry' : 'bridge'} of page ${at}.`;
    for (let from = 0; from < 2_400; from += 400) {
      const pages = Array.from({ length: 400 }, (_, at) => page(from + at));
      await addDocument(api, `${from}.txt`, ...pages);
    }
    await addDocument(api, 'both.txt', 'The long ferry is at the bridge.');
    await addDocument(api, 'long.txt', ...Array.from({ length: 950 }, () => 'A long letter.'));
    const [first] = await places('Where are the ferry and the bridge?');
    expect(first).to.equal('both.txt 1');
    const [best] = await places('Is the long ferry at a bridge of iron?');
    expect(best).to.equal('both.txt 1');
  });

  it('finds other forms of words in the given languages, and in the installed ones', async () => {
    await addDocument(api, 'a.txt', 'Two ferries crossed the strait.');
    await addDocument(api, 'b.txt', 'Die Häuser stehen am Hafen.');
    expect(await places('ferry crossing')).to.deep.equal(['a.txt 1']);
    await addDocument(api, 'c.txt', 'The ferry is late.');
    expect(await places('ferries')).to.have.members(['a.txt 1', 'c.txt 1']);
    expect(await places('haus')).to.deep.equal(['b.txt 1']);
    expect(await places('haus', { languages: ['eng'] })).to.deep.equal([]);
    expect(await places('haus', { languages: ['deu'] })).to.deep.equal(['b.txt 1']);
  });

  it('requires phrases, excludes words, and takes one word or another', async () => {
    await addDocument(api, 'a.txt', 'The pilot boat left the quay.');
    await addDocument(api, 'b.txt', 'The boat of the pilot left at dusk.');
    expect(await places('"pilot boat"')).to.deep.equal(['a.txt 1']);
    expect(await places('boat -dusk')).to.deep.equal(['a.txt 1']);
    expect(await places('quay OR dusk')).to.have.members(['a.txt 1', 'b.txt 1']);
    expect(await places('-boat')).to.deep.equal([]);
  });

  it('finds the words that exist beside words that do not', async () => {
    await addDocument(api, 'a.txt', 'The anchor is here.');
    expect(await places('unheardof anchor')).to.deep.equal(['a.txt 1']);
    expect(await places('unheardof')).to.deep.equal([]);
  });

  it('ranks words near each other above the same words far apart', async () => {
    const rest = 'Some other words stand between them here. '.repeat(8);
    await addDocument(api, 'far.txt', `Customs are strict. ${rest} The house is old.`);
    await addDocument(api, 'near.txt', `The customs house is old. ${rest} Rules are strict.`);
    expect(await places('customs house')).to.deep.equal(['near.txt 1', 'far.txt 1']);
  });

  it('divides a page into passages that end after sentences', async () => {
    const sentence = (n: number) => `Sentence ${n} is about nothing in particular but lasts.`;
    const sentences = Array.from({ length: 60 }, (_, n) => sentence(n));
    await addDocument(api, 'long.txt', `${sentences.join(' ')} The anchor is here.`);
    const [found] = await find('anchor');
    expect(found!.text).to.match(/^Sentence .*The anchor is here\.$/);
    const rows = await api.rows<{ text: string }>(`SELECT text FROM passage ORDER BY position`);
    expect(rows.map(({ text }) => text).join(' ')).to.equal(
      `${sentences.join(' ')} The anchor is here.`,
    );
    expect(Math.max(...rows.map(({ text }) => text.length))).to.be.at.most(1000);
  });

  it('filters objects as their list does', async () => {
    const id = await addDocument(api, 'a.txt', 'A mooring.');
    await addDocument(api, 'b.txt', 'A mooring.');
    await api.call('PATCH', `/v1/objects/${id}`, { body: { tags: ['chart'] } });
    expect(await places('mooring', { filter: { tag: ['Chart'] } })).to.deep.equal(['a.txt 1']);
    expect(await places('mooring', { filter: { tag: '-chart' } })).to.deep.equal(['b.txt 1']);
    expect(await places('mooring', { filter: { id: [id] } })).to.deep.equal(['a.txt 1']);
    expect(await places('mooring', { filter: { mime: 'application/pdf' } })).to.deep.equal([]);
    expect(await places('mooring', { filter: { state: 'trashed' } })).to.deep.equal([]);
    await api.call('DELETE', `/v1/objects/${id}`);
    expect(await places('mooring')).to.deep.equal(['b.txt 1']);
    expect(await places('mooring', { filter: { state: 'trashed' } })).to.deep.equal(['a.txt 1']);
  });

  it('shows nothing of another project', async () => {
    await addDocument(api, 'secret.txt', 'The lighthouse keeper sleeps.');
    expect(await find('lighthouse keeper')).to.have.lengthOf(1);
    expect(await find('lighthouse keeper', {}, api.other)).to.deep.equal([]);
  });

  describe('under policies', () => {
    const textOf = (id: string, redacted: string) =>
      api.rows(
        `WITH added AS (
           INSERT INTO object_text (project_id, object_id, page, redacted, vector, last_position,
             free_of, worth, job_id, text)
           SELECT $1, $2, 1, true, v.vector, v.last_position, '{person}', 1, 'job_1', $3
           FROM page_vector($3) v RETURNING 1)
         UPDATE object_index SET redacted_free_of = '{person}'
         WHERE project_id = $1 AND object_id = $2`,
        [api.projectId, id, redacted],
      );

    it('hides text that a policy denies', async () => {
      await addDocument(api, 'a.txt', 'The lighthouse keeper sleeps.');
      await addPolicy(api, { actions: ['read'], rules: [{ type: 'max_bytes', bytes: 1 }] });
      expect(await find('lighthouse')).to.deep.equal([]);
    });

    it('scores a passage the same, whatever text is withheld', async () => {
      await addPolicy(api, { actions: ['read'], rules: [{ type: 'max_bytes', bytes: 20 }] });
      await addDocument(api, 'a', 'The lighthouse keeper sleeps.');
      await addDocument(api, 'b', 'The keeper is awake.');
      const before = await find('lighthouse keeper');
      await addDocument(
        api,
        'withheld because of its name',
        'Lighthouse lighthouses of the keeper.',
      );
      expect(await find('lighthouse keeper')).to.deep.equal(before);
      expect(before).to.have.lengthOf(2);
    });

    it('shows what a verified redaction left where a redaction is required', async () => {
      const id = await addDocument(api, 'a.txt', 'Erik Solberg keeps the lighthouse.');
      await addDocument(api, 'b.txt', 'Another lighthouse of Erik Solberg.');
      await textOf(id, '[PERSON] keeps the lighthouse.');
      const [before] = await find('lighthouse keeps');
      expect([before!.redacted, before!.text]).to.deep.equal([
        false,
        'Erik Solberg keeps the lighthouse.',
      ]);
      await addPolicy(api, {
        actions: ['read'],
        rules: [{ type: 'require_redaction', entities: ['person'] }],
      });
      const found = await find('lighthouse');
      expect(found.map(({ text, redacted, boxes }) => [text, redacted, boxes])).to.deep.equal([
        ['[PERSON] keeps the lighthouse.', true, []],
      ]);
      expect(await find('Solberg')).to.deep.equal([]);
    });
  });

  it('ranks by a question of many sentences', async () => {
    await addDocument(api, 'a.txt', 'The lighthouse keeper sleeps.', 'Rain is falling.');
    const filler = Array.from({ length: 60 }, (_, at) => `unknown${at} word`).join(' ');
    const q = `The keeper of the lighthouse sleeps. ${filler}`;
    expect(q.length).to.be.lessThan(1_000);
    expect(await places(q)).to.deep.equal(['a.txt 1']);
  });

  it('finds nothing for a query without words or with stop words only', async () => {
    await addDocument(api, 'a.txt', 'What is the depth of the harbour?');
    for (const q of ['???', 'what is the', 'was ist die'])
      expect(await find(q), q).to.deep.equal([]);
  });

  it('rejects invalid requests with the place of the fault', async () => {
    const cases: [object, string, string][] = [
      [{ query: 'a'.repeat(100_000) }, '/query', 'too_long'],
      [{ query: '' }, '/query', ''],
      [{ query: 'a\u0000b' }, '/query', ''],
      [{}, '/query', 'required'],
      [{ query: 1 }, '/query', ''],
      [{ query: 'a', languages: ['jpn'] }, '/languages/0', ''],
      [{ query: 'a', languages: [] }, '/languages', ''],
      [{ query: 'a', limit: 51 }, '/limit', ''],
      [{ query: 'a', limit: 0 }, '/limit', ''],
      [{ query: 'a', filter: { kind: ['nothing'] } }, '/filter/kind/0', ''],
      [{ query: 'a', filter: { id: ['img_1'] } }, '/filter/id/0', ''],
      [{ query: 'a', filter: { tag: [''] } }, '/filter/tag/0', ''],
      [{ query: 'a', filter: { bbox: '9,9,9' } }, '/filter/bbox', ''],
      [{ query: 'a', filter: { q: 'b' } }, '/filter/q', 'unknown_field'],
    ];
    for (const [body, pointer] of cases) {
      const { status, text, json } = await post(body);
      expect(status, text).to.equal(422);
      expect(json.errors[0].pointer, text).to.equal(pointer);
    }
    for (const q of [
      `'`,
      `\\`,
      `"`,
      `' | '`,
      '!&|<->:*',
      'a:*',
      '𝕏 ﷺ',
      '-',
      'OR',
      '\u202e'.repeat(900),
    ]) {
      expect((await post({ query: q })).status, q).to.equal(200);
    }
    const key = await api.issue(['objects:read']);
    expect((await post({ query: 'a', filter: { bbox: '1,1,2,2' } }, key)).status).to.equal(403);
    expect((await post({ query: 'a' }, await api.issue(['images:read']))).status).to.equal(403);
  });
});
