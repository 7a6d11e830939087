import { EngineError } from '../errors.ts';
import { findIsolation, type Isolation } from '../isolation/index.ts';
import { createScratch, requireAccessible } from '../isolation/scratch.ts';
import type { Calls, TaskDefinitions } from './define-task.ts';
import { createChildren } from './pool.ts';
import { sparesFor } from './spares.ts';
import type { RunOptions } from './task.ts';

export type EngineOptions = {
  /** Maximum number of children that run tasks at the same time, about one per core. */
  processes: number;
  /** Maximum resident memory of a child, in bytes. A child that exceeds it is killed. */
  memoryBytes: number;
  /** The folder for temporary files. */
  tmpDir: string;
  /** Whether one or two unused children are kept ready, if the memory allows it. */
  keepsSpares?: boolean;
  /** How children are isolated. Default: the strongest isolation that works on this machine. */
  isolation?: Isolation;
};

/** The limits of a call, and the project that owns the file. */
export type CallOptions = RunOptions & {
  /** The project. A child that has read files of a project never reads files of another project. */
  isolation: string;
};

type Shapes = Record<string, { request: unknown; answer: unknown }>;

type Engine<S extends Shapes> = {
  /**
   * The calls of all tasks. Each throws EngineError on failure, or if the answer fails its check.
   */
  calls: Calls<S, CallOptions>;
  /** Kills all children and removes temporary files. */
  close(): Promise<void>;
};

/**
 * Creates an engine whose tasks run in children. The children run the module `tasks` next to the
 * module at `location` (`.ts` from source, `.js` once built). `extras` lists the files and programs
 * that they use in addition to their code.
 */
export function createEngine<S extends Shapes>(
  name: string,
  tasks: TaskDefinitions<S>,
  location: string,
  options: EngineOptions,
  extras: { reads?: readonly string[]; programs?: readonly string[] } = {},
  /**
   * The argument of the handler `warmUp`, which loads code and data of a spare child in advance.
   */
  warmUp: unknown = null,
): Engine<S> {
  const { processes, memoryBytes, tmpDir, isolation = findIsolation() } = options;
  const spares = options.keepsSpares ? sparesFor(processes) : 0;
  const scratch = createScratch(tmpDir, name);
  // Checked once the folder exists, because its permissions depend on the umask of the process.
  if (isolation.kind === 'account') requireAccessible(tmpDir);
  const module = new URL(`./tasks.${location.endsWith('.ts') ? 'ts' : 'js'}`, location);
  const children = createChildren({
    module,
    processes,
    memoryBytes,
    ...extras,
    spares,
    warmUp,
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
