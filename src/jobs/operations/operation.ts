import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { JobWarning } from '@scriptorium/contracts/jobs';
import type { OperationName, OperationOptions } from '@scriptorium/contracts/operations';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { Engines } from '@scriptorium/documents';
import type { Labels } from '../../library/objects/labels.ts';
import type { StoredChunk } from '../chunks.ts';
import type { PageOutcome, ProcessedPage } from '../pages/outcome.ts';
import type { PageRange } from '../pages/page-ranges.ts';
import type { PermittedRecogniser } from '../recogniser/permission.ts';
import type { Decisions, Detected } from '../reviews/findings.ts';

/**
 * The source of an operation as a file for the engines: the job's source or, after `redact_pii`, the
 * redacted output.
 */
export interface OperationSource {
  path: string;
  filename: string;
  mime: SourceMime;
  sha256: string;
  projectId: string;
  /**
   * Whether it is the output of `redact_pii`: removed values must not be restored from other data.
   */
  redacted: boolean;
}

/** The result of opening a source. */
export interface OpenedSource {
  pages: number;
  warnings: JobWarning[];
}

/** The stored result of an operation for a page. */
export interface StoredPage {
  page: number;
  state: string;
  /** Why it failed, or that it was skipped because it had failed in an earlier operation. */
  error: Failure | null;
  result: Record<string, unknown> | null;
  words: Buffer | null;
}

/** The data that a verified redaction is free of. */
export interface Redaction {
  /** Null for all kinds of personal data. */
  entities: readonly string[] | null;
}

/** An output that is not stored yet. */
export interface NewOutput {
  kind: string;
  path: string;
  mime: string;
  /** The suffix of its name, with the extension: `.ocr.pdf`. */
  suffix: string;
  /** The name to use if the source's name contains removed values. */
  namedAfter?: string;
  /** Set for a verified redaction only. */
  verifiedRedaction?: Redaction | undefined;
}

/**
 * A file found inside the source, as the source describes it. It is stored as an output in the same
 * way as an upload is stored as an object.
 */
export interface AttachedOutput {
  path: string;
  filename: string | null;
  declaredMime: string;
}

/** The result of an operation. */
export interface Assembly {
  outputs: NewOutput[];
  /** Files found inside the source, stored if the policies on uploads allow it. */
  attachments?: AttachedOutput[];
  result: Record<string, unknown>;
  /** The first page of a redaction in points, and where content was removed, for its certificate. */
  firstPage?: { width: number; height: number; boxes: number[][] };
  /** Pages that failed only when the outputs were made. */
  failedPages?: { page: number; error: Failure }[];
  /** Warnings for the job. */
  warnings?: JobWarning[];
  /** The chunks of the source, or of its redaction, that a search of passages finds. */
  chunks?: StoredChunk[];
  /** The labels of the source, and whether enough text was read for them. */
  labels?: { all: Labels; areReliable: boolean };
  /** Results that replace those stored when the pages were processed. */
  pages?: ProcessedPage[];
}

/** The input of an operation's step. */
export interface StepWork<O extends OperationName> {
  engines: Engines;
  source: OperationSource;
  options: OperationOptions<O>;
  /** Whether to make outputs, and not only results for later operations. */
  makesOutputs: boolean;
  /** Aborted when the job is cancelled, the lease is lost or the worker stops. */
  signal: AbortSignal;
  /** The options of another operation of the job, or null. */
  optionsOf<P extends OperationName>(op: P): OperationOptions<P> | null;
  /** The stored pages of an operation of the job, in order; empty if the job does not have it. */
  pages(op: OperationName, range?: PageRange): AsyncIterable<StoredPage>;
  /** The number of a page of the job within `source`. */
  pageInSource(page: number): Promise<number>;
  /** A new temporary file, removed at the end of the step. */
  newFile(): Promise<string>;
  /** The external recogniser, if the service has one and the policies let it read the source. */
  permittedRecogniser(): Promise<PermittedRecogniser | null>;
  /** People's decisions about the findings; null without a review. */
  decisions: Decisions | null;
}

/** The three steps of an operation. They run outside of transactions, and may run more than once. */
export interface OperationWork<O extends OperationName> {
  open(work: StepWork<O>): Promise<OpenedSource>;
  page(work: StepWork<O>, page: number): Promise<PageOutcome>;
  /** @throws OperationFailed */
  assemble(work: StepWork<O>): Promise<Assembly>;
}

/** An operation whose findings people can review. */
export interface ReviewableWork<O extends OperationName> {
  /** The findings to decide, in order. Runs before `assemble`, which receives the decisions. */
  detect(work: StepWork<O>): Promise<Detected>;
}
