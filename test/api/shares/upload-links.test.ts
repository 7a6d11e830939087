import { expect } from 'chai';
import { frozenRateLimits, startApi, type TestApi } from '../../support/api.ts';
import { onePixelPng } from '../../support/fixtures.ts';
import { addPolicy } from '../../support/policies.ts';
import { filePart, formField, formType, multipartForm } from '../../support/uploads.ts';

describe('links for uploads', () => {
  let api: TestApi;
  let collection: string;
  before(async () => {
    api = await startApi({ deps: () => frozenRateLimits() });
    collection = (await api.call('POST', '/v1/collections', { body: { name: 'Regatta' } })).json.id;
  });
  after(() => api.close());

  const share = async (body: object = {}) => {
    const made = await api.call('POST', '/v1/shares', { body: { kind: 'upload', ...body } });
    if (made.status !== 201) throw new Error(made.text);
    return made.json;
  };
  const send = async (
    url: string,
    bytes: Buffer | string,
    name: string,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${url}/files`, {
      method: 'POST',
      body: bytes as string,
      headers: {
        accept: 'application/json',
        'content-type': 'application/octet-stream',
        'x-filename': encodeURIComponent(name),
        ...headers,
      },
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
    const json: any = await response.json();
    return { status: response.status, json };
  };
  const uploadsOf = async (id: string) => (await api.call('GET', `/v1/shares/${id}`)).json.uploads;
  const objectsNamed = (name: string) =>
    api.rows<{ id: string; metadata: object; tags: string[] }>(
      'SELECT id, metadata, tags FROM object WHERE filename = $1',
      [name],
    );

  it('add what people send to their collection, with who sent it', async () => {
    const { url, id } = await share({ collection_id: collection, title: 'Photos' });
    const sent = await send(url, onePixelPng, 'Größe <1>.png', {
      'x-uploader-name': encodeURIComponent('Zoë Øst'),
    });
    expect([sent.status, sent.json]).to.deep.equal([
      201,
      { filename: 'Größe _1_.png', mime: 'image/png', bytes: onePixelPng.length },
    ]);
    const [object] = await objectsNamed('Größe _1_.png');
    expect(object!.metadata).to.deep.equal({ share_id: id, uploaded_by: 'Zoë Øst' });
    const { json } = await api.call('GET', `/v1/collections/${collection}/members`);
    expect(json.data.map((one: { resource_type: string }) => one.resource_type)).to.deep.equal([
      'image',
    ]);
    const [event] = await api.rows<Record<string, unknown>>(
      `SELECT actor_type, actor_id, actor_name FROM event
       WHERE type = 'dam.object.created' AND resource_id = $1`,
      [object!.id],
    );
    expect(event).to.deep.equal({ actor_type: 'share', actor_id: id, actor_name: 'Photos' });
    expect(await uploadsOf(id)).to.equal(1);
  });

  it('show nothing of what is there', async () => {
    const { url } = await share({ collection_id: collection });
    const [object] = await objectsNamed('Größe _1_.png');
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    const text = await page.text();
    expect(text).to.contain('type="file"').and.not.to.contain('Größe');
    const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1];
    expect(script).to.contain('X-Filename');
    expect(page.headers.get('content-security-policy')).to.match(
      /script-src 'sha256-[^']+'; connect-src 'self'/,
    );
    const statuses = { '': 404, '/preview': 404, '/download': 403 };
    for (const [leaf, status] of Object.entries(statuses)) {
      const answer = await fetch(`${url}/files/${object!.id}${leaf}`);
      expect([leaf, answer.status]).to.deep.equal([leaf, status]);
    }
    expect((await fetch(`${url}/collections/${collection}`)).status).to.equal(404);
    expect((await fetch(`${url}/archive`)).status).to.equal(403);
  });

  it('reject what is of another kind, by its bytes, and what is too large', async () => {
    const { url, id } = await share({ accept: ['image/*', 'application/pdf'], max_bytes: 100 });
    const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(64)]);
    const renamed = await send(url, program, 'photo.png', { 'content-type': 'image/png' });
    expect(renamed.status).to.be.oneOf([403, 415]);
    const page = await send(url, '<!doctype html><script>alert(1)</script>', 'photo.png');
    expect([page.status, page.json.code]).to.deep.equal([415, 'unsupported_media_type']);
    expect(page.json.detail).to.contain('text/html').and.to.contain('image/*, application/pdf');
    const large = await send(url, Buffer.concat([onePixelPng, Buffer.alloc(100)]), 'large.png');
    expect([large.status, large.json.limit_bytes]).to.deep.equal([413, 100]);
    expect((await send(url, '', 'empty.png')).status).to.equal(422);
    expect((await send(url, onePixelPng, 'small.png')).status).to.equal(201);
    expect(await uploadsOf(id)).to.equal(1);
    const [none] = await api.rows<{ n: number }>(
      `SELECT count(*)::integer AS n FROM object WHERE filename = 'photo.png'`,
    );
    expect(none!.n).to.equal(0);
  });

  it('obey policies on uploads, without saying which', async () => {
    const { url } = await share();
    const policy = await addPolicy(api, {
      actions: ['upload'],
      rules: [{ type: 'allowed_mime_types', exclude: ['text/csv'] }],
    });
    const sent = await send(url, 'a,b\n1,2\n', 'table.csv');
    expect([sent.status, sent.json.code]).to.deep.equal([403, 'policy_denied']);
    expect(JSON.stringify(sent.json)).not.to.contain(policy).and.not.to.contain('csv');
    const [denied] = await api.rows<{ actor_type: string }>(
      `SELECT actor_type FROM event WHERE type = 'dam.policy.denied' AND resource_id = $1`,
      [policy],
    );
    expect(denied).to.deep.equal({ actor_type: 'share' });
    await api.rows('DELETE FROM policy WHERE id = $1', [policy]);
  });

  it('take a form of one file, and nothing that would tag it', async () => {
    const { url } = await share();
    const post = (body: Buffer) =>
      fetch(`${url}/files`, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { accept: 'text/html', 'content-type': formType },
      });
    const page = await post(multipartForm(filePart('By a form', 'form.txt')));
    expect([page.status, (await page.text()).includes('form.txt')]).to.deep.equal([201, true]);
    const tagged = await post(
      multipartForm(filePart('Tagged', 'tagged.txt'), formField('tags', 'vip')),
    );
    expect(tagged.status).to.equal(422);
    expect(await objectsNamed('tagged.txt')).to.deep.equal([]);
  });

  it('take exactly as many files as they allow, however many come at once', async () => {
    const { url, id } = await share({ max_files: 2 });
    const sent = await Promise.all(
      Array.from({ length: 6 }, (_, at) => send(url, `File ${at}`, `at-once-${at}.txt`)),
    );
    expect(sent.filter(({ status }) => status === 201)).to.have.length(2);
    expect(sent.filter(({ status }) => status === 410)).to.have.length(4);
    expect(await uploadsOf(id)).to.equal(2);
    const [stored] = await api.rows<{ n: number }>(
      `SELECT count(*)::integer AS n FROM object WHERE filename LIKE 'at-once-%'`,
    );
    expect(stored!.n).to.equal(2);
    expect((await fetch(url)).status).to.equal(410);
  });

  it('need their password, and end with their share and their collection', async () => {
    const { url, id } = await share({ password: 'low tide at nine' });
    expect((await send(url, 'A', 'a.txt')).json.code).to.equal('share_entry_required');
    const entered = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ password: 'low tide at nine' }),
    });
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
    expect((await send(url, 'A', 'a.txt', { cookie })).status).to.equal(201);
    await api.call('DELETE', `/v1/shares/${id}`);
    expect((await send(url, 'B', 'b.txt', { cookie })).status).to.equal(410);
    const target = await api.call('POST', '/v1/collections', { body: { name: 'Short' } });
    const into = await share({ collection_id: target.json.id });
    await api.call('DELETE', `/v1/collections/${target.json.id}`);
    expect((await send(into.url, 'C', 'c.txt')).status).to.equal(410);
    const viewing = await api.call('POST', '/v1/shares', { body: { collection_id: collection } });
    expect((await send(viewing.json.url, 'D', 'd.txt')).status).to.equal(404);
  });
});
