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
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { checkout } from '../support/run.ts';

const runsSources = extname(import.meta.filename) === '.ts';
const compiled = 'dist/compiled/test';
const passes = `it('passes', () => {});\n`;
const fails = `it('fails', () => { throw new Error('as it should'); });\n`;
const dies = `it('dies', () => process.kill(process.pid, 'SIGKILL'));\n`;
const leaks = `it('leaks', () => { setInterval(() => {}, 1000); });\n`;
/** Runs until it is ended, and writes its process ID. */
const stays = (name: string): string =>
  `it('stays', () => {
    require('node:fs').writeFileSync('${name}.pid', String(process.pid));
    return new Promise(() => setInterval(() => {}, 1000));
  });\n`;
/** The tests that .ci/run repeats as an ordinary user if it runs as root. */
const asUser = process.getuid?.() === 0 ? 3 : 0;

describe('script/test and .ci/run in a project with two tests', () => {
  let folder: string;
  let home: string;
  const put = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
    home = await mkdtemp(join(tmpdir(), 'scriptorium-home-'));
    for (const name of ['script/test', '.ci/run']) {
      await cp(join(checkout, name), join(folder, name));
    }
    // The programs that run the tests, as sources or compiled, as this file is.
    const runner = join(import.meta.dirname, `../runner/run${extname(import.meta.filename)}`);
    const program = `import ${JSON.stringify(pathToFileURL(runner).href)};\n`;
    for (const root of [compiled, 'test']) {
      const extension = root === 'test' ? 'ts' : 'js';
      await put(`${root}/runner/run.${extension}`, program);
      await put(`${root}/support/services.${extension}`, '');
      await put(`${root}/support/unhandled.${extension}`, '');
    }
    await put('package.json', '{"type": "module"}');
    await put('test/all-only.txt', 'slow/ # nightly\n');
    await put('test/promised-only.txt', '');
    await put('test/promises.md', '');
    await put(`${compiled}/slow/slow.test.js`, fails);
    await put('test/sandbox/isolation/hostile.test.ts', passes);
    await put('test/sandbox/children/child.test.ts', passes);
    await put('test/embedded/stack.test.ts', passes);
    // Setup and checks have their own tests. Chromium is installed, and the account of another user is ours.
    const programs = {
      'script/setup': '',
      'script/check': '',
      'bin/chromium-headless-shell': '',
      'bin/id': '',
      'bin/chown': '',
      'bin/useradd': '',
      'bin/getent': `echo "ci:x:1:1::${home}:/bin/sh"`,
      'bin/runuser': 'shift 3; exec "$@"',
    };
    for (const [name, text] of Object.entries(programs)) {
      await put(name, `#!/bin/sh\n${text}\n`);
      await chmod(join(folder, name), 0o755);
    }
    await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  });
  afterEach(async () => {
    for (const path of [folder, home]) await rm(path, { recursive: true, force: true });
  });

  const write = async (rest: string, flow: string): Promise<void> => {
    await put(`${compiled}/rest.test.js`, imports(rest));
    await put(`${compiled}/flows/flow.test.js`, imports(flow));
  };
  /** Modules have no `require`. */
  const imports = (text: string): string =>
    `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${text}`;
  const start = (script: string, env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(join(folder, script), [], {
      cwd: folder,
      env: {
        PATH: `${folder}/bin:${process.env.PATH}`,
        // For programs that run from their sources.
        NODE_OPTIONS: runsSources ? '--import tsx/esm' : '',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // The order of output across the two pipes is undefined.
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = once(child, 'close').then(([code]: unknown[]) => {
      const lines = stdout.trim().split('\n');
      return { code, output: stdout + stderr, last: lines.at(-1) };
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

  it('add up their counts, as root together with those of an ordinary user', async () => {
    await write(passes, passes);
    const last = `${2 + asUser} passed, 0 failed`;
    expect(await start('.ci/run').ended).to.include({ code: 0, last });
  });

  it('fail if a test fails, which is shown at the end', async () => {
    await write(passes, `${passes}${fails}`);
    const failed = await start('script/test').ended;
    expect(failed).to.include({ code: 1, last: '2 passed, 1 failed' });
    expect(failed.output).to.match(/✖ fails\n {6}Error: as it should\n.*\n2 passed, 1 failed\n/s);
  });

  it('fail if a process crashes, and run the tests of other files', async () => {
    await write(dies, passes);
    const { code, output, last } = await start('script/test', { TEST_LANES: '1' }).ended;
    expect([code, last]).to.deep.equal([1, '1 passed, 1 failed']);
    expect(output).to.include('The process of the tests ended with SIGKILL');
  });

  it('fail if a test leaves something open', async () => {
    await write(leaks, passes);
    const { code, output, last } = await start('script/test', { TEST_END_MS: '100' }).ended;
    expect([code, last]).to.deep.equal([1, '2 passed, 1 failed']);
    expect(output).to.include('Tests left open: ');
  });

  it('fail if a list of tests names one that does not exist', async () => {
    await write(passes, passes);
    await put('test/all-only.txt', 'slow/\nrests\n');
    const { code, output } = await start('script/test').ended;
    expect(code).to.equal(1);
    expect(output).to.include("test/all-only.txt names 'rests', but no test has this path.");
  });

  it('fail and end all tests if interrupted or too slow', async () => {
    await write(stays('rest'), stays('flow'));
    for (const script of ['script/test', '.ci/run']) {
      const running = start(script);
      const pids = [await pidOf('rest'), await pidOf('flow')];
      running.child.kill('SIGINT');
      expect((await running.ended).code, script).to.not.be.oneOf([0, null]);
      for (const pid of pids) await gone(pid);
      await Promise.all(['rest', 'flow'].map((name) => rm(join(folder, `${name}.pid`))));
    }
    // The limit includes the start of Node: doubled until both tests have begun within it.
    for (let seconds = 5, begun = 0; begun < 2; seconds *= 2) {
      const { code, output } = await start('.ci/run', { CI_TIME_LIMIT: `${seconds}s` }).ended;
      expect(code).to.not.equal(0);
      expect(output).to.include(`did not end within ${seconds}s`);
      const files = (await readdir(folder)).filter((name) => name.endsWith('.pid'));
      begun = files.length;
      for (const name of files) {
        await gone(await pidOf(name.replace('.pid', '')));
        await rm(join(folder, name));
      }
    }
  });
});
