import type { Calls, ShapesOf } from '@scriptorium/sandbox/children/define-task';
import {
  type CallOptions,
  createEngine,
  type EngineOptions,
} from '@scriptorium/sandbox/children/engine';
import { imagingTasks } from './calls.ts';

export type { PictureReading, WrittenRendition } from './results.ts';

export type Imaging = Calls<ShapesOf<typeof imagingTasks>, CallOptions> & {
  /** Kills all children and removes temporary files. */
  close(): Promise<void>;
};

/**
 * Returns the imaging engine. Every call runs in a child process that serves one project. The child
 * can be killed, has a deadline and a memory limit, and contains no secrets. Document children are
 * separate, because imaging children enable other loaders. Calls throw EngineError on failure. The
 * engine does not use the network.
 */
export function createImaging(options: EngineOptions): Imaging {
  const { calls, close } = createEngine('imaging', imagingTasks, import.meta.url, options);
  return { ...calls, close };
}
