import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extension, runTypeScript } from '../../src/embedded/programs.ts';
import { checkout, run } from '../support/run.ts';
import type { FaultName } from './faults.ts';

/** A known way to break the system, which the checks must catch. */
interface Control {
  /** What the patch of this name does. */
  breaks: string;
  /** The faults that bring it out. */
  faults: readonly FaultName[];
}

const interrupting = ['kill', 'cutPostgres', 'cutClients', 'crashPostgres'] as const;

/** By the name of the patch in `controls/`. */
export const controls: Readonly<Record<string, Control>> = {
  'publish-before-commit': {
    breaks: 'Events are committed before the change that makes them true.',
    faults: interrupting,
  },
  'sequence-at-insert': {
    breaks: 'Events are numbered when they are inserted instead of after their commit.',
    faults: ['slowPostgres'],
  },
  'no-epoch-in-finish': {
    breaks: 'A worker that lost its lease stores its result all the same.',
    faults: ['outlastLease'],
  },
  'no-project-filter-and-no-policy': {
    breaks: 'Objects are read without a condition on the project, and without its policy.',
    faults: ['cutRedis'],
  },
  'hint-without-sweep': {
    breaks: 'Work whose hint is lost in Redis is not handed over again.',
    faults: ['flushRedis', 'restartRedis', 'kill'],
  },
  'no-lease-sweep': {
    breaks: 'A task whose worker died is not taken back.',
    faults: ['kill', 'outlastLease'],
  },
  'acknowledge-before-store': {
    breaks: 'A task ends before its result is stored.',
    faults: ['kill', 'cutPostgres'],
  },
  'bytes-after-row': {
    breaks: 'Bytes are stored after the row that points to them.',
    faults: ['kill'],
  },
  'idempotency-outside-transaction': {
    breaks: 'The response of an Idempotency-Key is stored after the commit of the effect.',
    faults: ['cutClients', 'kill'],
  },
  'settle-without-lease': {
    breaks: 'An attempt is settled without a look at its lease.',
    faults: ['outlastLease', 'hangReceiver', 'failReceiver', 'slowReceiver'],
  },
  'counter-outside-transaction': {
    breaks: 'Attempts are counted in a transaction of their own.',
    faults: ['kill', 'crashPostgres'],
  },
};

const folder = join(checkout, 'test', 'torture', 'controls');

/** The names of the patches. */
export async function patchNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.patch')).sort();
}

/** Whether a patch applies to the source as it is. */
export async function applies(patch: string): Promise<string | null> {
  const { code, stdout } = await run(
    'patch',
    ['--dry-run', '--fuzz=0', '-p1', '-i', join(folder, patch)],
    {
      cwd: checkout,
    },
  );
  return code === 0 ? null : stdout;
}

interface Caught {
  control: string;
  seed: number;
  /** The check that found it first; null if nothing did. */
  by: string | null;
  what: string;
  seconds: number;
}

/** Runs the system with one control applied to a copy of it, seed by seed, until a check fails. */
export async function tryControl(name: string, seeds: readonly number[]): Promise<Caught> {
  const control = controls[name];
  if (!control) throw new Error(`Unknown control '${name}'.`);
  if (extension !== '.ts') throw new Error('Controls run from the sources.');
  const copy = await mkdtemp(join(tmpdir(), 'torture-control-'));
  try {
    for (const part of [
      'src',
      'test',
      'bench',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
    ]) {
      await cp(join(checkout, part), join(copy, part), { recursive: true });
    }
    for (const part of ['node_modules', '.data'])
      await symlink(join(checkout, part), join(copy, part));
    const patched = await run('patch', ['-p1', '-i', join(folder, `${name}.patch`)], { cwd: copy });
    if (patched.code !== 0) throw new Error(patched.stdout);
    const started = Date.now();
    let seed = 0;
    for (seed of seeds) {
      const { stdout } = await run(
        process.execPath,
        [
          ...runTypeScript,
          join(copy, 'test', 'torture', 'main.ts'),
          ...['--seed', String(seed), '--requests', '120', '--faults', '30', '--tries', '0'],
          ...['--quiet-seconds', '60', '--kinds', control.faults.join()],
        ],
        { cwd: copy },
      );
      const found = /^ {2}(\w+): (.*)$/m.exec(stdout);
      const seconds = (Date.now() - started) / 1_000;
      if (found) return { control: name, seed, by: found[1]!, what: found[2]!, seconds };
    }
    return { control: name, seed, by: null, what: '', seconds: (Date.now() - started) / 1_000 };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
