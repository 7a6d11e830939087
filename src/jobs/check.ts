import { type OperationName, operations } from '../contracts/operations.ts';
import { type Fault, invalid, Problem, referenceNotFound } from '../contracts/problems.ts';
import { pagedMimes, sourceMimes } from '../contracts/sources.ts';
import { optionFaults } from './options.ts';
import { parsePages } from './page-ranges.ts';

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
  const fault = request.pages === null ? null : pagesFault(request.pages, source);
  return fault && invalid([{ pointer: '/pages', ...fault }]);
}

function pagesFault(selection: string, { mime, pages: total }: Source): Fault | null {
  if (!isPaged(mime)) {
    const detail = `An object of type ${mime} has no pages to choose from.`;
    return { code: 'pages_not_applicable', detail };
  }
  const ranges = parsePages(selection);
  if (!ranges) {
    const detail = `'${selection}' does not name pages: ranges ascend and end at the last page allowed.`;
    return { code: 'invalid_pages', detail };
  }
  if (total !== null && ranges[0]!.from > total) {
    const detail = `'${selection}' names none of the document's ${total} pages.`;
    return { code: 'pages_out_of_range', detail };
  }
  return null;
}

/** Whether what an object is has pages that are recognised before all else. */
export function isPaged(mime: string): boolean {
  return pagedMimes.some((paged) => paged === mime);
}
