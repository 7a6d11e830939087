import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Box, createBox } from './box.ts';
import { bubblewrapArgs, findBubblewrap } from './bubblewrap.ts';
import { account, type IsolationKind } from './kinds.ts';
import { type ResourceLimits, withLimits } from './limits.ts';
import { permissionFlags } from './permissions.ts';
import { findProgram } from './programs.ts';
import { seccompFilter } from './seccomp.ts';
import { findUnshare, unshareArgs } from './unshare.ts';
import { viewOf } from './view.ts';

/** A module of ours that is run apart from everything else. */
export type Program = {
  module: string;
  /** Arguments of Node before the module. */
  nodeArgs: readonly string[];
  /** Files and folders that it may read beside code, libraries and fonts. */
  reads: readonly string[];
  /** Programs of the system that it starts. */
  programs: readonly string[];
  env: Readonly<Record<string, string>>;
  limits: ResourceLimits;
};

type Command = { command: string; args: string[]; uid?: number; gid?: number; filter?: string };

/**
 * Starts a program in a box, in the way that `kind` says. What the parent and it say to each other
 * goes through descriptor 3. It leads a process group of its own, and its box has nothing in it that
 * another one has.
 */
export function launch(kind: IsolationKind, program: Program, box: Box): ChildProcess {
  const { command, args, uid, gid, filter } = commandOf(kind, program, box);
  const opened = filter === undefined ? [] : [openSync(filter, 'r')];
  try {
    return spawn(command, args, {
      env: { ...program.env },
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...opened],
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
      ...(uid !== undefined && gid !== undefined ? { uid, gid } : {}),
    });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Kills a child and whatever it started, also after its own end. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined || process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left of it.
  }
}

/** Runs a program in a box and waits for it: whether this machine can do what `kind` needs. */
export function attempt(kind: IsolationKind, program: Program, box: Box): string | null {
  const { command, args, uid, gid, filter } = commandOf(kind, program, box);
  const opened = filter === undefined ? [] : [openSync(filter, 'r')];
  try {
    const { status, stdout, error } = spawnSync(command, args, {
      env: { ...program.env },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore', 'ignore', ...opened],
      timeout: 20_000,
      encoding: 'utf8',
      ...(uid !== undefined && gid !== undefined ? { uid, gid } : {}),
    });
    return error || status !== 0 ? null : stdout;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** A box in a folder of boxes, for a child of that kind. */
export function boxFor(kind: IsolationKind, folder: string, number: number): Box {
  const path = join(folder, `box-${number}`);
  if (kind !== 'account') return createBox(path);
  // Accounts pass through, and see nothing but what is theirs.
  chmodSync(folder, 0o711);
  return createBox(path, account(number));
}

function commandOf(kind: IsolationKind, program: Program, box: Box): Command {
  const { limits, nodeArgs, module, reads, programs } = program;
  const prlimit = findProgram('prlimit');
  const node = (flags: readonly string[]) => [process.execPath, ...flags, ...nodeArgs, module];
  if (kind === 'account' || kind === 'process') {
    const writes = [box.out, box.tmp];
    const flags = permissionFlags({
      module,
      reads: [...reads, box.in],
      writes,
      // The loader of TypeScript starts a program as well.
      programs: programs.length > 0 || module.endsWith('.ts'),
    });
    const owner = kind === 'account' ? box.owner : undefined;
    return { ...split([...withLimits(limits), ...node(flags)]), ...owner };
  }
  const view = viewOf(module, [...reads, ...programs, ...(prlimit ? [prlimit] : [])]);
  const counted = prlimit ? [prlimit, `--nproc=${limits.processes}`, '--'] : [];
  const inner = [...counted, ...node([])];
  if (kind === 'bubblewrap') {
    const filter = filterFile(box);
    const outer = [need(findBubblewrap()), ...bubblewrapArgs(view, box, filter !== undefined)];
    const command = split([...withLimits(limits), ...outer, ...inner]);
    return { ...command, ...(filter === undefined ? {} : { filter }) };
  }
  const root = join(box.path, 'root');
  mkdirSync(root);
  return split([
    ...withLimits(limits),
    ...unshareArgs(need(findUnshare()), view, box, root),
    ...inner,
  ]);
}

/** The filter of system calls as a file of the box, which its child does not see. */
function filterFile(box: Box): string | undefined {
  const filter = seccompFilter();
  if (!filter) return undefined;
  const path = join(box.path, 'filter');
  writeFileSync(path, filter);
  return path;
}

function split([command = '', ...args]: readonly string[]): { command: string; args: string[] } {
  return { command, args };
}

function need<T>(found: T | null): T {
  if (found === null) throw new Error('The program that isolates engine children is gone.');
  return found;
}
