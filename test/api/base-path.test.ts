import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { addBasePathToText, basePathOf } from '../../src/api/base-path.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, type Redis } from '../../src/queues/connection.ts';
import { closeQueues, openQueues, type Queues } from '../../src/queues/hints.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { describeInBrowser } from '../support/browser.ts';
import { redisUrl } from '../support/services.ts';
import { metadata, tusHeaders } from '../support/tus.ts';

const base = '/scriptorium';
const password = 'correct-horse-battery';

/** A reverse proxy that serves the API below the base, with or without the base in what it passes on. */
async function startProxy(strips: boolean, target: () => string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${base}/`)) return outgoing.writeHead(421).end('outside of the base');
    const { hostname, port } = new URL(target());
    const path = strips ? url.slice(base.length) : url;
    const passed = request({ hostname, port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
    return undefined;
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return server;
}

for (const strips of [true, false]) {
  describe(`below a path, behind a proxy that ${strips ? 'takes it off' : 'passes it on'}`, () => {
    let api: TestApi;
    let proxy: Server;
    let redis: Redis;
    let queues: Queues;
    let origin: string;
    before(async () => {
      redis = connectFailFast(await redisUrl(), createLogger('silent', 'test'));
      await new Promise((resolve) => redis.once('ready', resolve));
      queues = openQueues(redis);
      proxy = await startProxy(strips, () => api.url);
      origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      api = await startApi({
        deps: () => ({ redis, queues }),
        settings: { publicUrl: origin + base, operatorPassword: password },
      });
    });
    after(async () => {
      proxy.closeAllConnections();
      proxy.close();
      await api.close();
      await closeQueues(queues);
      redis.disconnect();
    });

    const credentials = () => ({
      authorization: `Bearer ${api.key}`,
      'x-service-project-id': api.projectId,
    });
    /** Follows a path or URL as a client does that resolves it against the proxy. */
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(new URL(path, origin), { headers, redirect: 'manual' });
    const post = (path: string, body: object) =>
      fetch(origin + base + path, {
        method: 'POST',
        headers: { ...credentials(), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    /** Loads all that a page refers to. */
    const followLinks = async (page: string, text: string): Promise<number> => {
      const links = [...text.matchAll(/(?:href|src|action)="([^"#]+)/g)].map(([, link]) => link!);
      const own = links
        .map((link) => new URL(link.replaceAll('&amp;', '&'), new URL(page, origin)))
        .filter((url) => url.origin === origin);
      for (const url of new Set(own.map(({ href }) => href))) {
        // Without a worker, previews are not ready (409).
        expect([200, 302, 303, 409], `${url} of ${page}`).to.include((await get(url)).status);
      }
      return own.length;
    };

    it('creates, lists and uploads with addresses that can be followed', async () => {
      for (const name of ['One', 'Two']) {
        const made = await post('/v1/collections', { name });
        const location = made.headers.get('location')!;
        expect(location).to.match(/^\/scriptorium\/v1\/collections\/col_/);
        expect((await get(location, credentials())).status).to.equal(200);
      }
      const page = await get(`${base}/v1/collections?limit=1`, credentials());
      const next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link')!)![1]!;
      expect(next).to.match(/^\/scriptorium\/v1\/collections\?/);
      expect((await get(next, credentials())).status).to.equal(200);

      const headers = {
        ...credentials(),
        ...tusHeaders,
        'upload-length': '3',
        'upload-metadata': metadata({ filename: 'a.txt' }),
      };
      const upload = await fetch(`${origin}${base}/v1/uploads`, { method: 'POST', headers });
      const path = upload.headers.get('location')!;
      expect(path).to.match(/^\/scriptorium\/v1\/uploads\/upl_/);
      const last = await fetch(new URL(path, origin), {
        method: 'PATCH',
        headers: {
          ...credentials(),
          ...tusHeaders,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
        },
        body: 'abc',
      });
      expect(last.status).to.equal(204);
      const object = last.headers.get('object-id');

      const signed = await post(`/v1/objects/${object}/signed-urls`, { ttl_seconds: 60 });
      const { url } = (await signed.json()) as { url: string };
      expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/scriptorium\/s\//);
      expect(await (await get(url)).text()).to.equal('abc');

      const share = await post('/v1/shares', { object_id: object });
      const link = ((await share.json()) as { url: string }).url;
      expect(link).to.include(`${origin}${base}/l/`);
      const shown = await get(link, { accept: 'text/html' });
      expect(await followLinks(link, await shown.text())).to.be.greaterThan(0);
      const { file } = (await (await get(link, { accept: 'application/json' })).json()) as {
        file: { download_url: string };
      };
      expect(file.download_url).to.match(/^\/scriptorium\/l\//);
    });

    it('shows the root, the documentation and their search', async () => {
      const root = await get(`${base}/`, { accept: 'application/json' });
      const { api: path, links } = (await root.json()) as {
        api: string;
        links: Record<string, string>;
      };
      expect(path).to.equal(`${base}/v1`);
      for (const to of Object.values(links)) {
        expect(to).to.match(/^\/scriptorium\//);
        if (!to.endsWith('/portal')) expect((await get(to)).status, to).to.equal(200);
      }
      const html = await get(`${base}/`, { accept: 'text/html' });
      expect(await html.text()).to.include(`href="${base}/docs"`);
      for (const page of [`${base}/docs`, `${base}/docs/reference/service`]) {
        const text = await (await get(page)).text();
        const asset = /src="([^"]+\.js)"/.exec(text)![1]!;
        const script = await (await get(asset)).text();
        expect(script)
          .to.include(`\`${base}/docs/search.json`)
          .and.to.include(`${base}/portal/api`);
        expect(script).not.to.match(/['`]\/(docs|portal)\//);
        if (page.endsWith('/docs')) {
          const paths = text.replaceAll(/href="[^"]*\/portal\/"/g, '');
          expect(await followLinks(page, paths)).to.be.greaterThan(20);
        }
      }
      const found = await get(`${base}/docs/search.json?q=webhook`);
      expect(await found.text())
        .to.include(`"${base}/docs/`)
        .and.not.to.include('"/docs/');
      const document = (await (await get(`${base}/docs/openapi.json`)).json()) as {
        servers: { url: string }[];
      };
      expect(document.servers).to.deep.equal([{ url: base }]);
    });

    it('redirects and keeps sessions below the path', async () => {
      const portal = await get(`${base}/portal`);
      expect([portal.status, portal.headers.get('location')]).to.deep.equal([
        302,
        `${base}/portal/`,
      ]);
      const session = await fetch(`${origin}${base}/portal/session`, {
        method: 'POST',
        headers: credentials(),
      });
      expect(session.headers.get('set-cookie')).to.match(/Path=\/(scriptorium\/portal)?;/);
      const board = await get(`${base}/admin/queues`, { accept: 'text/html' });
      expect(board.headers.get('location')).to.equal(`${base}/admin/login`);
      const form = await (await get(`${base}/admin/login`)).text();
      expect(form).to.include(`action="${base}/admin/login"`);
      const basic = `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`;
      const shown = await get(`${base}/admin/queues`, {
        authorization: basic,
        accept: 'text/html',
      });
      const text = await shown.text();
      expect(text).to.include(`<base href="${base}/admin/queues/"`);
      const asset = /src="([^"]+\.js)"/.exec(text)![1]!;
      const at = new URL(asset, `${origin}${base}/admin/queues/`);
      expect((await get(at.href, { authorization: basic })).status, at.href).to.equal(200);
    });
  });
}

