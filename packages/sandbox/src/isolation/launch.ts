import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMachineError } from '../errors.ts';
import { type Box, createBox } from './box.ts';
import { bubblewrapArgs, findBubblewrap } from './kinds/bubblewrap.ts';
import { accountFor, type IsolationKind } from './kinds/index.ts';
import { permissionFlags } from './kinds/permissions.ts';
import { seccompFilter } from './kinds/seccomp.ts';
import { findUnshare, unshareArgs } from './kinds/unshare.ts';
import { type ResourceLimits, withLimits } from './limits.ts';
import { findProgram } from './programs.ts';
import { fileViewOf } from './view.ts';

/** A module of the service to run in isolation. */
export type Program = {
  module: string;
  /** Node.js arguments that precede the module. */
  nodeArgs: readonly string[];
  /** Files and folders that it may read, in addition to code, libraries and fonts. */
  reads: readonly string[];
  /** System programs that it may start. */
  programs: readonly string[];
  env: Readonly<Record<string, string>>;
  limits: ResourceLimits;
};

type Command = { command: string; args: string[]; uid?: number; gid?: number; filter?: string };

/**
 * Starts a program in a box, isolated by `kind`. The program exchanges messages with its parent
 * through descriptor 3 and runs in a separate process group. Its box shares nothing with other
 * boxes.
 */
export function launch(kind: IsolationKind, program: Program, box: Box): ChildProcess {
  const { command, args, uid, gid, filter } = commandOf(kind, program, box);
  const descriptors = filter === undefined ? [] : [openSync(filter, 'r')];
  try {
    return spawn(command, args, {
      env: { ...program.env },
      cwd: '/',
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...descriptors],
      // A separate process group, so that all processes that the program starts end with it.
      detached: process.platform !== 'win32',
      ...(uid !== undefined && gid !== undefined ? { uid, gid } : {}),
    });
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/** Kills a child and all processes that it started, even if the child itself has exited. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined || process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is running.
  }
}

/**
 * Runs a program in a box until it exits, to check whether `kind` works on this machine. Returns
 * its output; null on failure.
 * @throws the error of the system if it has no space or cannot create a process.
 */
export function runToCompletion(kind: IsolationKind, program: Program, box: Box): string | null {
  const { command, args, uid, gid, filter } = commandOf(kind, program, box);
  const descriptors = filter === undefined ? [] : [openSync(filter, 'r')];
  try {
    const { status, stdout, error } = spawnSync(command, args, {
      env: { ...program.env },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore', 'ignore', ...descriptors],
      timeout: 20_000,
      encoding: 'utf8',
      ...(uid !== undefined && gid !== undefined ? { uid, gid } : {}),
    });
    if (isMachineError(error)) throw error;
    return error || status !== 0 ? null : stdout;
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/** Creates a box for a child of this kind in the folder of boxes. */
export function boxFor(kind: IsolationKind, folder: string, index: number): Box {
  const path = join(folder, `box-${index}`);
  if (kind !== 'account') return createBox(path);
  // Accounts can pass through the folder, but not list it.
  chmodSync(folder, 0o711);
  return createBox(path, accountFor(index));
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
      // The TypeScript loader also starts a program.
      programs: programs.length > 0 || module.endsWith('.ts'),
    });
    const owner = kind === 'account' ? box.owner : undefined;
    return { ...toCommand([...withLimits(limits), ...node(flags)]), ...owner };
  }
  const view = fileViewOf(module, [...reads, ...programs, ...(prlimit ? [prlimit] : [])]);
  const processLimit = prlimit ? [prlimit, `--nproc=${limits.processes}`, '--'] : [];
  const innerCommand = [...processLimit, ...node([])];
  if (kind === 'bubblewrap') {
    const filter = filterFile(box);
    const outer = [
      requireProgram(findBubblewrap()),
      ...bubblewrapArgs(view, box, filter !== undefined),
    ];
    const command = toCommand([...withLimits(limits), ...outer, ...innerCommand]);
    return { ...command, ...(filter === undefined ? {} : { filter }) };
  }
  const root = join(box.path, 'root');
  mkdirSync(root);
  return toCommand([
    ...withLimits(limits),
    ...unshareArgs(requireProgram(findUnshare()), view, box, root),
    ...innerCommand,
  ]);
}

/** Writes the system call filter to a file of the box that the child cannot access. */
function filterFile(box: Box): string | undefined {
  const filter = seccompFilter();
  if (!filter) return undefined;
  const path = join(box.path, 'filter');
  writeFileSync(path, filter);
  return path;
}

function toCommand([command = '', ...args]: readonly string[]): {
  command: string;
  args: string[];
} {
  return { command, args };
}

function requireProgram<T>(program: T | null): T {
  if (program === null) throw new Error('The program that isolates engine children was not found.');
  return program;
}
