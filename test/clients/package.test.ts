import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { describeInBrowser, openTab } from '../support/browser.ts';
import { packClient, withoutNpm } from '../support/client-package.ts';
import { checkout, run } from '../support/run.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Signs and verifies a message with only the package and the platform's crypto. */
const program = `
import { Scriptorium, signWebhook, verifyWebhook } from '@scriptorium/client';
const client = new Scriptorium({ baseUrl: 'http://127.0.0.1:1', projectId: 'prj_1', apiKey: 'sk_1' });
const body = '{"id": "evt_1", "type": "dam.object.created"}';
const headers = await signWebhook(body, '${secret}', { id: 'evt_1' });
const event = await verifyWebhook(body, headers, '${secret}');
`;

/** A folder with the packed client installed by npm, and nothing else. */
async function install(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-package-'));
  const archive = await packClient(folder);
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, '.npm')];
  const done = await run('npm', ['install', ...options, archive], {
    cwd: folder,
    env: withoutNpm(process.env),
  });
  expect(done.code, done.stderr).to.equal(0);
  return folder;
}

describe('the npm package of the client', () => {
  let folder: string;
  before(async () => {
    folder = await install();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('has the version of the service and no dependencies', async () => {
    const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
    const installed = await read(join(folder, 'node_modules/@scriptorium/client/package.json'));
    const service = await read(join(checkout, 'package.json'));
    expect(installed.version).to.equal(service.version);
    expect(installed.dependencies).to.equal(undefined);
  });

  it('contains its licence', async () => {
    const installed = join(folder, 'node_modules/@scriptorium/client');
    const { license } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(license).to.equal('MIT');
    const text = await readFile(join(installed, 'LICENSE'), 'utf8');
    expect(text).to.equal(await readFile(join(checkout, 'LICENSE'), 'utf8'));
  });

  it('can be imported from JavaScript', async () => {
    const file = join(folder, 'main.js');
    await writeFile(file, `${program}console.log(event.type, typeof client.jobs.redact);`);
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
    expect(stdout, stderr).to.equal('dam.object.created function\n');
  });

  it('can be imported from TypeScript, with types', async () => {
    const wrong = `// @ts-expect-error An object needs an id.\nvoid client.objects.get();\n`;
    await writeFile(join(folder, 'main.ts'), `${program}${wrong}console.log(event.type);`);
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2022',
          strict: true,
          noEmit: true,
          types: [],
          lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
        },
        files: ['main.ts'],
      }),
    );
    const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
    const { code, stdout } = await run(process.execPath, [tsc, '-p', folder]);
    expect(stdout).to.equal('');
    expect(code).to.equal(0);
  });

  it('installs the command line', async () => {
    const command = join(folder, 'node_modules/.bin/scriptorium');
    const { code, stdout } = await run(command, ['--help'], { cwd: folder });
    expect(code).to.equal(0);
    expect(stdout).to.include('upload');
  });
});

describeInBrowser('the npm package of the client in a browser', () => {
  let folder: string;
  let server: Server;
  before(async () => {
    folder = await install();
    const site = join(folder, 'site');
    await mkdir(site);
    await cp(join(folder, 'node_modules/@scriptorium/client/dist'), join(site, 'client'), {
      recursive: true,
    });
    const imports = { '@scriptorium/client': '/client/index.js' };
    const page = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">${program}document.title = event.type;</script>`;
    await writeFile(join(site, 'index.html'), page);
    server = serve(site);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  });
  after(async () => {
    await new Promise((closed) => server.close(closed));
    await rm(folder, { recursive: true, force: true });
  });

  it('can be imported as plain ES modules', async () => {
    const tab = await openTab();
    const { port } = server.address() as AddressInfo;
    await tab.page.goto(`http://127.0.0.1:${port}/`);
    await tab.page.waitForFunction('document.title !== ""');
    expect(await tab.page.title()).to.equal('dam.object.created');
    await tab.close();
  });
});

/** Serves a folder. */
function serve(folder: string): Server {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
  return createServer(async (request, response) => {
    const path = request.url === '/' ? '/index.html' : normalize(request.url ?? '/');
    try {
      const bytes = await readFile(join(folder, path));
      response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream');
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
}
