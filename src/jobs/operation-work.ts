import type { JobWarning } from '../contracts/jobs.ts';
import type { OperationName, OperationOptions } from '../contracts/operations.ts';
import type { SourceMime } from '../contracts/sources.ts';
import type { Engines } from '../engines/index.ts';
import type { PageOutcome } from './finish-pages.ts';
import { ocrWork } from './operations/ocr.ts';

/** The source of a job as the engines see it: a file that stays as it is. */
export interface SourceFile {
  path: string;
  mime: SourceMime;
  sha256: string;
  projectId: string;
}

/** What opening a source tells. */
export interface OpenedSource {
  pages: number;
  warnings: JobWarning[];
}

/** A page as it was stored, for the step that makes outputs. */
export interface StoredPage {
  page: number;
  state: string;
  result: Record<string, unknown> | null;
  words: Buffer | null;
}

/** A file an operation made, not yet stored. */
export interface NewOutput {
  kind: string;
  path: string;
  mime: string;
  /** What is put after the source's name, with the extension: `.ocr.pdf`. */
  suffix: string;
}

/** The three steps of an operation. All work is done outside transactions, and may be done twice. */
export interface OperationWork<O extends OperationName> {
  open(engines: Engines, source: SourceFile, signal: AbortSignal): Promise<OpenedSource>;
  page(
    engines: Engines,
    source: SourceFile,
    options: OperationOptions<O>,
    page: number,
    signal: AbortSignal,
  ): Promise<PageOutcome>;
  assemble(
    engines: Engines,
    source: SourceFile,
    options: OperationOptions<O>,
    pages: AsyncIterable<StoredPage>,
    /** A new file of the storage's to write an output, or something on the way to it, into. */
    newFile: () => Promise<string>,
    signal: AbortSignal,
  ): Promise<{ outputs: NewOutput[]; result: Record<string, unknown> }>;
}

/** Who does each operation; one that is missing does not compile. */
export const operationWork: { [O in OperationName]: OperationWork<O> } = {
  ocr: ocrWork,
};
