import { expect } from 'chai';
import { Gauge, Registry } from 'prom-client';
import { findFreePort } from '../lab/embedded/processes/ports.ts';
import { serveMetrics } from '../src/metrics-server.ts';

describe('the metrics port', () => {
  it('reports that the process is alive, also if metrics cannot be read', async () => {
    const registry = new Registry();
    new Gauge({
      name: 'unreadable',
      help: 'Cannot be read.',
      registers: [registry],
      collect: () => Promise.reject(new Error('Postgres is down.')),
    });
    const port = await findFreePort();
    const server = serveMetrics(registry, '127.0.0.1', port);
    try {
      const url = `http://127.0.0.1:${port}`;
      expect((await fetch(`${url}/metrics`)).status).to.equal(500);
      const alive = await fetch(`${url}/healthz`);
      expect([alive.status, await alive.text()]).to.deep.equal([200, 'alive\n']);
    } finally {
      server.close();
    }
  });
});
