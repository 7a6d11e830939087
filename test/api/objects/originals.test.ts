import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { filePart, formField, multipartForm, postForm } from '../../support/uploads.ts';

describe('lists of objects', () => {
  let api: TestApi;
  const ids: Record<string, string> = {};
  const upload = async (name: string, tags: string[], from?: string) => {
    const fields = tags.map((tag) => formField('tags', tag));
    const { json } = await postForm(api, multipartForm(filePart(`of ${name}`, name), ...fields));
    ids[name] = json.id;
    if (from) {
      await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [json.id, ids[from]]);
    }
  };
  const list = async (query: string) => {
    const { status, json } = await api.call('GET', `/v1/objects?sort=filename&${query}`);
    expect(status).to.equal(200);
    return json;
  };
  const named = (objects: { filename: string }[]) => objects.map(({ filename }) => filename);

  before(async () => {
    api = await startApi();
    await upload('a.txt', ['red']);
    await upload('b.md', ['red', 'blue']);
    await upload('c-of-a.txt', ['red'], 'a.txt');
    await upload('d-of-a.md', ['blue'], 'a.txt');
    await upload('e-of-c.txt', [], 'c-of-a.txt');
  });
  after(() => api.close());

  it('leave out what is derived from an object that they contain', async () => {
    const all = await list('originals=true&include=total');
    expect([named(all.data), all.total]).to.deep.equal([['a.txt', 'b.md'], 2]);
    expect(named((await list('originals=false')).data)).to.have.length(5);
    // The source does not match, so its output is listed.
    const blue = await list('originals=true&tag=blue&include=total');
    expect([named(blue.data), blue.total]).to.deep.equal([['b.md', 'd-of-a.md'], 2]);
    expect(named((await list('originals=true&q=derived+OR+md')).data)).to.deep.equal([
      'b.md',
      'd-of-a.md',
    ]);
    expect(named((await list(`originals=true&derived_from=${ids['a.txt']}`)).data)).to.deep.equal([
      'c-of-a.txt',
      'd-of-a.md',
    ]);
  });

  it('are paged without what they leave out', async () => {
    const { data, next_cursor } = await list('originals=true&limit=1');
    const next = await list(`originals=true&limit=1&cursor=${next_cursor}`);
    expect([...named(data), ...named(next.data), next.has_more]).to.deep.equal([
      'a.txt',
      'b.md',
      false,
    ]);
  });

  it('show what is derived from an object in the trash, and count it no more', async () => {
    await api.call('DELETE', `/v1/objects/${ids['c-of-a.txt']}`);
    const { data, total } = await list('originals=true&include=derived_count,total');
    const counts = data.map((one: { filename: string; derived_count: number }) => [
      one.filename,
      one.derived_count,
    ]);
    expect(counts).to.deep.equal([
      ['a.txt', 1],
      ['b.md', 0],
      ['e-of-c.txt', 0],
    ]);
    expect(total).to.equal(3);
    await api.call('POST', `/v1/objects/${ids['c-of-a.txt']}/restore`);
    expect((await list('limit=1')).data[0]).not.to.have.property('derived_count');
  });

  it('show and count what is derived from an object that was purged', async () => {
    await upload('f.txt', []);
    await upload('g-of-f.txt', [], 'f.txt');
    const before = await list('originals=true&include=total');
    expect((await api.call('DELETE', `/v1/objects/${ids['f.txt']}?purge=true`)).status).to.equal(
      204,
    );
    const { data, total } = await list('originals=true&include=total');
    expect(named(before.data)).to.deep.equal(['a.txt', 'b.md', 'f.txt']);
    expect(named(data)).to.deep.equal(['a.txt', 'b.md', 'g-of-f.txt']);
    expect([before.total, total]).to.deep.equal([3, 3]);
    await api.call('DELETE', `/v1/objects/${ids['g-of-f.txt']}?purge=true`);
  });

  it('count media types and tags, each without its own filter', async () => {
    const { facets } = await list('include=facets&mime=text/plain&tag=red,blue');
    expect(facets.mime).to.deep.equal([
      { value: 'text/markdown', count: 2 },
      { value: 'text/plain', count: 2 },
    ]);
    expect(facets.tag).to.deep.equal([{ value: 'red', count: 2 }]);
    const folded = await list('include=facets&originals=true');
    expect(folded.facets).to.deep.equal({
      mime: [
        { value: 'text/markdown', count: 1 },
        { value: 'text/plain', count: 1 },
      ],
      tag: [
        { value: 'red', count: 2 },
        { value: 'blue', count: 1 },
      ],
    });
  });

  it('count what was added in each month', async () => {
    await api.rows(`UPDATE object SET created_at = '2024-02-29T23:59:59Z' WHERE id = $1`, [
      ids['b.md'],
    ]);
    await api.rows(`UPDATE object SET created_at = '2024-03-01T00:00:00Z' WHERE id <> $1`, [
      ids['b.md'],
    ]);
    const { months } = await list('include=months');
    expect(months).to.deep.equal([
      { month: '2024-03', count: 4 },
      { month: '2024-02', count: 1 },
    ]);
    expect((await list('include=months&originals=true&tag=red')).months).to.deep.equal([
      { month: '2024-03', count: 1 },
      { month: '2024-02', count: 1 },
    ]);
  });

  it('are sorted by media type', async () => {
    const { json } = await api.call('GET', '/v1/objects?sort=-mime&originals=true&limit=1');
    const after = `/v1/objects?sort=-mime&originals=true&limit=1&cursor=${json.next_cursor}`;
    const { data } = (await api.call('GET', after)).json;
    expect([...named(json.data), ...named(data)]).to.deep.equal(['a.txt', 'b.md']);
  });
});
