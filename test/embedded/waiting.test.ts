import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommand } from '../../lab/embedded/processes/commands.ts';
import { isAlive, waitUntilReady } from '../../lab/embedded/processes/processes.ts';
import { startProgram } from '../../lab/embedded/programs.ts';
import { createProgress } from '../../lab/embedded/progress.ts';
import { isReady } from '../../lab/embedded/ready.ts';
import { StartError } from '../../lab/embedded/start-error.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeTime, type FakeTime } from '../support/fake-time.ts';

const shutdown = [{ signal: 'SIGTERM', milliseconds: 10_000 }] as const;
/** Runs until it is ended. */
const endless = 'setInterval(() => {}, 1000);';
const hour = 60 * 60_000;

describe('waiting for a process', () => {
  let folder: string;
  let time: FakeTime;
  /** Of the programs that were started. */
  let pids: number[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(() => {
    time = createFakeTime(100);
    pids = [];
  });

  const create = () => createProgress(time);
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof StartError ? error.message : `not meant: ${error}`),
    );
  const launch = (text: string) =>
    spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'ignore', 'ignore'] });

  it('lasts as long as its log shows that it gets on', async () => {
    const child = launch(endless);
    let asked = 0;
    try {
      const outcome = await create().during('starting Postgres', (step) =>
        waitUntilReady(child, {
          isServing: async () => {
            asked += 1;
            return asked > 1_000;
          },
          step,
          shutdown,
          output: async () => `LOG: redo, ${Math.floor(asked / 5)} of 200\nFATAL: ${asked}\n`,
          advance: /LOG: (.+)$/gm,
        }),
      );
      expect(outcome).to.include({ ready: true, pid: child.pid });
      expect(time.now()).to.be.greaterThan(6 * hour);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('ends if it gets stuck, which ends the process', async () => {
    const child = launch(endless);
    let asked = 0;
    const stuck = create().during(
      'starting Postgres',
      (step) =>
        waitUntilReady(child, {
          isServing: async () => false,
          step,
          shutdown,
          output: async () => {
            asked += 1;
            return `LOG: redo\nFATAL: rejected ${asked} times\n`;
          },
          advance: /LOG: (.+)$/gm,
        }),
      { logFile: '/data/server.log' },
    );
    expect(await refusal(stuck)).to.equal(
      'Nothing has moved for 5 minutes while starting Postgres (redo). See /data/server.log.',
    );
    expect(isAlive(child.pid ?? 0)).to.equal(false);
  });

  it('ends at once if it dies, or cannot be started', async () => {
    const wait = (child: ReturnType<typeof spawn>) =>
      create().during('starting Redis', (step) =>
        waitUntilReady(child, {
          isServing: async () => false,
          step,
          shutdown,
          output: async () => 'out of memory\n',
        }),
      );
    const died = launch('process.exit(7)');
    await once(died, 'exit');
    const ofDead = { ready: false, ending: 'exit code 7', output: 'out of memory\n' };
    expect(await wait(died)).to.deep.equal(ofDead);
    const killed = launch(endless);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await wait(killed)).to.deep.equal({ ...ofDead, ending: 'SIGKILL' });
    const missing = spawn(join(folder, 'missing'), [], { stdio: 'ignore' });
    expect(await wait(missing)).to.deep.equal({
      ready: false,
      ending: `spawn ${join(folder, 'missing')} ENOENT`,
      output: '',
    });
    expect(time.now()).to.be.lessThan(hour);
  });

  it('lasts until the service is ready', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(asked < 500 ? 503 : 200).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const runs = join(folder, 'slow');
    const text = `process.send({ step: 'started' }, () => ${writes(runs)}); ${endless}`;
    const patient = createFakeTime();
    try {
      const program = await startProgram(
        {
          ...(await describeProgram('server', text)),
          serves: () => isReady(`http://127.0.0.1:${port}`),
        },
        createProgress(onceThere(runs, patient)),
        (pid) => pids.push(pid),
      );
      await program.stop();
      expect(asked).to.equal(500);
      expect(patient.now()).to.be.greaterThan(60_000);
      expect(pids).to.deep.equal([program.pid]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('names the step in which a program hangs, and ends it', async () => {
    const runs = join(folder, 'hangs');
    const text = `process.send({ step: 'connecting to Postgres' }, () => ${writes(runs)}); ${endless}`;
    const hanging = startProgram(
      await describeProgram('worker', text),
      createProgress(onceThere(runs)),
      (pid) => pids.push(pid),
    );
    expect(await refusal(hanging)).to.equal(
      'Nothing has moved for 5 minutes while starting the worker (connecting to Postgres).',
    );
    expect(pids.map(isAlive)).to.deep.equal([false]);
  });

  it('kills a command that hangs', async () => {
    const runs = join(folder, 'command');
    const args = ['-e', `${writes(runs)}; ${endless}`];
    const hanging = createProgress(onceThere(runs)).during('creating a project', (step) =>
      runCommand({ command: process.execPath, args, cwd: folder, env: process.env }, step),
    );
    expect(await refusal(hanging)).to.equal(
      'Nothing has moved for 5 minutes while creating a project.',
    );
    const pid = Number(await readFile(runs, 'utf8'));
    await eventually(async () => !isAlive(pid));
  });

  /** Code that writes the process ID into a file, which is complete once it is there. */
  function writes(file: string): string {
    return `{ const fs = require('node:fs'); fs.writeFileSync('${file}.part', String(process.pid)); fs.renameSync('${file}.part', '${file}'); }`;
  }

  /** Time that does not pass before a file is there. */
  function onceThere(file: string, passing = time): FakeTime {
    return {
      ...passing,
      pause: (milliseconds) => passing.pause(existsSync(file) ? milliseconds : 0),
    };
  }

  async function describeProgram(name: string, text: string) {
    const file = join(folder, `${name}.cjs`);
    await writeFile(file, text);
    return { name, file, env: { PATH: process.env.PATH }, graceMilliseconds: 10_000 };
  }
});
