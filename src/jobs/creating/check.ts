import { pagedMimes, sourceMimes } from '@scriptorium/contracts/documents/sources';
import { withDefaults } from '@scriptorium/contracts/helpers/validator';
import { limits } from '@scriptorium/contracts/limits';
import {
  type OperationName,
  type OperationOptions,
  operations,
} from '@scriptorium/contracts/operations';
import { pluralise } from '@scriptorium/contracts/pluralise';
import {
  type Fault,
  Problem,
  referenceNotFound,
  validationFailed,
} from '@scriptorium/contracts/problems';
import type { OperationList } from '@scriptorium/contracts/wire/operations';
import { checkPattern } from '@scriptorium/pii/recognisers/custom';
import { pagesOf } from '../../policies/facts/load.ts';
import { outOfRangeMessage, parsePages } from '../pages/page-ranges.ts';

/** A requested operation, with complete options. */
export interface RequestedOperation {
  op: OperationName;
  options: Record<string, unknown>;
  /** The pointer of the options in the body; empty for the body itself. */
  optionsPointer?: string;
}

/** A request for a job, without its source. */
export interface JobRequest {
  operations: readonly RequestedOperation[];
  /** Whether the caller may read personal values. */
  mayReadPii: boolean;
  /** The installed languages, if known; otherwise pages fail later. */
  ocrLanguages?: readonly string[] | null;
  /** "1-3,7", or null for all. */
  pages: string | null;
}

/** The facts about an object that decide whether a job can be created on it. */
export interface Source {
  id: string;
  state: string;
  mime: string;
  pages: number | null;
}

/** @throws Problem 403 for an option that requires a scope, 422 for invalid operations */
export function checkOperations({
  operations: requested,
  mayReadPii,
  ocrLanguages = null,
}: JobRequest): void {
  const faults: Fault[] = [];
  for (const [index, { op, options, optionsPointer = '' }] of requested.entries()) {
    if (requested.findIndex((other) => other.op === op) < index) {
      const detail = `'${op}' appears more than once; each operation may appear once.`;
      faults.push({ pointer: `/operations/${index}/op`, code: 'duplicate_operation', detail });
    }
    if (op === 'redact_pii' && options.keep_unredacted === true && !mayReadPii) {
      throw unredactedProblem();
    }
    faults.push(...optionFaults(op, options, optionsPointer));
    if (op === 'ocr' && ocrLanguages)
      faults.push(...languageFaults(options, ocrLanguages, optionsPointer));
  }
  if (faults.length > 0) throw validationFailed(faults);
  const ocrAt = requested.findIndex(({ op }) => op === 'ocr');
  if (ocrAt > 0) {
    const detail = `'ocr' must be the first operation; it is number ${ocrAt + 1}.`;
    throw new Problem('operation_order_invalid', detail, {
      errors: [{ pointer: `/operations/${ocrAt}/op`, code: 'operation_order_invalid', detail }],
    });
  }
}

function languageFaults(
  { languages }: Readonly<Record<string, unknown>>,
  installed: readonly string[],
  optionsPointer: string,
): Fault[] {
  const requestedLanguages: unknown[] = Array.isArray(languages) ? languages : [];
  return requestedLanguages.flatMap((language, index) => {
    if (installed.some((known) => known === language)) return [];
    const pointer = `${optionsPointer}/languages/${index}`;
    const detail = `Language '${language}' is not installed.`;
    return [{ pointer, code: 'language_unavailable', detail, allowed: [...installed] }];
  });
}

function unredactedProblem(): Problem {
  return new Problem(
    'insufficient_scope',
    `'keep_unredacted' requires an API key with the scope 'pii:read'.`,
    { extra: { required_scopes: ['documents:write', 'pii:read'] } },
  );
}

/** A source as the body refers to it. */
export interface NamedSource {
  id: string;
  /** The pointer of its identifier in the body. */
  pointer: string;
}

/** What to do with a file of a type that no operation reads. */
const hints: Readonly<Record<string, string>> = {
  'application/x-ole-storage':
    ' It is an Office file with a password, or one from before 2007. Save it as DOCX, XLSX or PPTX, without a password.',
};

/**
 * Why the job cannot be created on a source, or null.
 * @param source undefined if it does not exist
 * @param denial the denial by the policies, if any
 */
