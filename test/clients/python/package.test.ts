import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { requireVenv } from '../../support/python.ts';
import { checkout, run } from '../../support/run.ts';
import { openService, type TestService } from '../../support/service.ts';

describe('the wheel of the Python client', () => {
  let folder: string;
  let wheel: string;
  before(async function () {
    await requireVenv(this);
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-wheel-'));
    wheel = (await command(join(checkout, 'script/python-wheel'), [folder])).trim();
    const environment = join(folder, 'environment');
    await command('python3', ['-m', 'venv', environment]);
    // Without an index, nothing but the wheel can be installed.
    await command(join(environment, 'bin/pip'), ['install', '--quiet', '--no-index', wheel]);
    await cp(join(checkout, 'clients/python/tests'), join(folder, 'tests'), { recursive: true });
  });
  after(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function command(
    program: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<string> {
    const given = { PATH: process.env.PATH, ...env };
    const { code, stdout, stderr } = await run(program, args, { cwd: folder, env: given });
    expect(code, `${program} ${args.join(' ')}: ${stdout}${stderr}`).to.equal(0);
    return stdout;
  }

  const python = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    command(join(folder, 'environment/bin/python'), args, env);

  it('has the version of the service, its licence, types, and no dependencies', async () => {
    const program = `
from importlib.metadata import distribution, requires
from scriptorium import Scriptorium
own = distribution("scriptorium")
names = [str(one) for one in own.files]
print(own.version)
print([one for one in requires("scriptorium") if "extra ==" not in one])
print([name for name in names if name.endswith(("py.typed", "LICENSE"))])
`;
    const { version } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'));
    expect((await python(['-c', program])).split('\n')).to.deep.equal([
      version,
      '[]',
      `['scriptorium-${version}.dist-info/licenses/LICENSE', 'scriptorium/py.typed']`,
      '',
    ]);
    const licence = await readFile(join(checkout, 'clients/python/LICENSE'), 'utf8');
    expect(licence).to.equal(await readFile(join(checkout, 'LICENSE'), 'utf8'));
  });

  it('is the same bytes each time', async () => {
    const again = await mkdtemp(join(folder, 'again-'));
    const second = (await command(join(checkout, 'script/python-wheel'), [again])).trim();
    expect((await readFile(second)).equals(await readFile(wheel))).to.equal(true);
  });

  it('installs the command line', async () => {
    const help = await command(join(folder, 'environment/bin/scriptorium'), ['--help']);
    expect(help).to.include('upload FILE…');
  });

  it('passes its tests of requests, retries, streams and signatures', async () => {
    await python([
      '-m',
      'unittest',
      'tests.test_transport',
      'tests.test_streams',
      'tests.test_webhooks',
    ]);
  });

  describe('with a running service', () => {
    let service: TestService;
    before(async () => {
      service = await openService();
      await service.startServer();
      service.startWorker('relay,ocr,redact,normalize,imaging');
    });
    after(() => service?.close());

    it('passes its tests of uploads, downloads, jobs, events and webhooks', async () => {
      await python(['-m', 'unittest', 'tests.test_service'], settings());
    });

    it('passes its tests of the integrations', async () => {
      await python(['-m', 'unittest', 'tests.test_integrations'], settings());
    });

    const settings = (): NodeJS.ProcessEnv => ({
      SERVICE_URL: service.url,
      PROJECT_ID: service.projectId,
      API_KEY: service.apiKey,
    });
  });
});