describeInBrowser('the portal below a path', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ settings: { publicUrl: `https://files.example.com${base}` } });
  });
  after(() => api.close());

  it('loads its scripts, styles and data from there', async () => {
    const page = await api.call('GET', `${base}/portal/jobs/any`);
    const files = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).to.be.greaterThan(2);
    let seen = '';
    for (const file of files) {
      expect(file).to.match(/^\/scriptorium\/portal\//);
      const { status, text } = await api.call('GET', file);
      expect(status, file).to.equal(200);
      seen += text;
    }
    expect(seen).to.include(`${base}/portal/api`).and.to.include(`${base}/portal/session`);
    expect(seen).not.to.match(/["'`(]\/(portal|docs)[/"'`?]/);
  });
});

describe('the path of PUBLIC_URL', () => {
  const read = (PUBLIC_URL: string) => readConfig({ PUBLIC_URL }, []).PUBLIC_URL;

  it('may have several segments, and a slash at the end', () => {
    expect(read('https://example.com/')).to.equal('https://example.com');
    expect(read('https://example.com/a/b-c.d/')).to.equal('https://example.com/a/b-c.d');
    expect(basePathOf('https://example.com/a/b')).to.equal('/a/b');
    expect(basePathOf('https://example.com')).to.equal('');
  });

  for (const url of [
    'https://example.com/v1',
    'https://example.com/portal/x',
    'https://example.com/a//b',
    'https://example.com/../a',
    'https://example.com/a?b',
    'https://example.com/a b',
    'https://example.com/%2e',
    'https://example.com/a#b',
    'example.com/a',
  ]) {
    it(`is rejected: ${url}`, () => {
      expect(() => read(url)).to.throw('PUBLIC_URL');
    });
  }

  it('is put before the paths of scripts, styles and pages, once', () => {
    const source =
      'a("/portal/x",`/docs?q=$`,\'/portal\',url(/portal/a.css),"/portals","\\"/docs")';
    const below =
      'a("/x/portal/x",`/x/docs?q=$`,\'/x/portal\',url(/x/portal/a.css),"/portals","\\"/docs")';
    expect(addBasePathToText(source, '/x')).to.equal(below);
    expect(addBasePathToText(below, '/x')).to.equal(below);
    expect(addBasePathToText(source, '')).to.equal(source);
  });
});