export function sourceProblem(
  request: JobRequest,
  { id, pointer }: NamedSource,
  source: Source | undefined,
  denial: Problem | undefined,
): Problem | null {
  if (!source) return referenceNotFound(pointer, id);
  if (denial) return denial;
  if (source.state !== 'available') {
    const detail = `Object '${id}' is ${source.state}; it must be available.`;
    return new Problem('state_conflict', detail);
  }
  const supportedMimes = sourceMimes.filter((mime) =>
    request.operations.every(({ op }) => operations[op].sources.some((known) => known === mime)),
  );
  if (!supportedMimes.some((mime) => mime === source.mime)) {
    const unsupported = request.operations.filter(
      ({ op }) => !operations[op].sources.some((known) => known === source.mime),
    );
    const names = `${unsupported.map(({ op }) => `'${op}'`).join(', ')} ${unsupported.length === 1 ? 'does' : 'do'}`;
    return validationFailed([
      {
        pointer,
        code: 'unsupported_source',
        detail: `${names} not support objects of type ${source.mime}.${hints[source.mime] ?? ''}`,
        allowed: supportedMimes,
      },
    ]);
  }
  return request.pages === null ? null : pagesProblem(request.pages, source);
}

function pagesProblem(selection: string, { mime, pages: total }: Source): Problem | null {
  const fault = (code: string, detail: string): Fault => ({ pointer: '/pages', code, detail });
  if (!isPaged(mime)) {
    const detail = `Objects of type ${mime} have no pages to select.`;
    return validationFailed([fault('pages_not_applicable', detail)]);
  }
  if (!parsePages(selection)) {
    const detail = `'${selection}' contains a descending range. Write ranges as "first-last".`;
    return validationFailed([fault('invalid_pages', detail)]);
  }
  // A document whose pages are not counted yet may have up to the maximum.
  const pageCount = pagesOf(mime, total);
  const detail =
    pageCount.state === 'known'
      ? outOfRangeMessage(selection, pageCount.value)
      : beyondMaxPages(selection);
  if (detail === null) return null;
  const code = 'pages_out_of_range';
  return new Problem(code, detail, { errors: [fault(code, detail)] });
}

function beyondMaxPages(selection: string): string | null {
  if (outOfRangeMessage(selection, limits.document_pages) === null) return null;
  return `'${selection}' is out of range; a document has at most ${pluralise(limits.document_pages, 'page')}.`;
}

/** Whether objects of a type have pages, which are recognised first. */
export function isPaged(mime: string): boolean {
  return pagedMimes.some((paged) => paged === mime);
}

/** The given options of an operation, completed with the defaults of its schema. */
export function completeOptions(
  op: OperationName,
  givenOptions: object | undefined,
): Record<string, unknown> {
  return { ...withDefaults(operations[op].options, givenOptions ?? {}) };
}

/** Requested operations with complete options, and the pointers of the options in the body. */
export function requestedOperations(list: OperationList): RequestedOperation[] {
  return list.map(({ op, options }, index) => ({
    op,
    options: completeOptions(op, options),
    optionsPointer: `/operations/${index}/options`,
  }));
}

/**
 * Faults in the complete options of an operation that the schema cannot express.
 * @param optionsPointer their pointer in the body
 */
export function optionFaults(
  op: OperationName,
  options: Readonly<Record<string, unknown>>,
  optionsPointer: string,
): Fault[] {
  // The options were validated against the operation's schema.
  const checks = extraChecks as {
    [name: string]: ((options: never, at: string) => Fault[]) | undefined;
  };
  return checks[op]?.(options as never, optionsPointer) ?? [];
}

const extraChecks: {
  [O in OperationName]?: (options: OperationOptions<O>, optionsPointer: string) => Fault[];
} = {
  redact_pii: ({ custom_patterns: patterns }, optionsPointer) =>
    patterns.flatMap(({ pattern }, index) => {
      const reason = checkPattern(pattern);
      if (reason === null) return [];
      const pointer = `${optionsPointer}/custom_patterns/${index}/pattern`;
      return [{ pointer, code: 'invalid_pattern', detail: reason }];
    }),
  normalize_for_llm: ({ chunk_tokens: max, overlap_tokens: overlap }, optionsPointer) => {
    if (overlap < max) return [];
    const detail = `\`overlap_tokens\` must be less than \`chunk_tokens\`, which is ${max}.`;
    return [{ pointer: `${optionsPointer}/overlap_tokens`, code: 'too_large', detail }];
  },
};
