import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { findProgram } from '../../test/support/debian-program.ts';
import { checkout, run } from '../../test/support/run.ts';
import { makeFolder, removeWithRun } from '../../test/support/services.ts';
import { extension } from '../embedded/programs.ts';
import { type CheckName, checkNames } from './check/index.ts';
import type { FaultName } from './faults.ts';
import type { WorldSize } from './world.ts';

/** A known way to break the system, which the checks must detect. */
interface Control {
  /** A description of the patch with this name. */
  breaks: string;
  mix: FaultMix;
  /** The checks for the broken promise: one of them must fail. */
  caughtBy: readonly CheckName[];
}

/**
 * Faults that reveal controls, and the world that they need. Few programs are killed, because
 * starts are slow.
 */
interface FaultMix {
  kinds: readonly FaultName[];
  faults: number;
  size: WorldSize;
}

/** Interrupts transactions and their answers; slow packets keep them open. */
const interruptionFaults: FaultMix = {
  kinds: [
    'slowPostgres',
    'cutPostgres',
    'crashPostgres',
    'cutClients',
    'fillStorage',
    'freezeStorage',
  ],
  faults: 60,
  size: 'few',
};
/** Loses hints and leases. A second worker of the same queue takes over. */
const lossFaults: FaultMix = {
  kinds: ['kill', 'freeze', 'outlastLease', 'flushRedis', 'restartRedis'],
  faults: 60,
  size: 'all',
};
/** Suspends the workers, one after the other, for longer than their leases. */
const stallFaults: FaultMix = { kinds: ['outlastLease'], faults: 16, size: 'all' };
/** By the name of the patch in `controls/`. */
export const controls: Readonly<Record<string, Control>> = {
  'publish-before-commit': {
    breaks: 'Events are committed before the change that makes them true.',
    mix: interruptionFaults,
    caughtBy: ['effects'],
  },
  'sequence-at-insert': {
    breaks: 'Events are numbered when they are inserted instead of after their commit.',
    mix: interruptionFaults,
    caughtBy: ['feed'],
  },
  'no-epoch-in-finish': {
    breaks:
      'A worker that lost its lease goes on, and stores its result over that of its successor.',
    mix: stallFaults,
    caughtBy: ['work'],
  },
  'no-project-filter-and-no-policy': {
    breaks: 'Objects are read without a condition on the project, and without its policy.',
    mix: interruptionFaults,
    caughtBy: ['answers'],
  },
  'hint-without-sweep': {
    breaks: 'Work whose hint is lost in Redis is not handed over again.',
    mix: lossFaults,
    caughtBy: ['quiet'],
  },
  'no-lease-sweep': {
    breaks: 'A task whose worker died is not taken back.',
    mix: lossFaults,
    caughtBy: ['quiet'],
  },
  'acknowledge-before-store': {
    breaks: 'A task ends before its result is stored.',
    mix: interruptionFaults,
    caughtBy: ['work', 'quiet'],
  },
  'bytes-after-row': {
    breaks:
      'Bytes are stored after the commit of the row that points to them, and a failure is ignored.',
    mix: interruptionFaults,
    caughtBy: ['bytes', 'answers'],
  },
  'idempotency-outside-transaction': {
    breaks: 'The response of an Idempotency-Key is stored after the commit of the effect.',
    mix: interruptionFaults,
    caughtBy: ['effects', 'answers'],
  },
  'settle-without-lease': {
    breaks: 'An attempt is settled without a look at its lease.',
    mix: interruptionFaults,
    caughtBy: ['deliveries', 'counters'],
  },
  'fan-out-skips-paused': {
    breaks: 'Endpoints that are paused while an event is fanned out do not get it later.',
    mix: interruptionFaults,
    caughtBy: ['deliveries'],
  },
  'commit-passes-unread': {
    breaks: 'A commit moves a consumer to the end of the feed, past what it has not read.',
    mix: interruptionFaults,
    caughtBy: ['feed'],
  },
  'counter-outside-transaction': {
    breaks: 'Attempts are counted in a transaction of their own.',
    mix: interruptionFaults,
    caughtBy: ['counters'],
  },
};

const folder = join(checkout, 'lab', 'torture', 'controls');

/** The names of the patches. */
export async function patchNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.patch')).sort();
}

/** Whether a patch applies to the source as it is. */
export async function findApplyFailure(patch: string): Promise<string | null> {
  const { code, stdout } = await runPatch(
    ['--dry-run', '--fuzz=0', '-i', join(folder, patch)],
    checkout,
  );
  return code === 0 ? null : stdout;
}

async function runPatch(patchArguments: readonly string[], cwd: string): ReturnType<typeof run> {
  const patch = await findProgram({ name: 'patch', folder: 'usr/bin', version: '--version' });
  if (!patch) throw new Error('Controls need the program `patch`.');
  return run(patch.path, ['-p1', ...patchArguments], { cwd });
}

/** The outcome of a control. */
interface ControlResult {
  seed: number;
  /** The checks that failed with it; the first is the one that must detect it, if that failed. */
  failedChecks: string[];
  /** The findings of that check. */
  what: string;
  /** The checks that failed without it, with the same seed, faults and limits. */
  failedWithoutPatch: string[];
  seconds: number;
}

/** Whether a relevant check detected a control, and everything passed without it. */
export function isCaught(
  name: string,
  { failedChecks: by, failedWithoutPatch: without }: ControlResult,
): boolean {
  return without.length === 0 && controls[name]!.caughtBy.some((check) => check === by[0]);
}

