import { expect } from 'chai';
import { findUncheckedScopes, scopesOf } from '../../../lab/fuzz/isolation/scope-check.ts';
import type { Route } from '../../../src/api/frame/route.ts';
import { routes } from '../../../src/api/routes/index.ts';

describe('the scopes of operations', () => {
  it('are those of the table', () => {
    for (const route of routes) {
      expect(route.scopes, route.operationId).to.have.members(scopesOf(route));
    }
  });

  it('are all required', async () => {
    expect(await findUncheckedScopes(routes)).to.deep.equal([]);
  });

  // Each removal is one that the test above must notice.
  for (const index of [0, 1]) {
    it(`are noticed to be missing if number ${index + 1} is removed from each`, async () => {
      const mutants = routes.map(
        (route): Route => ({ ...route, scopes: route.scopes.filter((_scope, at) => at !== index) }),
      );
      const removed = routes.flatMap(({ operationId, scopes }) =>
        scopes[index] === undefined ? [] : [`${operationId} ${scopes[index]}`],
      );
      expect(await findUncheckedScopes(mutants)).to.have.members(removed);
      expect(removed.length).to.be.greaterThan(5);
    });
  }
});
