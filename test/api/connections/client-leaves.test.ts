import { Writable } from 'node:stream';
import { expect } from 'chai';
import { createLogger } from '../../../src/logger.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

describe('a client that disconnects from a stream', () => {
  let api: TestApi;
  let logged = '';
  before(async () => {
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += chunk;
        done();
      },
    });
    api = await startApi({ deps: () => ({ logger: createLogger('info', 'test', sink) }) });
  });
  after(() => api.close());

  it('causes no service error', async () => {
    const stop = new AbortController();
    const response = await fetch(`${api.url}/v1/events/stream`, {
      headers: { authorization: `Bearer ${api.key}`, 'x-service-project-id': api.projectId },
      signal: stop.signal,
    });
    expect(response.status).to.equal(200);
    stop.abort();
    const lines = await eventually(async () => {
      const found = logged
        .split('\n')
        .filter((line) => /client disconnected|response failed/.test(line));
      return found.length > 0 && found;
    });
    expect(lines.map((line) => JSON.parse(line).level)).to.deep.equal([30]);
  });
});