/**
 * Runs the system with one control applied to a copy of it, seed by seed, until a relevant check
 * fails, and then that seed without the control.
 */
export async function tryControl(
  name: string,
  seeds: readonly number[],
  report: (progress: string) => void,
): Promise<ControlResult> {
  const control = controls[name];
  if (!control) throw new Error(`Unknown control '${name}'.`);
  const started = Date.now();
  const copy = await copyWithPatch(name);
  const result: ControlResult = {
    seed: 0,
    failedChecks: [],
    what: '',
    failedWithoutPatch: [],
    seconds: 0,
  };
  try {
    for (const seed of seeds) {
      result.seed = seed;
      const found = await runFindings(copy, seed, control.mix);
      const relevant = found.find(({ check }) => control.caughtBy.some((one) => one === check));
      const first = relevant ?? found[0];
      result.failedChecks = [
        ...new Set([...(first ? [first.check] : []), ...found.map(({ check }) => check)]),
      ];
      result.what = first?.what ?? '';
      report(`  ${name}, seed ${seed}: ${result.failedChecks.join() || 'all well'}`);
      if (relevant) break;
    }
    const compiled = join(checkout, 'dist', 'compiled');
    result.failedWithoutPatch = await checksThatFail(compiled, result.seed, control.mix);
    result.seconds = (Date.now() - started) / 1_000;
    return result;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The findings without a patch, by seed and mix, which controls share. */
const unpatched = new Map<string, Promise<string[]>>();

function checksThatFail(compiled: string, seed: number, mix: FaultMix): Promise<string[]> {
  const key = JSON.stringify([seed, mix]);
  const found =
    unpatched.get(key) ??
    runFindings(compiled, seed, mix).then((all) => [...new Set(all.map(({ check }) => check))]);
  unpatched.set(key, found);
  // If it could not be run, it is run again for the next control.
  found.catch(() => unpatched.delete(key));
  return found;
}

/** A separate run in which everything comes from the copy, including migrations. */
async function runFindings(
  compiled: string,
  seed: number,
  mix: FaultMix,
): Promise<{ check: string; what: string }[]> {
  const { code, stdout, stderr } = await run(process.execPath, [
    join(compiled, 'lab', 'torture', `main${extension}`),
    '--seed',
    String(seed),
    '--requests',
    '160',
    '--faults',
    String(mix.faults),
    '--tries',
    '0',
    '--quiet-seconds',
    '75',
    '--still-seconds',
    '45',
    '--kinds',
    mix.kinds.join(),
    '--size',
    mix.size,
  ]);
  // Logs of programs are also printed.
  const found = [...stdout.matchAll(/^ {2}(\w+): (.*)$/gm)].filter(([, check]) =>
    checkNames.includes(check!),
  );
  if (code !== 0 && found.length === 0) throw new Error(`The run failed: ${stderr}${stdout}`);
  return found.map(([, check, what]) => ({ check: check!, what: what! }));
}

/** A copy of the compiled code, in which the files changed by the patch are compiled again. */
async function copyWithPatch(name: string): Promise<string> {
  if (extension !== '.js') throw new Error('Controls run from dist/compiled.');
  const copy = join(checkout, 'dist', `control-${name}`);
  await rm(copy, { recursive: true, force: true });
  removeWithRun(copy);
  const copied = await run('cp', ['-a', join(checkout, 'dist', 'compiled'), copy]);
  if (copied.code !== 0) throw new Error(copied.stderr);
  const sources = await makeFolder('control');
  try {
    const patch = join(folder, `${name}.patch`);
    const heads = (await readFile(patch, 'utf8')).matchAll(/^\+\+\+ b\/(\S+)$/gm);
    const changed = [...heads].map(([, path]) => path!);
    for (const path of ['src', 'package.json', 'tsconfig.json']) {
      await cp(join(checkout, path), join(sources, path), { recursive: true });
    }
    const patched = await runPatch(['-i', patch], sources);
    if (patched.code !== 0) throw new Error(patched.stdout);
    const isCode = (path: string): boolean => path.endsWith('.ts');
    await checkTypes(sources, changed.filter(isCode));
    for (const path of changed) {
      const target = join(copy, path.replace(/\.ts$/, '.js'));
      const source = await readFile(join(sources, path), 'utf8');
      await rm(target);
      await writeFile(target, isCode(path) ? compile(path, source) : source);
    }
  } finally {
    await rm(sources, { recursive: true, force: true });
  }
  return copy;
}

/**
 * A patch that breaks more than intended, for example by a missing name, would be detected for the
 * wrong reason.
 */
async function checkTypes(sources: string, files: readonly string[]): Promise<void> {
  const packages = join(checkout, 'node_modules');
  await symlink(packages, join(sources, 'node_modules'));
  const project = join(sources, 'tsconfig.control.json');
  const compilerOptions = { noUnusedLocals: false };
  await writeFile(project, JSON.stringify({ extends: './tsconfig.json', compilerOptions, files }));
  const { code, stdout } = await run(join(packages, '.bin', 'tsc'), ['-p', project]);
  if (code !== 0) throw new Error(stdout);
}

/** Compiled like the compiler does, without types. */
function compile(path: string, source: string): string {
  const { code, errors } = transformSync(path, source, {
    target: 'es2023',
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
  });
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join()}`);
  return code;
}
