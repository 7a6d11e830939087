import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { JobWarning } from '@scriptorium/contracts/jobs';
import type { ArchiveReport, AssemblyResult, EmptyPage, Engines } from '@scriptorium/documents';
import { callOptionsOf, fileOf, inspectMs, openToRewrite } from './calls.ts';
import { doubtedTextWarnings, isDoubted } from './doubted-text.ts';
import type {
  NewOutput,
  OperationSource,
  OperationWork,
  StepWork,
  StoredPage,
} from './operation.ts';
import { formatPageList } from './page-list.ts';
import { pagesInWords } from './pages-in-words.ts';

const pageMs = 120_000;
const assembleMs = 540_000;

/** Recognises text page by page, and creates the searchable PDF, the text and the words. */
export const ocrWork: OperationWork<'ocr'> = {
  open: (work) => openToRewrite(work, 'Adding a text layer invalidates it in the copy.'),

  async page({ engines, source, options, signal }, page) {
    const found = await engines.recognisePage(
      {
        ...fileOf(source),
        page,
        languages: options.languages,
        existingText: options.existing_text,
        rotate: options.rotate,
        deskew: options.deskew,
      },
      callOptionsOf(source, pageMs, signal),
    );
    // Even on a page with text, its pictures may have been read.
    const isSkipped = found.state === 'has_text' && found.treatment === 'keep';
    return {
      page,
      state: isSkipped ? 'skipped' : 'succeeded',
      result: {
        mean_confidence: isSkipped ? null : found.meanConfidence,
        characters: found.characters,
        unread_share: found.unreadShare ?? null,
        ...(found.doubted ? { text_believed: false } : {}),
        width: found.widthPt,
        height: found.heightPt,
        orientation: found.orientation,
        blank: found.blank,
      },
      text: found.text.replaceAll('\u0000', ''),
      words: await promisify(deflate)(JSON.stringify(found)),
    };
  },

  async assemble(work) {
    const { engines, source, options, makesOutputs, pages, newFile, signal } = work;
    const pagesFile = await newFile();
    const { totals, failed, states, unreadPages, doubtedPages } = await writePages(
      pages('ocr'),
      pagesFile,
    );
    const wantedKinds = makesOutputs
      ? outputKinds.filter((kind) => options.output.includes(kind))
      : [];
    const failedPages =
      failed.length > 0 && wantedKinds.length > 0 ? await emptyPagesOf(work, failed) : [];
    const outputs: NewOutput[] = [];
    const newlyEmpty: EmptyPage[] = [];
    // Jobs created before this option do not have it.
    const pdfa = options.pdfa === true;
    let archived: ArchiveReport | undefined;
    for (const kind of wantedKinds) {
      const outPath = await newFile();
      const emptyPages = [...failedPages, ...newlyEmpty].sort((a, b) => a.page - b.page);
      const request = { pagesFile, outPath, empty: emptyPages, pdfa };
      const assembled = await assemblers[kind](engines, source, request, signal);
      newlyEmpty.push(...assembled.leftEmpty);
      archived ??= assembled.archived;
      outputs.push({ kind, path: outPath, ...fileTypes[kind] });
    }
    return {
      outputs,
      result: totals,
      failedPages: newlyEmpty
        .filter(({ page }) => states.has(page) && states.get(page) !== 'failed')
        .map(({ page, reason }) => ({
          page,
          error: { code: 'damaged', message: reason, retryable: false },
        })),
      warnings: [
        ...unreadWarning(unreadPages),
        ...doubtedTextWarnings('ocr', doubtedPages),
        ...archivalWarnings(archived),
        ...emptyWarnings(newlyEmpty, states),
      ],
    };
  },
};

/** Warnings about content that PDF/A-2b does not allow. */
function archivalWarnings(archived: ArchiveReport | undefined): JobWarning[] {
  if (!archived) return [];
  const { removed, pictures } = archived;
  const warnings: JobWarning[] = [];
  if (removed.length > 0) {
    warnings.push({
      code: 'removed_for_pdfa',
      message: `Some content was removed because PDF/A does not allow it: ${removed.join(', ')}.`,
    });
  }
  if (pictures.length > 0) {
    const faults = [...new Set(pictures.flatMap((picture) => picture.faults))].slice(0, 5);
    warnings.push({
      code: 'rasterised_for_pdfa',
      message: `${pagesInWords(pictures.map(({ page }) => page))} became pictures with invisible text, because PDF/A-2b does not allow their content. Clauses of ISO 19005-2: ${faults.join('; ')}.`,
    });
  }
  return warnings;
}

