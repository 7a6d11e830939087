import type { OperationName, OperationOptions } from '@scriptorium/contracts/operations';
import type { CallOptions } from '@scriptorium/documents';
import type { HowRead } from '@scriptorium/documents/ocr/own-means';
import type { OpenedSource, OperationSource, StepWork } from './operation.ts';

/** Opens a source to count its pages. */
export async function inspectSource<O extends OperationName>({
  engines,
  source,
  signal,
}: StepWork<O>): Promise<OpenedSource> {
  const found = await engines.inspect(fileOf(source), callOf(source, inspectMs, signal));
  return { pages: found.pages.length, warnings: [] };
}

/** How long opening a source may take. */
export const inspectMs = 60_000;

/** The source as an argument for engines. */
export function fileOf(source: OperationSource): { path: string; mime: string } {
  return { path: source.path, mime: source.mime };
}

/** The limits of one call on a source. */
export function callOf(
  source: OperationSource,
  deadlineMs: number,
  signal: AbortSignal,
): CallOptions {
  return { deadlineMs, signal, isolation: source.projectId };
}

/** How `ocr` reads, from its options. */
export function howRead(options: OperationOptions<'ocr'>): HowRead {
  const { languages, rotate, existing_text: existingText } = options;
  return { languages, rotate, existingText };
}
