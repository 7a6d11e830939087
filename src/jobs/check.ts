import { limits } from '../contracts/limits.ts';
import { type OperationName, operations } from '../contracts/operations.ts';
import { type Fault, invalid, Problem, referenceNotFound } from '../contracts/problems.ts';
import { pagedMimes, sourceMimes } from '../contracts/sources.ts';
import { pagesOf } from '../policies/facts/gather.ts';
import { optionFaults } from './options.ts';
import { outOfRange, parsePages } from './page-ranges.ts';

/** An operation as the client asked for it, its options complete with their defaults. */
export interface RequestedOperation {
  op: OperationName;
  options: Record<string, unknown>;
  /** Where the options stand in the body, as a pointer; empty for the body itself. */
  at?: string;
}

/** What is asked of a job, whatever its source. */
export interface JobRequest {
  operations: readonly RequestedOperation[];
  /** Whether whoever asks may read personal values. */
  mayReadPii: boolean;
  /** What can be recognised, where that is known; else pages say so when their turn comes. */
  ocrLanguages?: readonly string[] | null;
  /** "1-3,7", or null for all. */
  pages: string | null;
}

/** What has to be known of an object to make a job on it. */
export interface Source {
  id: string;
  state: string;
  mime: string;
  pages: number | null;
}

/** @throws Problem 403 for an option that needs a scope, 422 for operations that make no sense */
export function checkOperations({
  operations: requested,
  mayReadPii,
  ocrLanguages = null,
}: JobRequest): void {
  const faults: Fault[] = [];
  for (const [index, { op, options, at = '' }] of requested.entries()) {
    if (requested.findIndex((other) => other.op === op) < index) {
      const detail = `'${op}' appears more than once; each operation may appear once.`;
      faults.push({ pointer: `/operations/${index}/op`, code: 'duplicate_operation', detail });
    }
    if (op === 'redact_pii' && options.keep_unredacted === true && !mayReadPii) {
      throw unredactedRefused();
    }
    faults.push(...optionFaults(op, options, at));
    if (op === 'ocr' && ocrLanguages) faults.push(...languageFaults(options, ocrLanguages, at));
  }
  if (faults.length > 0) throw invalid(faults);
  const ocrAt = requested.findIndex(({ op }) => op === 'ocr');
  if (ocrAt > 0) {
    const detail = `'ocr' must come first; here it is number ${ocrAt + 1}.`;
    throw new Problem('operation_order_invalid', detail, {
      errors: [{ pointer: `/operations/${ocrAt}/op`, code: 'operation_order_invalid', detail }],
    });
  }
}

function languageFaults(
  { languages }: Readonly<Record<string, unknown>>,
  installed: readonly string[],
  at: string,
): Fault[] {
  const wanted: unknown[] = Array.isArray(languages) ? languages : [];
  return wanted.flatMap((language, index) => {
    if (installed.some((known) => known === language)) return [];
    const pointer = `${at}/languages/${index}`;
    const detail = `The language '${language}' is not installed here.`;
    return [{ pointer, code: 'language_unavailable', detail, allowed: [...installed] }];
  });
}

function unredactedRefused(): Problem {
  return new Problem(
    'insufficient_scope',
    `The API key needs the scope pii:read for 'keep_unredacted'.`,
    { extra: { required_scopes: ['documents:write', 'pii:read'] } },
  );
}

/** A source as a body names it. */
export interface NamedSource {
  id: string;
  /** Where its identifier stands in the body, as a pointer. */
  at: string;
}

/**
 * Why no such job can be made on a source; null when one can.
 * @param source undefined for one that is not there
 * @param denied what policies say against it
 */
export function sourceProblem(
  request: JobRequest,
  { id, at }: NamedSource,
  source: Source | undefined,
  denied: Problem | undefined,
): Problem | null {
  if (!source) return referenceNotFound(at, id);
  if (denied) return denied;
  if (source.state !== 'available') {
    const detail = `The object '${id}' is ${source.state}; a job needs one that is available.`;
    return new Problem('state_conflict', detail);
  }
  const readable = sourceMimes.filter((mime) =>
    request.operations.every(({ op }) => operations[op].sources.some((known) => known === mime)),
  );
  if (!readable.some((mime) => mime === source.mime)) {
    return invalid([
      {
        pointer: at,
        code: 'unsupported_source',
        detail: `An object of type ${source.mime} cannot be processed so.`,
        allowed: readable,
      },
    ]);
  }
  return request.pages === null ? null : pagesProblem(request.pages, source);
}

function pagesProblem(selection: string, { mime, pages: total }: Source): Problem | null {
  const fault = (code: string, detail: string): Fault => ({ pointer: '/pages', code, detail });
  if (!isPaged(mime)) {
    const detail = `An object of type ${mime} has no pages to choose from.`;
    return invalid([fault('pages_not_applicable', detail)]);
  }
  if (!parsePages(selection)) {
    const detail = `'${selection}' has a range that runs backwards; write it as "first-last".`;
    return invalid([fault('invalid_pages', detail)]);
  }
  // While nobody has counted them, a document may have as many as any.
  const counted = pagesOf(mime, total);
  const detail =
    counted.state === 'known' ? outOfRange(selection, counted.value) : beyondAny(selection);
  if (detail === null) return null;
  const code = 'pages_out_of_range';
  return new Problem(code, detail, { errors: [fault(code, detail)] });
}

function beyondAny(selection: string): string | null {
  if (outOfRange(selection, limits.document_pages) === null) return null;
  return `'${selection}' names pages past ${limits.document_pages}, the most a document may have.`;
}

/** Whether what an object is has pages that are recognised before all else. */
export function isPaged(mime: string): boolean {
  return pagedMimes.some((paged) => paged === mime);
}
