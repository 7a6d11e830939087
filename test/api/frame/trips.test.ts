import { expect } from 'chai';
import type { Route } from '../../../src/api/frame/route.ts';
import { onlyReads } from '../../../src/api/frame/route-facts.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { type Played, playOnce } from '../../examples/played.ts';
import { trips } from '../../support/trips.ts';

/**
 * Plays the examples of all routes and counts every packet to Postgres. Each route may take the
 * round trips listed in `trips`, otherwise one to read and two to write.
 */
describe('the round trips to Postgres of each route', () => {
  let most: Played['packets'];
  before(async () => {
    most = (await playOnce()).packets;
  });

  const usual = (route: Route): number => (onlyReads(route) ? 1 : 2);
  for (const route of routes.filter(({ kind }) => kind === 'json')) {
    const { operationId } = route;
    const named = trips[operationId];
    const allowed = named?.trips ?? usual(route);
    it(`are at most ${allowed} for ${operationId}`, () => {
      const packets = most.get(operationId) ?? [];
      expect(packets.length, packets.join(' ')).to.be.at.most(allowed);
    });
  }

  it('are listed only if they exceed the default', () => {
    for (const [operationId, { trips: named }] of Object.entries(trips)) {
      const route = routes.find((one) => one.operationId === operationId);
      expect(route, operationId).to.not.equal(undefined);
      expect(named, operationId).to.be.greaterThan(usual(route!));
    }
  });
});
