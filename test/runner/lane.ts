import { join } from 'node:path';
import { inspect } from 'node:util';
import Mocha from 'mocha';
import type { FileResult, FromLane, ToLane } from './messages.ts';
import { isNamed } from './titles.ts';

/**
 * One process of `run.ts`: runs the test files that it is sent, one by one, with the Postgres and Redis that
 * they share. Its arguments are the folder of tests and modules with root hooks.
 *
 * It ends by itself once everything is closed that its tests opened. What is left open is a fault.
 */
const [folder = '', ...hookModules] = process.argv.slice(2);

/** How long a lane with nothing left to do may take to end. */
const exitTimeoutMs = Number(process.env.TEST_END_MS ?? 30_000);

interface HookModule {
  mochaHooks?: { beforeEach?: Mocha.Func; afterAll?: Mocha.Func };
  /** Called once, after the last file; `mochaHooks.afterAll` calls it otherwise. */
  stopServices?: () => Promise<void>;
}

const modules = await Promise.all(hookModules.map((path): Promise<HookModule> => import(path)));
const rootHooks: Mocha.RootHookObject = {
  beforeEach: modules.flatMap(({ mochaHooks }) => mochaHooks?.beforeEach ?? []),
  afterAll: modules.flatMap(({ mochaHooks, stopServices }) =>
    stopServices ? [] : (mochaHooks?.afterAll ?? []),
  ),
};
process.on('message', (message: ToLane) => {
  void (message === 'end' ? end() : runFile(message).then(send));
});
send('ready');

async function runFile({ run: file, titles }: Exclude<ToLane, 'end'>): Promise<FileResult> {
  const began = performance.now();
  const result: FileResult = { file, passed: 0, skipped: 0, milliseconds: 0, failures: [] };
  const mocha = new Mocha({
    timeout: 600_000,
    forbidOnly: true,
    // Prints nothing by itself.
    reporter: Mocha.reporters.Base,
    rootHooks,
  });
  try {
    await mocha.addFile(join(folder, file)).loadFilesAsync();
    if (titles) keepNamedTests(mocha.suite, titles);
    await runTests(mocha, result);
  } catch (error) {
    result.failures.push({ title: 'The file cannot be loaded', text: describeError(error) });
  }
  mocha.dispose();
  result.milliseconds = performance.now() - began;
  return result;
}

/** Removes the tests that are not named, neither by their own title nor by that of a suite. */
function keepNamedTests(suite: Mocha.Suite, titles: readonly string[]): void {
  suite.tests = suite.tests.filter((test) =>
    test.titlePath().some((title) => isNamed(title, titles)),
  );
  for (const inner of suite.suites) keepNamedTests(inner, titles);
}

function runTests(mocha: Mocha, result: FileResult): Promise<void> {
  return new Promise((done) => {
    const runner = mocha.run(() => {
      runner.dispose();
      done();
    });
    runner.on('pass', () => {
      result.passed += 1;
    });
    runner.on('pending', () => {
      result.skipped += 1;
    });
    runner.on('fail', (test, error: unknown) => {
      result.failures.push({ title: test.titlePath().join(' › '), text: describeError(error) });
    });
  });
}

async function end(): Promise<void> {
  for (const { stopServices } of modules) await stopServices?.();
  process.disconnect();
  setTimeout(() => {
    console.error(`Tests left open: ${process.getActiveResourcesInfo().join(', ')}.`);
    process.exit(1);
  }, exitTimeoutMs).unref();
}

function send(message: FromLane): void {
  process.send?.(message);
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const stack = error.stack ?? '';
  const text = stack.includes(error.message) ? stack : `${error.message}\n${stack}`;
  if (!('actual' in error && 'expected' in error)) return text;
  const [actual, expected] = [error.actual, error.expected].map((value) =>
    typeof value === 'string' ? value : inspect(value, { depth: 20, sorted: true }),
  );
  return `${text}\n${Mocha.reporters.Base.generateDiff(actual ?? '', expected ?? '')}`;
}
