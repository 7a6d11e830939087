import type { Calls, ShapesOf } from '@scriptorium/sandbox/children/define-task';
import {
  type CallOptions,
  createEngine,
  type EngineOptions,
} from '@scriptorium/sandbox/children/engine';
import { imagingTasks } from './calls.ts';

export type { MadeRendition, PictureReading } from './results.ts';

export type Imaging = Calls<ShapesOf<typeof imagingTasks>, CallOptions> & {
  /** Kills all children and removes temporary files. */
  close(): Promise<void>;
};

/**
 * Returns the imaging engine. Every call runs in a killable child process that serves one project,
 * with a deadline, a memory cap and no secrets. Its children are separate from those that read
 * documents, because they enable other loaders. Throws EngineError on failure. Nothing here uses
 * the network.
 */
export function createImaging(options: EngineOptions): Imaging {
  const { calls, close } = createEngine('imaging', imagingTasks, import.meta.url, options);
  return { ...calls, close };
}
