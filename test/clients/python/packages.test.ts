import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { requireVenv } from '../../support/python.ts';
import { checkout, run } from '../../support/run.ts';
import { openService } from '../../support/service.ts';

/** Uses the client in ways that a type checker must accept or, where marked, reject. */
const typed = `
from scriptorium import Scriptorium

client = Scriptorium()
job = client.jobs.redact(source_object_id="obj_1", style="label")
percent: int = job["progress"]["percent"]
client.jobs.redact(source_object_id="obj_1", style="stripes")  # type: ignore[arg-type]
client.jobs.redact()  # type: ignore[call-arg]
job["status"]  # type: ignore[typeddict-item]
client.webhooks.delete("whk_1")  # type: ignore[call-arg]
for event in client.events.stream(type=["dam.*"]):
    if event["type"] == "dam.object.created":
        name: str = event["data"]["filename"]
`;

describe('the Python client with packages of others', () => {
  let folder: string;
  before(async function () {
    await requireVenv(this);
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-python-'));
    await cp(join(checkout, 'clients/python'), folder, { recursive: true });
  });
  after(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** A virtual environment with the client and a package; skips the test if pip cannot get it. */
  async function environment(test: Mocha.Context, ...packages: string[]): Promise<string> {
    const target = join(folder, packages[0]!);
    const created = await run('python3', ['-m', 'venv', target]);
    expect(created.code, created.stderr).to.equal(0);
    const pip = ['-m', 'pip', 'install', '--quiet', '--retries', '0', ...packages, folder];
    const { code, stderr } = await run(join(target, 'bin/python'), pip);
    if (code !== 0) {
      console.warn(
        `Skipped: pip cannot install ${packages.join(' ')}: ${stderr.trim().split('\n').at(-1)}`,
      );
      test.skip();
    }
    return join(target, 'bin/python');
  }

  it('passes mypy in strict mode, as do programs that use it', async function () {
    const python = await environment(this, 'mypy', 'typing_extensions');
    const own = await run(python, ['-m', 'mypy'], { cwd: folder });
    expect(own.stdout).to.match(/^Success: /);
    await writeFile(join(folder, 'typed.py'), typed);
    const using = await run(python, ['-m', 'mypy', '--strict', 'typed.py'], { cwd: folder });
    expect(using.stdout).to.match(/^Success: /);
  });

  for (const name of ['langchain-core', 'llama-index-core']) {
    it(`works with ${name}`, async function () {
      const python = await environment(this, name);
      const service = await openService();
      try {
        await service.startServer();
        service.startWorker('relay,ocr,redact,normalize,imaging');
        const { code, stderr } = await run(python, ['-m', 'unittest', 'tests.test_integrations'], {
          cwd: folder,
          env: {
            PATH: process.env.PATH,
            SERVICE_URL: service.url,
            PROJECT_ID: service.projectId,
            API_KEY: service.apiKey,
          },
        });
        expect(code, stderr).to.equal(0);
      } finally {
        await service.close();
      }
    });
  }
});
