import type { JobWarning } from '../contracts/jobs.ts';
import type { OperationName, OperationOptions } from '../contracts/operations.ts';
import type { SourceMime } from '../contracts/sources.ts';
import type { Failure } from '../contracts/wire/common.ts';
import type { Engines } from '../engines/index.ts';
import type { Labels } from '../library/objects/labels.ts';
import type { DonePage, PageOutcome } from './finish-pages.ts';
import { classifyWork } from './operations/classify/index.ts';
import { normalizeWork } from './operations/normalize-for-llm/index.ts';
import { ocrWork } from './operations/ocr.ts';
import { redactPiiWork } from './operations/redact-pii/index.ts';
import type { PageRange } from './page-ranges.ts';

/**
 * The source of an operation as the engines see it, a file that stays as it is: the job's source, or,
 * after `redact_pii`, what that has made of it.
 */
export interface SourceFile {
  path: string;
  filename: string;
  mime: SourceMime;
  sha256: string;
  projectId: string;
  /** Whether `redact_pii` made it: what it left out must not come back from anywhere else. */
  redacted: boolean;
}

/** What opening a source tells. */
export interface OpenedSource {
  pages: number;
  warnings: JobWarning[];
}

/** A page as an operation left it. */
export interface StoredPage {
  page: number;
  state: string;
  /** Why it failed, or why it was left out: it failed in an operation before. */
  error: Failure | null;
  result: Record<string, unknown> | null;
  words: Buffer | null;
}

/** What a redaction is free of, by the checks of its own operation. */
export interface Redaction {
  /** Null for all kinds of personal data there are. */
  entities: readonly string[] | null;
}

/** A file an operation made, not yet stored. */
export interface NewOutput {
  kind: string;
  path: string;
  mime: string;
  /** What is put after the source's name, with the extension: `.ocr.pdf`. */
  suffix: string;
  /** What it is named after, where the source's own name has what was removed in it. */
  namedAfter?: string;
  /** Said of a redaction that is verified, and of nothing else. */
  verifiedRedaction?: Redaction | undefined;
}

/** What an operation came to. */
export interface Assembly {
  outputs: NewOutput[];
  result: Record<string, unknown>;
  /** Pages that turned out to have failed only when the outputs were made. */
  failedPages?: { page: number; error: Failure }[];
  /** What the customer should know of how it went. */
  warnings?: JobWarning[];
  /** What the source is taken for, and whether what was read of it bears that out. */
  labels?: { all: Labels; areSure: boolean };
  /** Pages of whom more is known now than when they were done: it takes the place of that. */
  pages?: DonePage[];
}

/** What a step of an operation works with. */
export interface StepWork<O extends OperationName> {
  engines: Engines;
  source: SourceFile;
  options: OperationOptions<O>;
  /** Whether outputs are to be made; else only what the next operation needs, and the result. */
  makesOutputs: boolean;
  /** Aborted when the job is cancelled, the lease is lost or the worker has to stop. */
  signal: AbortSignal;
  /** The options of an operation of the job; null of one it lacks. */
  optionsOf<P extends OperationName>(op: P): OperationOptions<P> | null;
  /** What an operation of the job has left of its pages, in their order; of one it lacks nothing. */
  pages(op: OperationName, range?: PageRange): AsyncIterable<StoredPage>;
  /** The number of a page of the job in `source`. */
  pageInSource(page: number): Promise<number>;
  /** A new file of the storage's, gone when the step has ended. */
  newFile(): Promise<string>;
}

/** The three steps of an operation. All work is done outside transactions, and may be done twice. */
export interface OperationWork<O extends OperationName> {
  open(work: StepWork<O>): Promise<OpenedSource>;
  page(work: StepWork<O>, page: number): Promise<PageOutcome>;
  /** @throws OperationFailed */
  assemble(work: StepWork<O>): Promise<Assembly>;
}

/** Who does each operation; one that is missing does not compile. */
export const operationWork: { [O in OperationName]: OperationWork<O> } = {
  ocr: ocrWork,
  redact_pii: redactPiiWork,
  normalize_for_llm: normalizeWork,
  classify: classifyWork,
};
