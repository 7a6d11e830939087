import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { createChildren, type RunOptions, type Task } from './child.ts';

export type EngineOptions = {
  /** Children that may work at once: about one a core. */
  processes: number;
  /** Resident memory of one child, in bytes, past which it is killed. */
  memoryBytes: number;
  /** Folder for scratch files. */
  tmpDir: string;
};

type Engine = {
  /** A folder of the engine's own, gone when it is closed. */
  scratch: string;
  /** Runs a task in a child; throws EngineError, also for an answer that fails `check`. */
  call<T>(task: Task, options: RunOptions, check: (value: unknown) => value is T): Promise<T>;
  /** Kills all children and removes scratch files. */
  close(): Promise<void>;
};

/**
 * An engine whose tasks run in children: those of the module `tasks` beside the module at
 * `location`, in TypeScript as it is written and in JavaScript once built.
 */
export function createEngine(name: string, location: string, options: EngineOptions): Engine {
  const { processes, memoryBytes, tmpDir } = options;
  const scratch = mkdtempSync(join(tmpDir, `${name}-`));
  const module = new URL(`./tasks.${location.endsWith('.ts') ? 'ts' : 'js'}`, location);
  const children = createChildren({ module, processes, memoryBytes, tmpDir: scratch });
  return {
    scratch,
    call: async (task, { deadlineMs, signal }, check) => {
      const value = await children.run(task, { deadlineMs, signal });
      // A child reads hostile files: what it says is checked like anything from outside.
      if (!check(value)) throw new EngineError('crashed', `The ${name} engine failed.`);
      return value;
    },
    close: async () => {
      await children.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
