import { expect } from 'chai';
import type { Context } from 'koa';
import type { Deps } from '../../src/api/deps.ts';
import { createHealth } from '../../src/api/operator/health.ts';

describe('/readyz', () => {
  for (const [standby, status] of [
    [false, 200],
    [true, 503],
  ] as const) {
    it(`is ${status} ${standby ? 'on a standby' : 'on a primary'}`, async () => {
      const database = { query: async () => [{ standby }] };
      const ctx = { path: '/readyz', method: 'GET', state: {}, status: 0, set: () => undefined };
      const health = createHealth({ database, redis: null } as unknown as Deps);
      await health(ctx as unknown as Context, async () => undefined);
      expect(ctx.status).to.equal(status);
    });
  }
});
