import { EngineError } from '../errors.ts';
import type { TaskFiles } from '../isolation/box.ts';
import { findIsolation, type Isolation } from '../isolation/index.ts';
import { makeScratch } from '../isolation/scratch.ts';
import { createChildren } from './pool.ts';
import { sparesFor } from './spares.ts';
import type { RunOptions, Task } from './task.ts';

export type EngineOptions = {
  /** Children that may work at once: about one a core. */
  processes: number;
  /** Resident memory of one child, in bytes, past which it is killed. */
  memoryBytes: number;
  /** Folder for scratch files. */
  tmpDir: string;
  /** Whether a child or two that have served nobody are kept ready, as far as memory allows. */
  keepsSpares?: boolean;
  /** How children are kept apart; the strongest that works here unless given. */
  isolation?: Isolation;
};

/** Limits of one call, and whose file it is. */
export type CallOptions = RunOptions & {
  /** The project: a child that has read one's files never reads another's. */
  isolation: string;
};

/** What a call reads and writes; the child sees no other file of ours. */
type Call = Pick<Task, 'name' | 'input' | 'affinity'> & Partial<TaskFiles>;

type Engine = {
  /** Runs a task in a child; throws EngineError, also for an answer that fails `check`. */
  call<T>(call: Call, options: CallOptions, check: (value: unknown) => value is T): Promise<T>;
  /** Kills all children and removes scratch files. */
  close(): Promise<void>;
};

/**
 * An engine whose tasks run in children: those of the module `tasks` beside the module at
 * `location`, in TypeScript as it is written and in JavaScript once built. `seen` are the files and
 * the programs that they use beside their code.
 */
export function createEngine(
  name: string,
  location: string,
  options: EngineOptions,
  seen: { reads?: readonly string[]; programs?: readonly string[] } = {},
  /** What a spare is told to load: the argument of the handler `warmUp`, which the module must have. */
  warmUp: unknown = null,
): Engine {
  const { processes, memoryBytes, tmpDir, isolation = findIsolation() } = options;
  const spares = options.keepsSpares ? sparesFor(processes) : 0;
  const scratch = makeScratch(tmpDir, name);
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
      // A child reads hostile files: what it says is checked like anything from outside.
      if (!check(value)) throw new EngineError('crashed', `The ${name} engine failed.`);
      return value;
    },
    close: async () => {
      await children.close();
      await scratch.remove();
    },
  };
}
