import { type IdKind, newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import type { Route } from '../../../src/api/frame/route.ts';
import { isIdKind, paramNames, paramRule } from '../../../src/api/frame/route-properties.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { checksum } from '../../support/checksum.ts';
import {
  type Fixtures,
  fillPath,
  idKindsOf,
  makeFixtures,
  validBodies,
} from '../../support/fixtures.ts';
import { idPositions, replaceAt } from '../../support/id-positions.ts';

describe('tenant isolation: another project’s resource returns the same as a missing one', () => {
  let api: TestApi;
  let mine: Fixtures;
  let theirs: Fixtures;
  let atFirst: string;
  before(async () => {
    api = await startApi();
    mine = await makeFixtures(api, api);
    theirs = await makeFixtures(api, api.other);
    atFirst = await checksum(api, api.other.projectId);
  });
  after(() => api.close());

  /** Status, headers and bytes, without the requested ID. */
  const told = (answer: ApiResponse, id: string) => ({
    status: answer.status,
    headers: [...answer.headers]
      .filter(([name]) => !['date', 'ratelimit'].includes(name))
      .map(([name, value]) => [name, name === 'content-length' ? '' : value.replaceAll(id, 'ID')]),
    text: answer.text.replaceAll(id, 'ID'),
  });

  const ask = (route: Route, path: string, body: unknown = {}) => {
    const takesBody = route.method !== 'GET' && route.method !== 'DELETE';
    return api.call(route.method, path, {
      headers: { 'x-request-id': 'same', 'if-match': '*' },
      ...(takesBody ? { body } : {}),
    });
  };

  const strangers = (kind: IdKind, route: Route): [string, string] => {
    const foreign = theirs[kind];
    if (!foreign) throw new Error(`${route.operationId} needs a ${kind} in makeFixtures.`);
    return [foreign, newId(kind)];
  };

  for (const route of routes) {
    for (const name of paramNames(route.path)) {
      const rule = paramRule(route, name);
      const kinds = rule === undefined ? [] : isIdKind(rule) ? [rule] : idKindsOf(rule);
      for (const kind of kinds) {
        it(`${route.method} ${route.path}, {${name}} of ${kind}`, async () => {
          const answers = [];
          for (const id of strangers(kind, route)) {
            const path = fillPath(route, mine, { [name]: id });
            answers.push(told(await ask(route, path), id));
          }
          expect(answers[0]).to.deep.equal(answers[1]);
          expect(answers[0]!.status).to.equal(404);
          const problem = JSON.parse(answers[0]!.text);
          expect(problem.request_id).to.equal('same');
          expect(problem.code).to.be.oneOf(['not_found', 'member_not_found']);
        });
      }
    }

    const filters = route.query ? idPositions(route.query) : [];
    for (const { path, kind } of filters) {
      it(`${route.method} ${route.path}?${path[0]}`, async () => {
        const answers = [];
        for (const id of strangers(kind, route)) {
          const search = new URLSearchParams({ [path[0]!]: id });
          answers.push(told(await ask(route, `${fillPath(route, mine)}?${search}`), id));
        }
        expect(answers[0]).to.deep.equal(answers[1]);
        expect(JSON.parse(answers[0]!.text).data ?? []).to.deep.equal([]);
      });
    }

    const positions = route.kind === 'json' && route.body ? idPositions(route.body) : [];
    for (const { path, kind } of positions) {
      it(`${route.method} ${route.path}, body ${path.join('/')}`, async () => {
        const make = validBodies[route.operationId];
        if (!make) throw new Error(`${route.operationId} needs a body in validBodies.`);
        const answers = [];
        for (const id of strangers(kind, route)) {
          const body = replaceAt(make(mine, path[0] ?? '', path[1] ?? ''), path, id);
          answers.push(told(await ask(route, fillPath(route, mine), body), id));
        }
        expect(answers[0]).to.deep.equal(answers[1]);
        expect(answers[0]!.text).not.to.include(mine[kind] ?? 'none');
      });
    }
  }

  it('leaves the other project unchanged', async () => {
    expect(await checksum(api, api.other.projectId)).to.equal(atFirst);
  });

  it('shows a key only its own project, in lists and counts', async () => {
    const own = await api.call('GET', '/v1/keys?include=total');
    const ids = own.json.data.map((key: { id: string }) => key.id);
    expect(ids).to.include(api.keyId).and.not.to.include(api.other.keyId);
    expect(own.json.total).to.equal(ids.length);
  });

  it('rejects a cursor of another project', async () => {
    const foreign = await api.call('GET', '/v1/keys?limit=1', api.other);
    const cursor = foreign.json.next_cursor;
    expect(cursor).to.be.a('string');
    const answer = await api.call('GET', `/v1/keys?limit=1&cursor=${cursor}`);
    expect(answer.json.code).to.equal('cursor_mismatch');
  });

  it('keeps Idempotency-Keys of projects apart', async () => {
    const sent = {
      body: { name: 'x', scopes: ['keys:read'] },
      headers: { 'idempotency-key': 'k' },
    };
    const first = await api.call('POST', '/v1/keys', sent);
    const second = await api.call('POST', '/v1/keys', { ...sent, ...api.other });
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect(second.headers.get('idempotent-replayed')).to.equal(null);
    expect(first.json.id).not.to.equal(second.json.id);
  });

  it('returns the same for another project and for a missing one', async () => {
    const answers = [];
    for (const projectId of [api.other.projectId, newId('project')]) {
      const answer = await api.call('GET', '/v1/keys', {
        projectId,
        headers: { 'x-request-id': 'same' },
      });
      answers.push(told(answer, projectId));
    }
    expect(answers[0]).to.deep.equal(answers[1]);
    expect(answers[0]!.status).to.equal(403);
  });
});
