import { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';
import { findIsolation, type Isolation } from '../isolation/index.ts';
import { makeScratch, refuseClosed } from '../isolation/scratch.ts';
import { createChildren } from './pool.ts';
import { sparesFor } from './spares.ts';
import type { ChildTask, RunOptions } from './task.ts';

export type EngineOptions = {
  /** How many children may work at once: about one per core. */
  processes: number;
  /** Resident memory of one child, in bytes, past which it is killed. */
  memoryBytes: number;
  /** Folder for temporary files. */
  tmpDir: string;
  /** Whether one or two unused children are kept ready, as far as memory allows. */
  keepsSpares?: boolean;
  /** How children are isolated; by default the strongest way that works here. */
  isolation?: Isolation;
};

/** The limits of one call, and the project that owns the file. */
export type CallOptions = RunOptions & {
  /** The project: a child that has read the files of one never reads those of another. */
  isolation: string;
};

/** A task with the files that it reads and writes; the child sees no other file of ours. */
type EngineCall = Pick<ChildTask, 'name' | 'input' | 'affinity'> & Partial<TaskFiles>;

export type Engine = {
  /** Runs a task in a child. Throws EngineError, also if the answer fails `check`. */
  call<T>(
    call: EngineCall,
    options: CallOptions,
    check: (value: unknown) => value is T,
  ): Promise<T>;
  /** Kills all children and removes temporary files. */
  close(): Promise<void>;
};

/**
 * Creates an engine whose tasks run in children. The children run the module `tasks` next to the
 * module at `location` (`.ts` from source, `.js` once built); `seen` are the files and programs that
 * they use besides their code.
 */
export function createEngine(
  name: string,
  location: string,
  options: EngineOptions,
  seen: { reads?: readonly string[]; programs?: readonly string[] } = {},
  /** Argument of the module's handler `warmUp`: what a spare child loads in advance. */
  warmUp: unknown = null,
): Engine {
  const { processes, memoryBytes, tmpDir, isolation = findIsolation() } = options;
  const spares = options.keepsSpares ? sparesFor(processes) : 0;
  const scratch = makeScratch(tmpDir, name);
  // Once it is there: it is as closed as the process creates folders.
  if (isolation.kind === 'account') refuseClosed(tmpDir);
  const module = new URL(`./tasks.${location.endsWith('.ts') ? 'ts' : 'js'}`, location);
  const children = createChildren({
    ...{ module, processes, memoryBytes, ...seen, spares, warmUp },
    folder: scratch.path,
    isolation: isolation.kind,
  });
  return {
    call: async (
      { reads = [], writes = [], ...task },
      { deadlineMs, signal, isolation },
      check,
    ) => {
      const files = { reads, writes };
      const value = await children.run({ ...task, isolation, files }, { deadlineMs, signal });
      // A child reads hostile files, so its answer is checked like any outside data.
      if (!check(value)) throw new EngineError('crashed', `The ${name} engine failed.`);
      return value;
    },
    close: async () => {
      await children.close();
      await scratch.remove();
    },
  };
}
