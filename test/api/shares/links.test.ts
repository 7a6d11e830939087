import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { createLogger } from '../../../src/logger.ts';
import { frozenRateLimits, startApi, type TestApi } from '../../support/api.ts';
import { openImaging } from '../../support/imaging.ts';
import { quarteredPicture } from '../../support/pictures.ts';
import { addPolicy } from '../../support/policies.ts';
import { postRaw } from '../../support/uploads.ts';

/** Visits name the hash of the password, which is empty here. */
const hashOfNothing = createHash('sha256').update('').digest('base64url');

describe('shared links', () => {
  let api: TestApi;
  let logged = '';
  let top: string;
  let below: string;
  let plan: string;
  let deep: string;
  let elsewhere: string;
  before(async () => {
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += chunk;
        done();
      },
    });
    api = await startApi({
      deps: () => ({ ...frozenRateLimits(), logger: createLogger('trace', 'test', sink) }),
    });
    await api.rows('DELETE FROM policy');
    plan = await upload('Plan of the harbour', 'plan <b>"&.txt');
    deep = await upload('Soundings', 'deep.txt');
    elsewhere = await upload('Elsewhere', 'elsewhere.txt');
    top = await collect('Harbour <i>', [plan]);
    below = await collect('Soundings', [deep], top);
    await collect('Other', [elsewhere]);
  });
  after(() => api.close());
  afterEach(async () => {
    await api.rows('DELETE FROM policy');
  });

  const upload = async (text: string, name: string): Promise<string> =>
    (await postRaw(api, text, name)).json.id;
  const collect = async (name: string, objects: string[], parent?: string): Promise<string> => {
    const members = objects.map((id) => ({ resource_type: 'object', resource_id: id }));
    const body = { name, members, ...(parent && { parent_id: parent }) };
    return (await api.call('POST', '/v1/collections', { body })).json.id;
  };
  const share = async (body: object, options: object = {}) => {
    const { status, text, json } = await api.call('POST', '/v1/shares', { body, ...options });
    if (status !== 201) throw new Error(text);
    return json;
  };
  const counters = async (id: string) => {
    const { json } = await api.call('GET', `/v1/shares/${id}`);
    return [json.state, json.views, json.downloads];
  };
  interface Got {
    status: number;
    headers: Headers;
    text: string;
    cookie: string;
  }
  const get = async (
    url: string,
    { cookie, headers, ...init }: RequestInit & { cookie?: string } = {},
  ): Promise<Got> => {
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { accept: 'text/html', ...headers, ...(cookie && { cookie }) },
    });
    const set = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, cookie: set };
  };
  const json = async (url: string, cookie?: string) => {
    const { text } = await get(url, {
      headers: { accept: 'application/json' },
      ...(cookie && { cookie }),
    });
    return JSON.parse(text);
  };
  const codeOf = async (url: string, cookie?: string) => (await json(url, cookie)).code;
  const enter = (url: string, password = '', init: RequestInit = {}) =>
    get(url, { method: 'POST', body: new URLSearchParams({ password }), ...init });
  const downloadOf = (url: string, id: string) => `${url}/files/${id}/download`;

  it('show a collection and what is below it, escaped, without scripts', async () => {
    const { url, id } = await share({
      collection_id: top,
      message: '<script>alert(1)</script>',
    });
    const page = await get(url);
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).to.match(
      /^default-src 'none'; style-src 'self' 'sha256-[^']+'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers.get('x-robots-tag')).to.equal('noindex');
    expect(page.headers.get('cache-control')).to.equal('private, no-store');
    expect(page.text).to.contain('Harbour &lt;i&gt;').and.to.contain('&lt;script&gt;');
    expect(page.text)
      .to.contain('plan _b_')
      .and.not.to.contain('<script')
      .and.not.to.contain('<i>');
    const listed = await json(url);
    expect(listed.files.map((file: { id: string }) => file.id)).to.deep.equal([plan]);
    expect(listed.collections).to.deep.equal([
      { id: below, name: 'Soundings', url: `${new URL(url).pathname}/collections/${below}` },
    ]);
    const inner = await json(api.url + listed.collections[0].url);
    expect(inner.files.map((file: { id: string }) => file.id)).to.deep.equal([deep]);
    expect(inner.collection.path.map((one: { id: string }) => one.id)).to.deep.equal([top, below]);
    expect((await get(`${url}/files/${deep}`)).status).to.equal(200);
    expect((await counters(id))[0]).to.equal('active');
  });

  it('lead nowhere else, however the path is written', async () => {
    const { url } = await share({ collection_id: below });
    const other = await api.call('POST', '/v1/objects', {
      ...api.other,
      headers: { 'content-type': 'application/octet-stream', 'x-filename': 'o.txt' },
      body: 'Of another project',
    });
    for (const path of [
      `/files/${plan}`,
      `/files/${plan}/preview`,
      `/files/${plan}/download`,
      `/files/${elsewhere}/download`,
      `/files/${other.json.id}/download`,
      `/files/${newId('object')}`,
      `/collections/${top}`,
      `/collections/${top}/archive`,
      `/collections/${newId('collection')}`,
      `/files/..%2f..%2f${deep}`,
      `/files/${deep}/download/`,
      `/files/${deep}%00`,
      '/',
      '//',
      '/archive/x',
    ]) {
      expect([path, (await get(url + path)).status]).to.deep.equal([path, 404]);
    }
  });

  it('cannot be guessed or changed', async () => {
    const { url } = await share({ object_id: plan });
    const token = url.split('/l/')[1] as string;
    const [payload = '', mac = ''] = token.split('.');
    const id = Buffer.from(payload, 'base64url').toString();
    const another = Buffer.from(id.replace(/.$/, id.endsWith('0') ? '1' : '0')).toString(
      'base64url',
    );
    for (const wrong of [
      '',
      'x',
      payload,
      `${payload}.`,
      `${another}.${mac}`,
      `${payload}.${mac.slice(0, -1)}${mac.endsWith('A') ? 'B' : 'A'}`,
      `${token}=`,
      `${token}.x`,
      api.deps.signer.sign('invitation', Buffer.from(payload, 'base64url').toString()),
    ]) {
      expect([wrong, (await get(`${api.url}/l/${wrong}`)).status]).to.deep.equal([wrong, 404]);
    }
    const post = await get(`${url}/files/${plan}`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    const foreign = await enter(url, '', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.status).to.equal(403);
  });

  it('count a visit once, and pictures and reloads not at all', async () => {
    const { url, id } = await share({ collection_id: top });
    const first = await get(url);
    expect(first.headers.get('set-cookie')).to.match(
      new RegExp(`; Path=${new URL(url).pathname}; Max-Age=14400; HttpOnly; SameSite=Lax$`),
    );
    await get(url, { cookie: first.cookie });
    await get(`${url}/files/${plan}`, { cookie: first.cookie });
    await get(`${url}/files/${plan}/preview`);
    await get(url, { method: 'HEAD' });
    expect(await counters(id)).to.deep.equal(['active', 1, 0]);
    await get(url, { cookie: 'share_visit=forged.forged' });
    expect((await counters(id))[1]).to.equal(2);
  });

  it('count a download once, however often it is resumed, and say who', async () => {
    const { url, id } = await share({ object_id: plan, title: 'The plan', max_downloads: 1 });
    const visit = (await get(url)).cookie;
    const head = await get(downloadOf(url, plan), { method: 'HEAD', cookie: visit });
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, '19']);
    const begun = await get(downloadOf(url, plan), { cookie: visit });
    expect(begun.status).to.equal(303);
    const target = api.url + begun.headers.get('location');
    const whole = await get(target);
    expect([whole.status, whole.text]).to.deep.equal([200, 'Plan of the harbour']);
    expect(whole.headers.get('content-disposition')).to.match(/^attachment; /);
    expect(whole.headers.get('content-security-policy')).to.equal(`default-src 'none'; sandbox`);
    const part = await get(target, { headers: { range: 'bytes=8-' } });
    expect([part.status, part.text]).to.deep.equal([206, 'the harbour']);
    expect(await counters(id)).to.deep.equal(['used_up', 1, 1]);
    expect((await get(downloadOf(url, plan), { cookie: visit })).status).to.equal(410);
    expect((await get(downloadOf(url, plan))).status).to.equal(410);
    expect((await get(`${target}x`)).status).to.equal(410);
    const [event] = await api.rows<Record<string, unknown>>(
      `SELECT category, actor_type, actor_id, actor_name, address, data FROM event
       WHERE type = 'dam.share.downloaded' AND resource_id = $1`,
      [plan],
    );
    expect(event).to.deep.equal({
      category: 'audit',
      actor_type: 'share',
      actor_id: id,
      actor_name: 'The plan',
      address: '127.0.0.1',
      data: { share_id: id, delivered_object_id: plan, archive: false },
    });
    expect(logged).not.to.contain(url.split('/l/')[1]);
  });

  it('give the last use to one of many who want it at once', async () => {
    const { url, id } = await share({ object_id: plan, max_downloads: 3 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => get(downloadOf(url, plan))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([303, 303, 303, ...Array(9).fill(410)]);
    expect(await counters(id)).to.deep.equal(['used_up', 0, 3]);
    const limited = await share({ object_id: plan, max_views: 2 });
    const visits = await Promise.all(Array.from({ length: 6 }, () => enter(limited.url)));
    expect(visits.filter(({ status }) => status === 303)).to.have.length(2);
    expect(await counters(limited.id)).to.deep.equal(['used_up', 2, 0]);
  });

  it('with a limit of visits are opened by a POST, so that programs that look use none up', async () => {
    const { url, id } = await share({ object_id: plan, max_views: 1 });
    expect((await get(url)).text).to.contain('It can be opened once.');
    expect((await get(`${url}/files/${plan}`)).status).to.equal(403);
    expect(await codeOf(url)).to.equal('share_entry_required');
    const entered = await enter(url);
    expect([entered.status, entered.headers.get('location')]).to.deep.equal([
      303,
      new URL(url).pathname,
    ]);
    expect((await get(url, { cookie: entered.cookie })).text).to.contain('plan _b_');
    expect(await counters(id)).to.deep.equal(['used_up', 1, 0]);
    expect((await get(downloadOf(url, plan), { cookie: entered.cookie })).status).to.equal(303);
    expect((await enter(url)).status).to.equal(410);
  });

  it('end visits after some hours', async () => {
    const { url, id } = await share({ object_id: plan, max_views: 1 });
    const mark = hashOfNothing.slice(0, 16);
    const cookieUntil = (until: number) =>
      `share_visit=${api.deps.signer.sign('share_visit', `${id} ${mark} ${until}`)}`;
    expect((await json(url, cookieUntil(Date.now() + 60_000))).file.id).to.equal(plan);
    expect(await codeOf(url, cookieUntil(Date.now() - 60_000))).to.equal('share_entry_required');
  });

  it('ask for their password, and end visits when it changes', async () => {
    const { url, id } = await share({ object_id: plan, password: 'low tide at nine' });
    for (const path of [
      '',
      `/files/${plan}`,
      `/files/${plan}/preview`,
      `/files/${plan}/download`,
    ]) {
      expect((await get(url + path)).text).not.to.contain('plan _b_');
    }
    const wrong = await enter(url, 'high tide');
    expect([wrong.status, wrong.cookie]).to.deep.equal([403, '']);
    expect(wrong.text).to.contain('The password is incorrect.');
    const { cookie } = await enter(url, 'low tide at nine');
    expect((await get(url, { cookie })).text).to.contain('plan _b_');
    const second = await share({ object_id: deep, password: 'low tide at nine' });
    expect(await codeOf(second.url, cookie)).to.equal('share_entry_required');
    await api.call('PATCH', `/v1/shares/${id}`, { body: { password: 'another tide' } });
    expect(await codeOf(url, cookie)).to.equal('share_entry_required');
    const asJson = await get(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'another tide' }),
    });
    expect(asJson.status).to.equal(204);
    expect((await json(url, asJson.cookie)).file.id).to.equal(plan);
    expect(logged).not.to.contain('low tide').and.not.to.contain('another tide');
  });

  it('slow down who guesses passwords, from one network or from many', async () => {
    for (const network of ['127.0.0.1', '']) {
      const { url, id } = await share({ object_id: plan, password: 'low tide at nine' });
      for (let guess = 1; guess < limits.failed_authentications_per_minute; guess++) {
        api.deps.rateLimits.take(
          `share ${id}:${network}`,
          'read',
          limits.failed_authentications_per_minute,
        );
      }
      const guesses = await Promise.all([1, 2, 3].map(() => enter(url, 'a wrong guess')));
      const statuses = guesses.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([403, 429, 429]);
      const rejected = guesses.find(({ status }) => status === 429);
      expect(rejected!.headers.get('retry-after')).to.match(/^\d+$/);
      expect((await enter(url, 'low tide at nine')).status).to.equal(303);
    }
  });

  it('end with their share, their creator and what they lead to', async () => {
    const key = await api.issue(['*']);
    const made = await share({ object_id: plan }, { key: key.key });
    const begun = await get(downloadOf(made.url, plan));
    const target = api.url + begun.headers.get('location');
    const { cookie } = await get(made.url);
    await api.call('DELETE', `/v1/keys/${key.keyId}`);
    expect(await codeOf(made.url, cookie)).to.equal('share_closed');
    expect((await get(target)).status).to.equal(410);

    const revoked = await share({ object_id: plan });
    const visit = await get(revoked.url);
    await api.call('DELETE', `/v1/shares/${revoked.id}`);
    expect(await codeOf(revoked.url, visit.cookie)).to.equal('share_closed');

    const expiring = await share({ object_id: plan });
    const early = await get(expiring.url);
    await api.rows('UPDATE share SET expires_at = now() WHERE id = $1', [expiring.id]);
    const late = await get(expiring.url, { cookie: early.cookie });
    expect([late.status, late.text.includes('The link has expired.')]).to.deep.equal([410, true]);

    const brief = await upload('Brief', 'brief.txt');
    const trashed = await share({ object_id: brief });
    await api.call('DELETE', `/v1/objects/${brief}`);
    expect(await codeOf(trashed.url)).to.equal('share_closed');
    expect((await get(downloadOf(trashed.url, brief))).status).to.equal(410);
  });

  it('work from where the key that made them may be used, and from nowhere else', async () => {
    const key = await api.issue(['*']);
    const { url } = await share({ object_id: plan }, { key: key.key });
    const limit = (cidr: string) =>
      api.rows('UPDATE api_key SET allowed_cidrs = $2 WHERE id = $1', [key.keyId, [cidr]]);
    await limit('198.51.100.0/24');
    expect(await codeOf(url)).to.equal('ip_not_allowed');
    expect((await get(url)).status).to.equal(403);
    await limit('127.0.0.0/8');
    expect((await get(url)).status).to.equal(200);
  });

  it('show neither what is in the trash nor collections that are', async () => {
    const gone = await upload('Gone', 'gone.txt');
    const parent = await collect('Parent', [gone]);
    const child = await collect('Child', [gone], parent);
    const { url } = await share({ collection_id: parent });
    await api.call('DELETE', `/v1/objects/${gone}`);
    expect((await json(url)).files).to.deep.equal([]);
    expect((await get(downloadOf(url, gone))).status).to.equal(404);
    await api.call('POST', `/v1/objects/${gone}/restore`);
    await api.call('DELETE', `/v1/collections/${child}`);
    expect((await json(url)).collections).to.deep.equal([]);
    expect((await get(`${url}/collections/${child}`)).status).to.equal(404);
    await api.call('DELETE', `/v1/collections/${parent}`);
    expect(await codeOf(url)).to.equal('share_closed');
    expect((await get(downloadOf(url, gone))).status).to.equal(404);
  });

  it('without downloads show previews only', async () => {
    const { url } = await share({ collection_id: top, allow_download: false });
    const page = await get(url);
    expect(page.text).not.to.contain('archive');
    expect((await get(downloadOf(url, plan))).status).to.equal(403);
    expect((await get(`${url}/archive`)).status).to.equal(403);
  });

  it('obey policies: what they restrict is not shown, and nothing is said of them', async () => {
    const secret = await upload('Secret', 'secret name.txt');
    await api.call('PATCH', `/v1/objects/${secret}`, { body: { tags: ['secret'] } });
    const holder = await collect('Mixed', [plan, secret]);
    const { url } = await share({ collection_id: holder });
    for (const action of ['read', 'sign']) {
      const policy = await addPolicy(api, {
        name: 'Secret policy',
        scope: { type: 'tag', tags: ['secret'] },
        actions: [action],
        rules: [{ type: 'allowed_mime_types', include: ['image/png'] }],
      });
      const page = await get(url);
      expect(page.text).to.contain('1 file is not shown').and.not.to.contain('secret name');
      const listed = await json(url);
      expect([listed.files.length, listed.files_not_shown]).to.deep.equal([1, 1]);
      const one = await get(`${url}/files/${secret}`);
      expect(one.status).to.equal(403);
      expect(one.text).not.to.contain(policy).and.not.to.contain('mime');
      if (action === 'sign') {
        expect((await get(downloadOf(url, secret))).status).to.equal(403);
      }
      await api.rows('DELETE FROM policy');
    }
    await addPolicy(api, {
      scope: { type: 'tag', tags: ['secret'] },
      actions: ['download'],
      rules: [{ type: 'max_bytes', bytes: 1 }],
    });
    expect((await json(url)).files).to.have.length(2);
    expect((await get(downloadOf(url, secret))).status).to.equal(403);
    const archive = await fetch(`${url}/archive`);
    const names = Object.keys(unzipSync(new Uint8Array(await archive.arrayBuffer())));
    expect(names).to.deep.equal(['plan _b__&.txt', 'not included.txt']);
    const denials = await api.rows<{ actor_type: string }>(
      `SELECT actor_type FROM event WHERE type = 'dam.policy.denied' AND actor_type = 'share'`,
    );
    expect(denials.length).to.be.greaterThan(2);
  });

  it('send a collection as an archive, counted once', async () => {
    const { url, id } = await share({ collection_id: top, max_downloads: 1 });
    const answer = await fetch(`${url}/archive`);
    expect(answer.headers.get('content-disposition')).to.contain('Harbour _i_.zip');
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    expect(Buffer.from(files['plan _b__&.txt']!).toString()).to.equal('Plan of the harbour');
    expect(await counters(id)).to.deep.equal(['used_up', 0, 1]);
    expect((await get(`${url}/archive`)).status).to.equal(410);
  });

  it('are limited in their requests by network, and in their archives altogether', async () => {
    const use = (name: string, times: number): void => {
      for (let time = 0; time < times; time++) api.deps.rateLimits.take(name, 'read', times);
    };
    const archived = await share({ collection_id: top });
    use(`share-archives:${archived.id}`, limits.share_archives_per_minute);
    expect((await get(`${archived.url}/archive`)).status).to.equal(429);
    const shown = await get(archived.url);
    expect(shown.status).to.equal(200);
    use(`share:${archived.id}:127.0.0.1`, limits.share_requests_per_minute);
    const rejected = await get(archived.url);
    expect(rejected.status).to.equal(429);
    expect(rejected.headers.get('retry-after')).to.match(/^\d+$/);
    expect((await get((await share({ collection_id: top })).url)).status).to.equal(200);
  });

  it('page through large collections', async () => {
    const many: string[] = [];
    for (let at = 0; at < 70; at++) many.push(await upload(`Sheet ${at}`, `sheet-${at}.txt`));
    const holder = await collect('Sheets', many);
    const { url } = await share({ collection_id: holder });
    const first = await json(url);
    expect(first.files).to.have.length(60);
    const second = await json(api.url + first.next_url);
    expect([second.files.length, second.next_url]).to.deep.equal([10, null]);
    const ids = [...first.files, ...second.files].map((file: { id: string }) => file.id);
    expect(ids).to.deep.equal(many);
    // A cursor of another place is ignored.
    const { url: other } = await share({ collection_id: holder });
    const foreign = new URL(first.next_url, api.url).search;
    expect((await json(other + foreign)).files[0].id).to.equal(many[0]);
    expect((await json(`${url}?cursor=x&cursor=y&collections=z`)).files).to.have.length(60);
  });

  it('show previews of pictures, without their metadata', async () => {
    const worker = await openImaging(api);
    try {
      const bytes = await quarteredPicture(800, 500).jpeg().toBuffer();
      const { json: made } = await api.call('POST', '/v1/objects', {
        body: bytes,
        headers: { 'content-type': 'image/jpeg', 'x-filename': 'picture.jpg' },
      });
      const { url } = await share({ object_id: made.id });
      const preview = `${url}/files/${made.id}/preview`;
      const early = await get(preview);
      expect([early.status, early.headers.get('refresh')]).to.deep.equal([409, '3']);
      await worker.run();
      const picture = await get(`${preview}?size=large`, { headers: { accept: 'image/*' } });
      expect(picture.status).to.equal(200);
      expect(picture.headers.get('content-type')).to.equal('image/webp');
      expect(picture.headers.get('cache-control')).to.equal('private, max-age=600');
      expect((await get(url)).text).to.contain(`/files/${made.id}/preview?size=large"`);
    } finally {
      await worker.close();
    }
  });
});
