import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { addDocument } from '../../support/document-text.ts';
import { checkout, run } from '../../support/run.ts';

const program = join(checkout, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The other scenarios call tools, resources and prompts of a server that was made for the suite. */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

/** With the official suite, through a proxy that adds the credentials: it cannot send headers. */
describe('conformance to the Model Context Protocol', () => {
  let api: TestApi;
  let url: string;
  const proxy = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      authorization: `Bearer ${api.key}`,
      'x-service-project-id': api.projectId,
    };
    const { method, url: path } = incoming;
    const forwarded = request(new URL(path!, api.url), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  before(async () => {
    api = await startApi();
    await addDocument(api, 'tide.txt', 'The ferry leaves at high tide.');
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
  });
  after(async () => {
    proxy.close();
    await api.close();
  });

  for (const scenario of scenarios) {
    it(`passes the scenario ${scenario}`, async () => {
      const args = [program, 'server', '--url', url, '--scenario', scenario];
      const { code, stdout, stderr } = await run(process.execPath, args);
      expect(stdout + stderr).to.match(/Passed: [1-9]\d*\/\d+, 0 failed/);
      expect(code, stdout + stderr).to.equal(0);
    });
  }
});
