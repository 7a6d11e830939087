import { type ChildProcess, fork } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parsePromises } from '../support/promises.ts';
import type { FileResult, FromLane, ToLane } from './messages.ts';
import { covers, parsePaths, selectFiles } from './paths.ts';
import { createQueue } from './queue.ts';
import { createReport } from './report.ts';

/**
 * Runs test files in several processes (lanes), each of which takes one file after another, and prints
 * the results as they come. The last line is `N passed, N failed`. The exit code is 0 if all tests passed.
 *
 *     node run.js --root dist/compiled/test --lanes 4 --without test/all-only.txt [FILE OR FOLDER…]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: 'test' },
    extension: { type: 'string', default: '.test.js' },
    lanes: { type: 'string', default: '4' },
    /** Modules with root hooks. */
    require: { type: 'string', multiple: true, default: [] },
    /** Files with lists of tests to leave out. */
    without: { type: 'string', multiple: true, default: [] },
    /** A list of tests of which only those named by the promises run. */
    'promised-only': { type: 'string' },
    promises: { type: 'string', default: 'test/promises.md' },
    /** The folder for logs, times and counts. */
    results: { type: 'string', default: '.data/tests' },
  },
});

interface Lane {
  child: ChildProcess;
  /** The file that it runs; undefined before the first and after the last. */
  file: string | undefined;
  /** What it has printed since it began the file. */
  output: string;
  /** Whether it was told that no file is left. */
  isEnding: boolean;
}

const root = resolve(values.root);
const results = resolve(values.results);
const { extension, without } = values;
const files = selectFilesToRun();
const titlesToRun = readTitles();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const queue = createQueue(files);
const report = createReport(results);
const lanes = new Set<Lane>();
let interrupted = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true;
    for (const { child } of lanes) child.kill('SIGTERM');
  });
}
const count = Math.min(Number(values.lanes), files.length);
await Promise.all(Array.from({ length: count }, (_, number) => runLane(number)));
const passed = report.finish();
process.exitCode = interrupted ? 130 : passed ? 0 : 1;

/** Runs files until none is left. If a process ends early, another takes the remaining files. */
async function runLane(number: number): Promise<void> {
  let exitedEarly = true;
  while (exitedEarly && !interrupted) exitedEarly = await runProcess(number);
}

function runProcess(number: number): Promise<boolean> {
  const program = join(import.meta.dirname, `lane${extname(import.meta.filename)}`);
  const child = fork(program, [root, ...values.require.map((path) => resolve(path))], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lane: Lane = { child, file: undefined, output: '', isEnding: false };
  lanes.add(lane);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lane.output += text;
      appendFileSync(join(results, `lane-${number}.log`), text);
    });
  }
  child.on('message', (message: FromLane) => {
    if (message !== 'ready') report.add(message, lane.output);
    sendNextFile(lane, number);
  });
  return new Promise((done) => {
    child.once('close', (code, signal) => {
      lanes.delete(lane);
      if (!interrupted) recordExit(lane, code, signal);
      done(!lane.isEnding);
    });
  });
}

function sendNextFile(lane: Lane, number: number): void {
  lane.file = interrupted ? undefined : queue.take(number);
  lane.output = '';
  lane.isEnding = lane.file === undefined;
  const message: ToLane =
    lane.file === undefined ? 'end' : { run: lane.file, titles: titlesToRun(lane.file) };
  lane.child.send(message);
}

/** Returns for a file the titles of its tests to run; null for all. */
function readTitles(): (file: string) => readonly string[] | null {
  const list = values['promised-only'];
  if (list === undefined) return () => null;
  const entries = parsePaths(readFileSync(list, 'utf8'));
  const proofs = parsePromises(readFileSync(values.promises, 'utf8')).flatMap(({ tests }) => tests);
  return (file) => {
    const path = file.slice(0, -extension.length);
    if (!entries.some((entry) => covers(entry, path))) return null;
    return proofs.filter((proof) => proof.path === path).map(({ title }) => title);
  };
}

/** A process that ends in the middle of a file, or with an error, is a failure. */
function recordExit(lane: Lane, code: number | null, signal: NodeJS.Signals | null): void {
  if (lane.isEnding && code === 0) return;
  const failure = {
    title: `The process of the tests ended with ${signal ?? `exit code ${code}`}`,
    text: lane.output,
  };
  if (lane.file === undefined) report.addFault(failure);
  else report.add(failedFile(lane.file, failure), '');
}

function failedFile(file: string, failure: FileResult['failures'][number]): FileResult {
  return { file, passed: 0, skipped: 0, milliseconds: 0, failures: [failure] };
}

function selectFilesToRun(): string[] {
  try {
    return selectFiles({ root, extension, excludedLists: without, requestedPaths: positionals });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
