import type { CallOptions } from '../../engines/index.ts';
import type { SourceFile } from '../operation-work.ts';

/** How long opening a source may take. */
export const inspectMs = 60_000;

/** The source as an engine is told of it. */
export function fileOf(source: SourceFile): { path: string; mime: string } {
  return { path: source.path, mime: source.mime };
}

/** The limits of one call on a source. */
export function callOf(source: SourceFile, deadlineMs: number, signal: AbortSignal): CallOptions {
  return { deadlineMs, signal, isolation: source.projectId };
}
