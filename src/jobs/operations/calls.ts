import type { JobWarning } from '@scriptorium/contracts/jobs';
import type { OperationName, OperationOptions } from '@scriptorium/contracts/operations';
import type { CallOptions } from '@scriptorium/documents';
import type { RecognitionOptions } from '@scriptorium/documents/ocr/trusted-recognition';
import type { OpenedSource, OperationSource, StepWork } from './operation.ts';

/** The time limit for opening a source. */
export const inspectMs = 60_000;

/** Opens a source to count its pages. */
export async function inspectSource<O extends OperationName>({
  engines,
  source,
  signal,
}: StepWork<O>): Promise<OpenedSource> {
  const options = callOptionsOf(source, inspectMs, signal);
  const { pageCount } = await engines.summarise(fileOf(source), options);
  return { pages: pageCount, warnings: [] };
}

/**
 * Opens a source of which a changed copy is made. Warns if it is damaged or signed.
 * @param ifSigned what becomes of the signature
 */
export async function openToRewrite<O extends OperationName>(
  { engines, source, signal }: StepWork<O>,
  ifSigned: string,
): Promise<OpenedSource> {
  const options = callOptionsOf(source, inspectMs, signal);
  const { pageCount, signed, repaired } = await engines.summarise(fileOf(source), options);
  const warnings: JobWarning[] = [];
  if (signed) {
    warnings.push({
      code: 'signature_invalidated',
      message: `The source has a digital signature. ${ifSigned}`,
    });
  }
  if (repaired) {
    warnings.push({
      code: 'source_repaired',
      message: 'The source is damaged and was repaired as far as possible.',
    });
  }
  return { pages: pageCount, warnings };
}

/** The source as an argument for engines. */
export function fileOf(source: OperationSource): { path: string; mime: string } {
  return { path: source.path, mime: source.mime };
}

/** The limits of one call on a source. */
export function callOptionsOf(
  source: OperationSource,
  deadlineMs: number,
  signal: AbortSignal,
): CallOptions {
  return { deadlineMs, signal, isolation: source.projectId };
}

/** The options of `ocr` that determine how it reads a page. */
export function readingOptionsOf(options: OperationOptions<'ocr'>): RecognitionOptions {
  const { languages, rotate, existing_text: existingText } = options;
  return { languages, rotate, existingText };
}
