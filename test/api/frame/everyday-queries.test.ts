import { expect } from 'chai';
import { routes } from '../../../src/api/routes/index.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { type Fixtures, fillPath, makeFixtures, requiredQuery } from '../../support/fixtures.ts';

interface Parameter {
  type?: string;
  format?: string;
  explode?: boolean;
  items?: { enum?: string[] };
  'x-ignored'?: string[];
}

/** Common spellings of a parameter's value, by its kind. */
function everyday(name: string, parameter: Parameter): string[] {
  if (parameter.type === 'boolean') {
    return ['true', 'True', 'TRUE', 'false', 'False', '1', '0'].map((value) => `${name}=${value}`);
  }
  if (parameter.format === 'date-time') {
    return [`${name}=2026-01-31`, `${name}=2026-01-31T12:00:00%2B01:00`];
  }
  if (parameter['x-ignored']) {
    return ['', '*', '%20', 'caf%C3%A9', '%F0%9F%8E%89', '%F0%9F%8E%89+party'].map(
      (value) => `${name}=${value}`,
    );
  }
  const [one, other] = parameter.items?.enum ?? [];
  // Values of `include` may need different scopes, but can be combined.
  if (parameter.explode === false && one && other) {
    return [`${name}=${one},${other}`, `${name}=${one}&${name}=${other}`, `${name}=${one},${one}`];
  }
  return [];
}

const lists = routes.filter(
  (route) => route.method === 'GET' && route.query && !route.path.includes('/stream'),
);

describe('common query spellings', () => {
  let api: TestApi;
  let fixtures: Fixtures;
  before(async () => {
    api = await startApi();
    fixtures = await makeFixtures(api, api);
  });
  after(() => api.close());

  for (const route of lists) {
    it(`are accepted by GET ${route.path}`, async () => {
      const key = (await api.issue(['*'], { read: 1_000_000, write: 1_000_000 })).key;
      const needed = Object.entries(requiredQuery(route, fixtures)).map((pair) => pair.join('='));
      const parameters: Record<string, Parameter> = route.query!.properties;
      for (const [name, parameter] of Object.entries(parameters)) {
        for (const search of everyday(name, parameter)) {
          const query = [...needed.filter((one) => !one.startsWith(`${name}=`)), search].join('&');
          const answer = await api.call('GET', `${fillPath(route, fixtures)}?${query}`, { key });
          const excerpt = `${search}: ${answer.text.slice(0, 300)}`;
          expect([400, 422, 500], excerpt).not.to.include(answer.status);
        }
      }
    });
  }

  it('are equivalent', async () => {
    const ids = async (path: string): Promise<string[]> => {
      const { status, json, text } = await api.call('GET', path);
      expect(status, text).to.equal(200);
      return json.data.map((one: { id: string }) => one.id);
    };
    const same = async (...paths: string[]): Promise<void> => {
      const [first, ...others] = await Promise.all(paths.map(ids));
      for (const one of others) expect(one, paths.join(' ')).to.deep.equal(first);
      expect(first, paths[0]).not.to.deep.equal([]);
    };
    await same('/v1/objects', '/v1/objects?q=', '/v1/objects?q=*');
    await same('/v1/images', '/v1/images?q=', '/v1/images?q=*', '/v1/images?mime=image/*');
    await same('/v1/images', '/v1/images?mime=image/*,image/png', '/v1/images?mime=image/*&q=*');
    await same(
      '/v1/events?published=false',
      '/v1/events?published=False',
      '/v1/events?published=0',
    );
    await same(
      '/v1/events?occurred_after=2026-01-31',
      '/v1/events?occurred_after=2026-01-31T00:00:00Z',
      '/v1/events',
    );
    await same('/v1/keys?state=active,revoked', '/v1/keys?state=active&state=revoked');
    await same('/v1/objects?state=available', '/v1/objects?state=available,failed');
    expect(await ids('/v1/objects?q=%F0%9F%8E%89')).to.deep.equal([]);
    expect(await ids('/v1/images?q=%F0%9F%8E%89')).to.deep.equal([]);
  });

  it('find resources in the trash and others', async () => {
    const all = async (search: string): Promise<number> => {
      const { json } = await api.call('GET', `/v1/images?include=total,facets&${search}`);
      expect(json.data).to.have.length(json.total);
      return json.total;
    };
    const { json } = await api.call('GET', '/v1/images');
    const both = 'state=available,trashed';
    const before = await all(both);
    await api.call('DELETE', `/v1/images/${json.data[0].id}`);
    expect(await all(both)).to.equal(before);
    expect(await all('state=trashed')).to.be.greaterThan(0);
    expect(await all('state=available')).to.be.below(before);
  });
});
