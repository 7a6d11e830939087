import Router from '@koa/router';
import { expect } from 'chai';
import { createRouteTable, type TableEntry } from '../../src/api/frame/route-table.ts';
import { routes } from '../../src/api/routes/index.ts';
import { pickFrom } from '../support/random.ts';

const entries = (templates: readonly (readonly [string, string])[]): TableEntry<string>[] =>
  templates.map(([method, path]) => ({ method, path, value: `${method} ${path}` }));

/** What a request comes to: the route and its parameters, the methods of its path, or nothing. */
type Answer = string | readonly string[] | null;

function byTable(templates: readonly (readonly [string, string])[]) {
  const table = createRouteTable(entries(templates));
  return (method: string, path: string): Answer => {
    const found = table.find(method, path);
    if (found.outcome === 'found') return `${found.value} ${JSON.stringify(found.params)}`;
    return found.outcome === 'unknown' ? null : [...found.methods].sort();
  };
}

/** The same by trying the expressions of all templates one after the other, literals first. */
function byTrying(templates: readonly (readonly [string, string])[]) {
  const router = new Router({ strict: true, sensitive: true });
  const rank = (path: string): string => path.replaceAll(/\{\w+\}/g, '~');
  const values = new Map<object, string>();
  for (const { method, path, value } of entries(templates).sort((a, b) =>
    rank(a.path) < rank(b.path) ? -1 : 1,
  )) {
    const layer = router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [method], () => undefined);
    values.set(layer as object, value);
  }
  return (method: string, path: string): Answer => {
    const { path: matching, pathAndMethod } = router.match(path, method);
    const [first] = pathAndMethod;
    if (first) {
      const params = first.params(path, first.captures(path));
      return `${values.get(first)} ${JSON.stringify(params)}`;
    }
    const methods = [...new Set(matching.flatMap((layer) => layer.methods))];
    return methods.length === 0 ? null : methods.sort();
  };
}

/** Choices that are the same in every run. */
function choose(seed: number) {
  const below = pickFrom(seed);
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    chance: (percent: number): boolean => below(100) < percent,
  };
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const oddSegments = [
  ...['', '.', '..', '%2F', '%2f', '%', '%zz', '%C3%A9', '%ff', 'é', '{id}', ':id', '*', '~', ' '],
  ...['constructor', '__proto__', 'toString', 'self', 'SELF', 'a b', '\n', '\r', '\u2028', '(.*)'],
];

describe('the table of routes', () => {
  const ours = routes.map(({ method, path }) => [method, path] as const);

  it('finds each route by its path, and the one for GET by HEAD', () => {
    const find = byTable(ours);
    for (const { method, path } of routes) {
      const filled = path.replaceAll(/\{\w+\}/g, 'x%2Fy');
      const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map((m) => [m[1], 'x/y']));
      expect(find(method, filled)).to.equal(`${method} ${path} ${JSON.stringify(params)}`);
      if (method === 'GET') expect(find('HEAD', filled)).to.match(/^GET /);
    }
  });

  it('finds what trying all routes of the API finds, for any path', () => {
    const { below, pick, chance } = choose(16);
    const table = byTable(ours);
    const tried = byTrying(ours);
    const segments = [...new Set(ours.flatMap(([, path]) => path.split('/'))), ...oddSegments];
    const seen = new Set<string>();
    for (let times = 0; times < 20_000; times++) {
      const [, template] = pick(ours);
      const parts = template
        .split('/')
        .map((part) => (chance(20) || part.startsWith('{') ? pick(segments) : part));
      if (chance(10)) parts.splice(below(parts.length + 1), 0, pick(segments));
      if (chance(10)) parts.splice(below(parts.length), 1);
      const path = parts.join('/');
      const method = pick(methods);
      const answer = table(method, path);
      expect(answer, `${method} ${path}`).to.deep.equal(tried(method, path));
      seen.add(answer === null ? 'unknown' : typeof answer === 'string' ? 'found' : 'other');
    }
    expect(seen).to.have.keys('unknown', 'found', 'other');
  });

  it('finds what trying finds in random sets of templates that overlap', () => {
    const { below, pick, chance } = choose(4);
    const literals = ['a', 'b', 'c'];
    for (let times = 0; times < 300; times++) {
      const templates = new Map<string, readonly [string, string]>();
      for (let count = 0; count < 12; count++) {
        const parts = Array.from({ length: 1 + below(4) }, (_, at) =>
          chance(50) ? pick(literals) : `{p${at}}`,
        );
        const one = [pick(['GET', 'POST', 'PUT']), `/${parts.join('/')}`] as const;
        templates.set(one.join(' '), one);
      }
      const table = byTable([...templates.values()]);
      const tried = byTrying([...templates.values()]);
      for (let requests = 0; requests < 100; requests++) {
        const parts = Array.from({ length: 1 + below(5) }, () => pick([...literals, 'd', '']));
        const path = `/${parts.join('/')}`;
        const method = pick(methods);
        expect(table(method, path), `${method} ${path}`).to.deep.equal(tried(method, path));
      }
    }
  });

  it('looks no further into a path than its longest route', () => {
    const find = byTable([['GET', '/{a}/{b}']]);
    expect(find('GET', '/x'.repeat(4_000))).to.equal(null);
  });

  it('refuses two routes for the same requests, and templates that are none', () => {
    const twice = [
      ['GET', '/a/{id}'],
      ['GET', '/a/{name}'],
    ] as const;
    expect(() => byTable(twice)).to.throw('Two routes answer GET /a/{name}.');
    expect(() => byTable([['GET', '/a/x{id}']])).to.throw('must be a whole segment');
  });
});
