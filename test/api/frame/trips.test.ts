import { expect } from 'chai';
import type { Route } from '../../../src/api/frame/route.ts';
import { onlyReads } from '../../../src/api/frame/route-facts.ts';
import { routes } from '../../../src/api/routes/index.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { playAll } from '../../examples/index.ts';
import { trips } from '../../support/trips.ts';
import { openWire } from '../../support/wire.ts';

/**
 * Plays the examples of all routes and counts every packet to Postgres. Each route may take the
 * round trips listed in `trips`, otherwise one to read and two to write.
 */
describe('the round trips to Postgres of each route', () => {
  const most = new Map<string, string[]>();
  before(async () => {
    await playAll(async (apiUrl) => {
      const wire = await openWire(apiUrl);
      return {
        database: await openDatabase(wire.url, { poolSize: 8 }),
        told(operationId, status) {
          const packets = wire.packets();
          const before = most.get(operationId) ?? [];
          if (status !== null && status < 300 && packets.length > before.length)
            most.set(operationId, packets);
        },
        close: () => wire.close(),
      };
    });
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
