import { expect } from 'chai';
import type { Context } from 'koa';
import type { Deps } from '../../src/api/deps.ts';
import { createHealth } from '../../src/api/operator/health.ts';

describe('/readyz', () => {
  for (const [standby, hasBegun, status] of [
    [false, false, 200],
    [true, false, 503],
    [false, true, 503],
  ] as const) {
    const where = `${standby ? 'on a standby' : 'on a primary'}${hasBegun ? ' while it stops' : ''}`;
    it(`is ${status} ${where}`, async () => {
      const database = { query: async () => [{ standby }] };
      const ctx = { path: '/readyz', method: 'GET', state: {}, status: 0, set: () => undefined };
      const health = createHealth({
        database,
        redis: null,
        shutdown: { hasBegun },
      } as unknown as Deps);
      await health(ctx as unknown as Context, async () => undefined);
      expect(ctx.status).to.equal(status);
    });
  }
});
