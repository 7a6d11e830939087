import { writeFile } from 'node:fs/promises';
import { sources, type UnpagedKind } from '@scriptorium/contracts/documents/sources';
import { inParallel } from '@scriptorium/contracts/helpers/in-parallel';
import type { PlannedPage } from '@scriptorium/documents';
import type { ExtractedFile, UnreadReason } from '@scriptorium/documents/redact/contract/embedded';
import { textPage } from '@scriptorium/documents/redact/contract/plan';
import { plansIn, writePlans } from '@scriptorium/documents/redact/contract/plan-file';
import type {
  DecidedInKind,
  ExternalInKind,
} from '@scriptorium/documents/redact/contract/requests';
import { finalFailure } from '@scriptorium/sandbox/errors';
import { callOptionsOf, fileOf, inspectMs } from '../../calls.ts';
import type { StepWork } from '../../operation.ts';
import { splitFile } from '../../split-file.ts';
import { detectorOptionsOf } from '../detector-options.ts';
import { findOnRecognisedPage } from '../find.ts';
import { fallbackSize, withOriginalSizes } from '../plans.ts';
import { emptyPage } from '../prove.ts';

type Work = StepWork<'redact_pii'>;

/** Maximum number of pages of all embedded files. */
const maxPages = 500;
/** Maximum number of embedded files in work at once, so that one job does not occupy all children. */
const maxConcurrent = 4;
const extractMs = 600_000;
/** The time limit for all embedded files. No more of them are begun after it. */
const allFilesMs = 1_800_000;
const recogniseMs = 120_000;

/** A file inside the source, with the plans of its pages. */
export interface EmbeddedFile extends ExtractedFile {
  path: string;
  planned: PlannedPage[];
}

/** Why embedded files are left out: they are not read, or fail their checks. */
export type LeftOutReason = UnreadReason | 'not_verified';
export type LeftOut = Map<LeftOutReason, number>;

/** The files inside the source, before anything is removed from them. */
export interface FoundEmbedded {
  files: EmbeddedFile[];
  /**
   * Path of a file with the plan of the text, and then those of all pages, numbered throughout.
   * Undefined without embedded files.
   */
  plansFile: string | undefined;
  leftOut: LeftOut;
  /** When the time for embedded files ends, by the clock of `performance.now`. */
  endsAt: number;
}

/** Whether the time for embedded files has ended. */
export const isOver = ({ endsAt }: Pick<FoundEmbedded, 'endsAt'>): boolean =>
  performance.now() > endsAt;

/** The kinds whose embedded files are redacted. Those of other kinds are left out. */
const kindsWithFiles: ReadonlySet<UnpagedKind> = new Set([
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'epub',
  'html',
  'mail',
]);

/** The source of an operation with an embedded file in its place. */
export const workOn = (work: Work, { path, mime }: Pick<EmbeddedFile, 'path' | 'mime'>): Work => ({
  ...work,
  source: { ...work.source, path, mime },
});

/**
 * Extracts the pictures and PDF files inside the source, and finds the values to remove from them.
 * @param ofText the findings of another recogniser in the text, and people's decisions about it
 */
export async function findEmbedded(
  work: Work,
  ofText: { external?: ExternalInKind | undefined; decided?: DecidedInKind | undefined },
): Promise<FoundEmbedded> {
  const leftOut: LeftOut = new Map();
  const endsAt = performance.now() + allFilesMs;
  const { source, engines, options, signal } = work;
  const { kind } = sources[source.mime];
  if (![...kindsWithFiles].some((one) => one === kind)) {
    return { files: [], plansFile: undefined, leftOut, endsAt };
  }
  const [filesPath, textPlan] = [await work.newFile(), await work.newFile()];
  const { files, unread } = await engines.extractEmbedded(
    {
      ...fileOf(source),
      options: detectorOptionsOf(options),
      keepRecipients: options.mail_recipients === 'keep',
      ...ofText,
      filesPath,
      textPlan,
    },
    callOptionsOf(source, extractMs, signal),
  );
  for (const [reason, count] of Object.entries(unread)) addLeftOut(leftOut, reason, count);
  if (files.length === 0) return { files: [], plansFile: undefined, leftOut, endsAt };
  const paths = await splitFile(
    work,
    filesPath,
    files.map(({ size }) => size),
  );
  const budget = { pages: maxPages };
  const found = await inParallel(
    files.map((file, at) => ({ ...file, path: paths[at]! })),
    maxConcurrent,
    async (file): Promise<EmbeddedFile[]> => {
      const planned = isOver({ endsAt }) ? 'too_many' : await planFile(workOn(work, file), budget);
      if (typeof planned !== 'string') return [{ ...file, planned }];
      addLeftOut(leftOut, planned, 1);
      return [];
    },
  );
  const plansFile = await work.newFile();
  await writePlans(plansFile, allPlans(textPlan, found.flat()));
  return { files: found.flat(), plansFile, leftOut, endsAt };
}

export function addLeftOut(leftOut: LeftOut, reason: string, count: number): void {
  const known = leftOutReasons.find((one) => one === reason);
  if (known && count > 0) leftOut.set(known, (leftOut.get(known) ?? 0) + count);
}

const leftOutReasons: readonly LeftOutReason[] = [
  'format',
  'damaged',
  'too_large',
  'too_many',
  'not_verified',
];

async function* allPlans(
  textPlan: string,
  files: readonly EmbeddedFile[],
): AsyncGenerator<PlannedPage> {
  for await (const plan of plansIn(textPlan)) if (plan.page === textPage) yield plan;
  let page = textPage;
  for (const plan of files.flatMap(({ planned }) => planned)) {
    page += 1;
    yield { ...plan, page };
  }
}

/** Plans the pages of an embedded file; the reason if it cannot be read. */
async function planFile(
  work: Work,
  budget: { pages: number },
): Promise<PlannedPage[] | LeftOutReason> {
  const { engines, source, signal } = work;
  try {
    const options = callOptionsOf(source, inspectMs, signal);
    const { pageCount } = await engines.summarise(fileOf(source), options);
    if (pageCount > budget.pages) return 'too_many';
    budget.pages -= pageCount;
    const planned: PlannedPage[] = [];
    for (let page = 1; page <= pageCount; page += 1) planned.push(await planPage(work, page));
    if (planned.every(({ state }) => state === 'failed')) return 'damaged';
    return await withOriginalSizes(work, planned);
  } catch (error) {
    const failure = finalFailure(error, true);
    if (!failure) throw error;
    return failure.code === 'too_large' ? 'too_large' : 'damaged';
  }
}

/** Recognises a page, and finds the values to remove from it. An unreadable page becomes empty. */
async function planPage(work: Work, page: number): Promise<PlannedPage> {
  const { engines, source, signal } = work;
  const languages = work.optionsOf('ocr')?.languages;
  try {
    const result = await engines.recognisePage(
      { ...fileOf(source), page, ...(languages ? { languages } : {}) },
      callOptionsOf(source, recogniseMs, signal),
    );
    const pageFile = await work.newFile();
    await writeFile(pageFile, JSON.stringify(result));
    const how = languages && { languages, rotate: true, existingText: 'skip' as const };
    return { state: 'planned', ...(await findOnRecognisedPage(work, page, pageFile, how)) };
  } catch (error) {
    const failure = finalFailure(error, true);
    if (!failure) throw error;
    return emptyPage(page, fallbackSize);
  }
}
