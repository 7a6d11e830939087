import { eventTypeNames } from '@scriptorium/contracts/events';
import { problemCodes } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import { highlightJson } from '../../../src/api/docs/code.ts';
import { parseGuide } from '../../../src/api/docs/guides/load.ts';
import { renderMarkdown } from '../../../src/api/docs/guides/render.ts';
import { html } from '../../../src/api/docs/html.ts';
import { prose } from '../../../src/api/docs/prose.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';

const hostile = `<script>alert("1")</script>' onload='x`;

describe('the documentation under /docs', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  /** Without a key. */
  const get = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    api.call(method, path, {
      headers: { authorization: undefined, 'x-service-project-id': undefined, ...headers },
    });
  const links = ({ text }: ApiResponse) =>
    [...text.matchAll(/href="([^"]+)"/g)].map(([, to]) => to!);

  it('shows every operation, and links to it', async () => {
    const start = await get('/docs');
    expect(start.status).to.equal(200);
    expect(start.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const told = links(start);
    for (const { operationId, tag } of routes) {
      const path = `/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`;
      expect(told).to.include(`${path}#${operationId}`);
    }
    const pages = [...new Set(told.map((to) => to.split('#')[0]!))];
    const texts = await Promise.all(
      pages.filter((path) => path.startsWith('/docs/reference')).map(async (path) => get(path)),
    );
    const all = texts.map(({ text }) => text).join('');
    for (const { operationId } of routes) expect(all).to.include(`id="${operationId}"`);
  });

  it('states each limit once, and in the singular where it is one', async () => {
    const { text } = await get('/docs/reference/collections');
    expect(text).to.include('Larger values are reduced to').and.include('at least 1 character');
    expect(text).not.to.match(/higher values are reduced|\b1 (?:characters|items|fields)\b/);
  });

  it('has no broken links', async () => {
    const seen = new Map<string, ApiResponse>();
    const toRead = ['/docs'];
    const wanted = new Set<string>();
    while (toRead.length > 0) {
      const path = toRead.pop()!;
      if (seen.has(path)) continue;
      const answer = await get(path);
      expect(answer.status, path).to.equal(200);
      seen.set(path, answer);
      if (!answer.headers.get('content-type')!.startsWith('text/html')) continue;
      for (const link of links(answer)) {
        const [to, anchor] = link.split('#');
        if (to?.startsWith('/docs')) toRead.push(to);
        if (anchor && (to === '' || to?.startsWith('/docs'))) wanted.add(`${to || path}#${anchor}`);
      }
    }
    for (const link of wanted) {
      const [path, anchor] = link.split('#');
      expect(seen.get(path!)!.text.includes(`id="${anchor}"`), link).to.equal(true);
    }
    expect(wanted.size).to.be.greaterThan(routes.length);
  });

  it('finds the operation of a request', async () => {
    const place = async (method: string, path: string) => {
      const query = new URLSearchParams({ method, path });
      const found = await fetch(`${api.url}/docs/operation?${query}`, { redirect: 'manual' });
      return found.status === 302 ? found.headers.get('location') : found.status;
    };
    expect(await place('POST', '/v1/webhooks/whk_1/test')).to.equal(
      '/docs/reference/webhooks#testWebhook',
    );
    expect(await place('GET', '/v1/webhooks')).to.equal('/docs/reference/webhooks#listWebhooks');
    expect(await place('POST', '/v1/documents/jobs/batch')).to.equal(
      '/docs/reference/documents#createJobs',
    );
    expect(await place('GET', '/v1/nothing')).to.equal(404);
    expect(await place('GET', '//example.com')).to.equal(404);
  });

  it('lists every error code and every event type', async () => {
    const errors = (await get('/docs/errors')).text;
    for (const code of Object.keys(problemCodes)) expect(errors).to.include(`id="${code}"`);
    const types = (await get('/docs/event-types')).text;
    for (const type of eventTypeNames) expect(types).to.include(`id="${type}"`);
  });

  it('runs nothing inline and loads nothing from other hosts', async () => {
    const { headers, text } = await get('/docs/reference/objects');
    const policy = headers.get('content-security-policy');
    expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
    expect(policy).to.not.include('unsafe');
    expect(text).to.not.match(/<style|<script>| style=| on\w+="/);
    const loaded = [...text.matchAll(/<(?:script src|link [^>]*href)="([^"]+)"/g)];
    expect(loaded).to.have.length(4);
    for (const [, path] of loaded) {
      expect(path).to.match(/^\/docs\/assets\/\w+\.[\w-]{16}\.\w+$|^\/portal\/fonts\.css$/);
    }
  });

  it('has pages that are revalidated, and assets that are cached for a year', async () => {
    const page = await get('/docs');
    expect(page.headers.get('cache-control')).to.equal('no-cache');
    const etag = page.headers.get('etag')!;
    expect((await get('/docs', 'GET', { 'if-none-match': etag })).status).to.equal(304);
    const style = links(page).find((path) => path.startsWith('/docs/assets/docs.'))!;
    const file = await get(style);
    expect(file.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(file.headers.get('content-type')).to.equal('text/css; charset=utf-8');
    expect(file.text).to.include('--accent');
  });

  it('returns no body for HEAD, 405 for other methods, and 404 for other paths', async () => {
    const head = await get('/docs', 'HEAD');
    expect([head.status, head.text]).to.deep.equal([200, '']);
    const post = await get('/docs', 'POST');
    expect([post.status, post.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    const missing = await get(`/docs/${encodeURIComponent(hostile)}`);
    expect(missing.status).to.equal(404);
    expect(missing.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(missing.text).to.not.include('alert(');
    expect((await get('/docs/')).headers.get('location')).to.equal('/docs');
    expect((await get('/docsy')).status).to.equal(404);
  });

  it('returns the OpenAPI document without a key', async () => {
    const [open, keyed] = [
      await get('/docs/openapi.json'),
      await api.call('GET', '/v1/openapi.json'),
    ];
    expect(open.json).to.deep.equal(keyed.json);
  });

  it('returns an index for language models', async () => {
    const { status, headers, text } = await get('/docs/llms.txt');
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/plain; charset=utf-8']);
    expect(text).to.match(/^# Scriptorium\n\n> /);
    const linked = [...text.matchAll(/\]\((\/[^)#]+)/g)].map(([, path]) => path!);
    expect(linked).to.include.members(['/docs/guides/mcp', '/docs/openapi.json', '/docs/SKILL.md']);
    for (const path of linked) expect((await get(path)).status, path).to.equal(200);
  });

  it('escapes interpolated text', () => {
    const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39; onload=&#39;x';
    expect(html`<a title="${hostile}">${[hostile]}</a>`.text).to.equal(
      `<a title="${escaped}">${escaped}</a>`,
    );
    expect(prose(`${hostile} \`${hostile}\``).text).to.not.include('<script');
    expect(html`${highlightJson({ [hostile]: hostile })}`.text).to.not.include('<script');
    expect(html`${null}${false}${0}${html`<b>${'&'}</b>`}`.text).to.equal('0<b>&amp;</b>');
  });

  it('includes every guide, with code linked to the reference', async () => {
    const guide = await get('/docs/guides/webhooks');
    expect(guide.status).to.equal(200);
    expect(guide.text).to.include('<h1 id="webhooks">Webhooks</h1>');
    expect(guide.text).to.include('href="/docs/guides/policies"');
    expect((await get('/docs/api')).text).to.include('href="/docs/reference/service#getLimits"');
    expect((await get('/docs/guides')).status).to.equal(404);
  });

  it('renders Markdown without HTML or scripts', () => {
    const page = `# A <b>title</b>\n\n${hostile}\n\n[x](javascript:alert(1)) ![y](https://a.example/"onload=z)\n`;
    const surroundings = { file: 'guides/x.md', hrefOfCode: () => undefined };
    const { text } = renderMarkdown(parseGuide(page), surroundings);
    expect(text).to.not.match(/<script|<b>|href="javascript|" ?onload/);
    expect(text).to.include('&lt;script&gt;');
  });

  it('has a search over guides, operations, error codes and event types', async () => {
    const found = async (query: string): Promise<string[]> => {
      const { json } = await get(`/docs/search.json?q=${encodeURIComponent(query)}`);
      return json.results.map(({ url }: { url: string }) => url);
    };
    expect((await found('seven languages verify webhook'))[0]).to.match(/webhooks/);
    expect((await found('etag_mismatch'))[0]).to.equal('/docs/errors#etag_mismatch');
    expect((await found('documents.job.succeeded'))[0]).to.match(/event-types#documents\.job/);
    expect(await found('createWebhook')).to.include('/docs/reference/webhooks#createWebhook');
    expect((await found('idempotncy')).slice(0, 5)).to.include('/docs/api#idempotency');
    expect(await found('')).to.deep.equal([]);
    const page = await get('/docs/search?q=idempotency');
    expect(page.text).to.include('href="/docs/api#idempotency"');
  });

  it('counts the results of a search, and shows them without Markdown', async () => {
    const { json } = await get('/docs/search.json?q=webhook');
    expect(json.results).to.have.length(30);
    expect(json.summary).to.equal('First 30 results');
    expect(JSON.stringify(json.results)).not.to.include('`');
  });

  it('escapes and limits search queries', async () => {
    const page = await get(`/docs/search?q=${encodeURIComponent(hostile)}`);
    expect(page.status).to.equal(200);
    expect(page.text).to.not.include('<script>').and.not.include("' onload='");
    const long = await get(`/docs/search.json?q=${'webhook+'.repeat(900)}`);
    expect(long.status).to.equal(200);
    expect(long.json.results.length).to.be.at.most(30);
  });
});
