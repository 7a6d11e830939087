import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { JobWarning } from '../../contracts/jobs.ts';
import type { Assembled, Engines } from '../../engines/index.ts';
import type { NewOutput, OperationWork, SourceFile, StoredPage } from '../operation-work.ts';
import { callOf, fileOf, inspectMs } from './calls.ts';

const pageMs = 120_000;
const assembleMs = 540_000;

/** Recognises text, page by page, and makes the searchable PDF, the text and the words. */
export const ocrWork: OperationWork<'ocr'> = {
  async open({ engines, source, signal }) {
    const found = await engines.inspect(fileOf(source), callOf(source, inspectMs, signal));
    return { pages: found.pages.length, warnings: warningsOf(found.signed, found.repaired) };
  },

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
      callOf(source, pageMs, signal),
    );
    return {
      page,
      state: found.state === 'has_text' ? 'skipped' : 'succeeded',
      result: {
        mean_confidence: found.state === 'has_text' ? null : found.meanConfidence,
        characters: found.characters,
        unread_share: found.unreadShare ?? null,
        width: found.widthPt,
        height: found.heightPt,
        orientation: found.orientation,
        blank: found.blank,
      },
      text: found.text.replaceAll('\u0000', ''),
      words: await promisify(deflate)(JSON.stringify(found)),
    };
  },

  async assemble({ engines, source, options, makesOutputs, pages, newFile, signal }) {
    const pagesFile = await newFile();
    const totals = await writePages(pages('ocr'), pagesFile);
    const outputs: NewOutput[] = [];
    for (const kind of makesOutputs ? options.output : []) {
      const outPath = await newFile();
      await makers[kind](engines, source, { pagesFile, outPath }, signal);
      outputs.push({ kind, path: outPath, ...forms[kind] });
    }
    return { outputs, result: totals };
  },
};

const forms = {
  searchable_pdf: { mime: 'application/pdf', suffix: '.ocr.pdf' },
  text: { mime: 'text/plain', suffix: '.ocr.txt' },
  words: { mime: 'application/json', suffix: '.words.json' },
} as const;

type Paths = { pagesFile: string; outPath: string };
type Maker = (
  engines: Engines,
  source: SourceFile,
  paths: Paths,
  signal: AbortSignal,
) => Promise<Assembled>;

const makers: Record<keyof typeof forms, Maker> = {
  searchable_pdf: (engines, source, paths, signal) =>
    engines.assembleSearchablePdf(
      { ...fileOf(source), ...paths },
      callOf(source, assembleMs, signal),
    ),
  text: (engines, source, paths, signal) =>
    engines.assembleText(paths, callOf(source, assembleMs, signal)),
  words: (engines, source, paths, signal) =>
    engines.assembleWords(paths, callOf(source, assembleMs, signal)),
};

/** Writes the good pages to a file, a page a line, and adds up what they say. */
async function writePages(
  pages: AsyncIterable<StoredPage>,
  path: string,
): Promise<Record<string, unknown>> {
  let confidence = 0;
  let recognised = 0;
  let characters = 0;
  let skipped = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const page of pages) {
      if (!page.words || !page.result) continue;
      characters += Number(page.result.characters);
      if (page.state === 'skipped') skipped += 1;
      else {
        recognised += 1;
        confidence += Number(page.result.mean_confidence);
      }
      yield `${(await promisify(inflate)(page.words)).toString('utf8')}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return {
    mean_confidence: recognised > 0 ? Math.round((1e4 * confidence) / recognised) / 1e4 : null,
    characters,
    pages_skipped: skipped,
  };
}

function warningsOf(signed: boolean, repaired: boolean): JobWarning[] {
  const warnings: JobWarning[] = [];
  if (signed) {
    warnings.push({
      code: 'signature_invalidated',
      message: 'The source is signed; adding a text layer makes the signature of the copy invalid.',
    });
  }
  if (repaired) {
    warnings.push({
      code: 'source_repaired',
      message: 'The source is damaged; it was read as far as it could be mended.',
    });
  }
  return warnings;
}
