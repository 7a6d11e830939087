import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { pythonSources, requirePython } from '../../support/python.ts';
import { checkout } from '../../support/run.ts';

describe('scriptorium mcp', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const env = (key = api.key): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    SERVICE_URL: api.url,
    PROJECT_ID: api.projectId,
    API_KEY: key,
    PYTHONPATH: pythonSources,
    PYTHONDONTWRITEBYTECODE: '1',
  });

  const node = ['--import', 'tsx/esm', join(checkout, 'packages/client/src/cli/main.ts'), 'mcp'];
  const implementations: [string, string, string[]][] = [
    ['the TypeScript client', process.execPath, node],
    ['the Python client', 'python3', ['-m', 'scriptorium', 'mcp']],
  ];
  for (const [name, program, args] of implementations) {
    describe(`of ${name}`, () => {
      before(async function () {
        if (program === 'python3') await requirePython(this);
      });

      it('serves the tools of the project on stdio', async () => {
        const client = new Client({ name: 'test', version: '1' });
        await client.connect(
          new StdioClientTransport({ command: program, args, env: env(), cwd: checkout }),
        );
        try {
          expect((await client.listTools()).tools.map(({ name }) => name)).to.include(
            'searchPassages',
          );
          const { content } = await client.callTool({ name: 'listObjects', arguments: {} });
          expect(JSON.stringify(content)).to.include('has_more');
        } finally {
          await client.close();
        }
      });

      it('reports a rejected key as the error of each message, and ends with its input', async () => {
        const revoked = await api.issue(['objects:read']);
        await api.call('DELETE', `/v1/keys/${revoked.keyId}`);
        const child = spawn(program, args, { env: env(revoked.key), cwd: checkout });
        const stdout = text(child.stdout);
        child.stdin.end(
          '{"jsonrpc":"2.0","id":"a","method":"ping"}\nnonsense\n\n{"jsonrpc":"2.0","method":"x"}\n',
        );
        const [code] = await once(child, 'exit');
        const answers = (await stdout)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        expect(code).to.equal(0);
        expect(answers.map(({ id }) => id)).to.have.members(['a', null]);
        for (const { error } of answers) expect(error.message).to.match(/revoked/);
      });
    });
  }
});
