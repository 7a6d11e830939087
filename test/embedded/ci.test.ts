import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { checkout } from '../support/run.ts';

const compiled = 'dist/compiled/test';
const passes = `it('passes', () => {});\n`;
const fails = `it('fails', () => { throw new Error('as it should'); });\n`;
const dies = `it('dies', () => process.kill(process.pid, 'SIGKILL'));\n`;
/** Runs until it is ended, and writes its process ID. */
const stays = (name: string): string =>
  `it('stays', () => {
    require('node:fs').writeFileSync('${name}.pid', String(process.pid));
    return new Promise(() => setInterval(() => {}, 1000));
  });\n`;

describe('script/test and .ci/run in a project with two tests', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
    for (const name of ['script/test', '.ci/run', 'test/support/reporter.cjs']) {
      await cp(join(checkout, name), join(folder, name));
    }
    await mkdir(join(folder, compiled, 'flows'), { recursive: true });
    // Pretend that Chromium is installed, and skip setup and checks, which have their own tests.
    for (const name of ['script/setup', 'script/check', 'chromium-headless-shell']) {
      await writeFile(join(folder, name), '#!/bin/sh\n');
      await chmod(join(folder, name), 0o755);
    }
    await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'));
    const settings = {
      // As in the project: mocha starts a process that runs the tests.
      'node-option': ['no-warnings'],
      reporter: './test/support/reporter.cjs',
      extension: ['test.cjs'],
      recursive: true,
      timeout: 0,
    };
    await writeFile(join(folder, '.mocharc.compiled.json'), JSON.stringify(settings));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = async (rest: string, flow: string): Promise<void> => {
    await writeFile(join(folder, compiled, 'rest.test.cjs'), rest);
    await writeFile(join(folder, compiled, 'flows/flow.test.cjs'), flow);
  };
  const start = (script: string, env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(join(folder, script), [], {
      env: { PATH: `${folder}:${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // The order of output across the two pipes is undefined.
    let [said, complained] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complained += text;
    });
    const ended = once(child, 'close').then(([code]: unknown[]) => {
      const lines = said.trim().split('\n');
      return { code, said: said + complained, last: lines.at(-1) };
    });
    return { child, ended };
  };
  const pidOf = async (name: string): Promise<number> =>
    eventually(async () => {
      const text = await readFile(join(folder, `${name}.pid`), 'utf8').catch(() => '');
      return text === '' ? undefined : Number(text);
    });
  /** A process that was not awaited yet may stay in the process table for a moment. */
  const gone = (pid: number): Promise<boolean> =>
    eventually(async () => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    });

  it('add up the counts of both runs, and fail if one of them fails', async () => {
    await write(passes, passes);
    expect(await start('.ci/run').ended).to.include({ code: 0, last: '2 passed, 0 failed' });
    await write(passes, `${passes}${fails}`);
    const failed = await start('.ci/run').ended;
    expect(failed).to.include({ code: 1, last: '2 passed, 1 failed' });
    expect(failed.said).to.match(/fails\n {2}Error: as it should\n.*\n2 passed, 1 failed\n/s);
  });

  it('fail if either run crashes', async () => {
    for (const [rest, flow] of [
      [passes, dies],
      [dies, passes],
    ] as const) {
      await write(rest, flow);
      const { code, said, last } = await start('.ci/run').ended;
      expect([code, last]).to.deep.equal([1, '1 passed, 0 failed']);
      expect(said).to.include('broke off');
    }
  });

  it('fail and end both runs if interrupted or too slow', async () => {
    await write(stays('rest'), stays('flow'));
    for (const script of ['script/test', '.ci/run']) {
      const running = start(script);
      const pids = [await pidOf('rest'), await pidOf('flow')];
      running.child.kill('SIGINT');
      expect((await running.ended).code, script).to.not.be.oneOf([0, null]);
      for (const pid of pids) await gone(pid);
      await Promise.all(['rest', 'flow'].map((name) => rm(join(folder, `${name}.pid`))));
    }
    // The limit includes the start of mocha: doubled until both runs have begun within it.
    for (let seconds = 5, begun = 0; begun < 2; seconds *= 2) {
      const { code, said } = await start('.ci/run', { CI_TIME_LIMIT: `${seconds}s` }).ended;
      expect(code).to.equal(1);
      expect(said).to.include(`did not end within ${seconds}s`);
      const files = (await readdir(folder)).filter((name) => name.endsWith('.pid'));
      begun = files.length;
      for (const name of files) {
        await gone(await pidOf(name.replace('.pid', '')));
        await rm(join(folder, name));
      }
    }
  });
});
