import { EngineError } from '../errors.ts';
import { findIsolation, type Isolation } from '../isolation/index.ts';
import { makeScratch, refuseClosed } from '../isolation/scratch.ts';
import type { Calls, TaskDefinitions } from './define-task.ts';
import { createChildren } from './pool.ts';
import { sparesFor } from './spares.ts';
import type { RunOptions } from './task.ts';

export type EngineOptions = {
  /** Maximum number of children that work at once: about one per core. */
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

type Shapes = Record<string, { request: unknown; answer: unknown }>;

type Engine<S extends Shapes> = {
  /** The call of each kind of work. Throws EngineError, also if the answer fails its check. */
  calls: Calls<S, CallOptions>;
  /** Kills all children and removes temporary files. */
  close(): Promise<void>;
};

/**
 * Creates an engine whose tasks run in children. The children run the module `tasks` next to the
 * module at `location` (`.ts` from source, `.js` once built); `seen` are the files and programs
 * that they use besides their code.
 */
export function createEngine<S extends Shapes>(
  name: string,
  tasks: TaskDefinitions<S>,
  location: string,
  options: EngineOptions,
  seen: { reads?: readonly string[]; programs?: readonly string[] } = {},
  /** Argument of the module's handler `warmUp`: what a spare child loads in advance. */
  warmUp: unknown = null,
): Engine<S> {
  const { processes, memoryBytes, tmpDir, isolation = findIsolation() } = options;
  const spares = options.keepsSpares ? sparesFor(processes) : 0;
  const scratch = makeScratch(tmpDir, name);
  // Checked once the folder exists: its permissions are those that the process gives to new
  // folders.
  if (isolation.kind === 'account') refuseClosed(tmpDir);
  const module = new URL(`./tasks.${location.endsWith('.ts') ? 'ts' : 'js'}`, location);
  const children = createChildren({
    ...{ module, processes, memoryBytes, ...seen, spares, warmUp },
    folder: scratch.path,
    isolation: isolation.kind,
  });

  const callOf =
    <N extends keyof S & string>(task: N): Calls<S, CallOptions>[N] =>
    async (input, { deadlineMs, signal, isolation }) => {
      const { reads = [], writes = [], ...further } = tasks[task].files(input);
      const run = { name: task, input, isolation, files: { reads, writes }, ...further };
      const value = await children.run(run, { deadlineMs, signal });
      if (tasks[task].answer(value, input)) return value;
      throw new EngineError('crashed', `The ${name} engine failed.`);
    };
  const calls: Partial<Calls<S, CallOptions>> = {};
  for (const task in tasks) calls[task] = callOf(task);
  return {
    calls: calls as Calls<S, CallOptions>,
    close: async () => {
      await children.close();
      await scratch.remove();
    },
  };
}
