import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { JobWarning } from '@scriptorium/contracts/jobs';
import { defaultConfidence, type OperationOptions } from '@scriptorium/contracts/operations';
import { EngineError, type Engines, type RemovalReport } from '@scriptorium/documents';
import { operationWork } from '../../../src/jobs/operations/index.ts';
import type { StepWork, StoredPage } from '../../../src/jobs/operations/operation.ts';
import { OperationFailed } from '../../../src/jobs/operations/operation-failed.ts';
import { callOptions as usual } from '../engines.ts';
import type { PlantedSecret } from './maker.ts';
import { compact } from './secrets.ts';

/** The result of redacting a file as a job does it, without the job. */
export interface Redacted {
  /** Null where there is no output. */
  path: string | null;
  verified: boolean;
  /** Why there is no output. */
  refusal: string | null;
  /** The remover's report on the output file. */
  report: RemovalReport | null;
  /** Every value that was planned to go, as letters and digits. */
  planned: Set<string>;
  /** Names of the checks of a whole file, or of pages, that failed on the way. */
  failedChecks: string[];
  warnings: JobWarning[];
  pages: number;
}

type Options = OperationOptions<'redact_pii'>;

/** The operation's options with their defaults. */
export function redactOptions(options: Partial<Options>): Options {
  return {
    entities: 'all',
    keep: [],
    min_confidence: defaultConfidence,
    style: 'blackbox',
    box: 'to_edge',
    text_layer: true,
    mail_recipients: 'redact',
    custom_patterns: [],
    allow_list: [],
    keep_unredacted: false,
    review: 'none',
    review_below: 0.8,
    reviewers: 'anyone',
    review_expires_in: 1_209_600,
    ...options,
  };
}

/** Options by which these secrets are found wherever they can be read, and nothing else is. */
export function patternOptions(
  secrets: readonly PlantedSecret[],
  style: Options['style'],
): Options {
  const custom_patterns = secrets.slice(0, 20).map(({ value }, index) => ({
    name: `S${index + 1}`,
    pattern: value
      .split(/\s+/)
      .map((word) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&'))
      .join('\\s*'),
    case_sensitive: false,
  }));
  return redactOptions({ entities: [], custom_patterns, style });
}

/**
 * Redacts a PDF or picture with the very steps that workers take (open, read, find, remove, prove),
 * without a database. `folder` is for what is made on the way, `read` are options of `ocr`.
 */
export async function redactFile(
  engines: Engines,
  source: { path: string; mime: SourceMime },
  options: Options,
  folder: string,
  ocrOverrides: Partial<OperationOptions<'ocr'>> = {},
): Promise<Redacted> {
  await mkdir(folder, { recursive: true });
  const redacted: Redacted = {
    path: null,
    verified: false,
    refusal: null,
    report: null,
    planned: new Set(),
    failedChecks: [],
    warnings: [],
    pages: 0,
  };
  const stored: Record<string, StoredPage[]> = { ocr: [], redact_pii: [] };
  let fileCount = 0;
  const ocrOptions: OperationOptions<'ocr'> = {
    languages: ['eng'],
    output: [],
    existing_text: 'skip',
    deskew: false,
    rotate: true,
    pdfa: false,
    ...ocrOverrides,
  };
  const shared = {
    engines: recordOutcomes(engines, redacted),
    source: {
      ...source,
      filename: 'corpus.pdf',
      sha256: '',
      projectId: usual.isolation,
      redacted: false,
    },
    decisions: null,
    permittedRecogniser: async () => null,
    makesOutputs: true,
    optionsOf: (op: string) => (op === 'ocr' ? ocrOptions : null) as never,
    signal: new AbortController().signal,
    async *pages(op: string, range = { from: 1, to: Number.POSITIVE_INFINITY }) {
      yield* (stored[op] ?? []).filter(({ page }) => page >= range.from && page <= range.to);
    },
    pageInSource: async (page: number) => page,
    newFile: async () => join(folder, String(fileCount++)),
  };
  const ocr: StepWork<'ocr'> = {
    ...shared,
    options: ocrOptions,
  };
  const redact: StepWork<'redact_pii'> = { ...shared, options };
  try {
    const opened = await operationWork.ocr.open(ocr);
    redacted.pages = opened.pages;
    for (let page = 1; page <= opened.pages; page += 1) {
      stored.ocr?.push(await storedPage(page, () => operationWork.ocr.page(ocr, page)));
      stored.redact_pii?.push(
        await storedPage(page, () => operationWork.redact_pii.page(redact, page)),
      );
    }
    const assembled = await operationWork.redact_pii.assemble(redact);
    redacted.path = assembled.outputs[0]?.path ?? null;
    redacted.verified = assembled.result.verified === true;
    redacted.warnings = assembled.warnings ?? [];
  } catch (error) {
    if (!(error instanceof OperationFailed || error instanceof EngineError)) throw error;
    redacted.refusal = error.message;
  }
  await writeFile(join(folder, 'outcome.json'), JSON.stringify(redacted.report));
  return redacted;
}

type PageStep = () => ReturnType<(typeof operationWork)['ocr']['page']>;

/** A page as the database would keep it; one that failed keeps nothing. */
async function storedPage(page: number, step: PageStep): Promise<StoredPage> {
  try {
    const done = await step();
    const words = 'words' in done ? (done.words ?? null) : null;
    return { page, state: done.state, error: null, result: null, words };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const failure = { code: error.code, message: error.message, retryable: error.retryable };
    return { page, state: 'failed', error: failure, result: null, words: null };
  }
}

/** The engines, with an eye on what they are asked and answer. */
function recordOutcomes(engines: Engines, redacted: Redacted): Engines {
  return {
    ...engines,
    async findPage(request, call) {
      const plan = await engines.findPage(request, call);
      for (const { value } of plan.removals) redacted.planned.add(compact(value));
      return plan;
    },
    async redactPages(request, call) {
      redacted.report = await engines.redactPages(request, call);
      return redacted.report;
    },
    async checkPage(request, call) {
      const checks = await engines.checkPage(request, call);
      for (const { name, passed, detail } of checks) {
        if (!passed) redacted.failedChecks.push(`${name} on page ${request.outputPage}: ${detail}`);
      }
      return checks;
    },
    async checkFile(request, call) {
      const checks = await engines.checkFile(request, call);
      for (const { name, passed, detail } of checks) {
        if (!passed) redacted.failedChecks.push(`${name}: ${detail}`);
      }
      return checks;
    },
  };
}