function emptyWarnings(
  found: readonly EmptyPage[],
  states: ReadonlyMap<number, string>,
): JobWarning[] {
  return found
    .filter(({ page }) => !states.has(page))
    .map(({ page, reason }) => ({
      code: 'page_left_empty',
      message: `Page ${page} was not selected and is empty in the searchable PDF. ${reason}`,
    }));
}

const fileTypes = {
  searchable_pdf: { mime: 'application/pdf', suffix: '.ocr.pdf' },
  text: { mime: 'text/plain', suffix: '.ocr.txt' },
  words: { mime: 'application/json', suffix: '.words.json' },
} as const;

/** The searchable PDF comes first: pages that cannot be copied are left out of the others too. */
const outputKinds = ['searchable_pdf', 'text', 'words'] as const;

type AssembleRequest = {
  pagesFile: string;
  outPath: string;
  empty: readonly EmptyPage[];
  pdfa: boolean;
};
type Assemble = (
  engines: Engines,
  source: OperationSource,
  request: AssembleRequest,
  signal: AbortSignal,
) => Promise<AssemblyResult>;

const assemblers: Record<keyof typeof fileTypes, Assemble> = {
  searchable_pdf: (engines, source, request, signal) =>
    engines.assembleSearchablePdf(
      { ...fileOf(source), ...request },
      callOptionsOf(source, assembleMs, signal),
    ),
  text: (engines, source, { pdfa: _pdfa, ...request }, signal) =>
    engines.assembleText(request, callOptionsOf(source, assembleMs, signal)),
  words: (engines, source, { pdfa: _pdfa, ...request }, signal) =>
    engines.assembleWords(request, callOptionsOf(source, assembleMs, signal)),
};

/** The empty pages that replace failed ones, with their sizes if known. */
async function emptyPagesOf(
  { engines, source, signal }: StepWork<'ocr'>,
  failed: readonly FailedPage[],
): Promise<EmptyPage[]> {
  const { pages } = await engines.inspect(fileOf(source), callOptionsOf(source, inspectMs, signal));
  const sizes = new Map(pages.map((page) => [page.number, page]));
  return failed.map(({ page, reason }) => {
    const { widthPt = 0, heightPt = 0 } = sizes.get(page) ?? {};
    return { page, reason, widthPt, heightPt };
  });
}

type FailedPage = Pick<EmptyPage, 'page' | 'reason'>;

/** The pages to assemble. */
interface PageSummary {
  totals: Record<string, unknown>;
  /** Pages that are left empty because they cannot be read, in order. */
  failed: FailedPage[];
  /** The states of the selected pages. */
  states: Map<number, string>;
  /** Pages with a large share of unread writing, in order. */
  unreadPages: number[];
  /** Pages with fonts whose text is not trusted, in order. */
  doubtedPages: number[];
}

/** The maximum share of a page's apparent writing that may stay unread. */
const maxUnreadShare = 0.5;

function unreadWarning(pages: readonly number[]): JobWarning[] {
  if (pages.length === 0) return [];
  return [
    {
      code: 'writing_not_read',
      message: `More than half of what looks like writing on page ${formatPageList(pages)} could not be read. It may be handwriting, or a photo.`,
    },
  ];
}

/**
 * Writes the successful pages to a file, one per line, and aggregates their results. A page with a
 * retryable failure is copied without text.
 */
async function writePages(pages: AsyncIterable<StoredPage>, path: string): Promise<PageSummary> {
  let confidence = 0;
  let recognised = 0;
  let characters = 0;
  let skipped = 0;
  const failed: FailedPage[] = [];
  const states = new Map<number, string>();
  const unreadPages: number[] = [];
  const doubtedPages: number[] = [];
  async function* lines(): AsyncGenerator<string> {
    for await (const page of pages) {
      states.set(page.page, page.state);
      if (page.state === 'failed' && page.error && !page.error.retryable) {
        failed.push({ page: page.page, reason: page.error.message });
      }
      if (!page.words || !page.result) continue;
      characters += Number(page.result.characters);
      if (Number(page.result.unread_share ?? 0) > maxUnreadShare) unreadPages.push(page.page);
      if (isDoubted(page)) doubtedPages.push(page.page);
      if (page.state === 'skipped') skipped += 1;
      else {
        recognised += 1;
        confidence += Number(page.result.mean_confidence);
      }
      yield `${(await promisify(inflate)(page.words)).toString('utf8')}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  const totals = {
    mean_confidence: recognised > 0 ? Math.round((1e4 * confidence) / recognised) / 1e4 : null,
    characters,
    pages_skipped: skipped,
  };
  return { totals, failed, states, unreadPages, doubtedPages };
}
