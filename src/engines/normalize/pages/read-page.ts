import { readFile } from 'node:fs/promises';
import { EngineError } from '../../errors.ts';
import { displaySize } from '../../geometry.ts';
import { type Fragment, fragmentsOfGlyphs, fragmentsOfResult } from '../../model/fragments.ts';
import { buildModel, type ModelLine, type PageModel } from '../../model/index.ts';
import { shared } from '../../model/page.ts';
import { readGlyphs } from '../../pdf/page-glyphs.ts';
import { withPage } from '../../pdf/pdfium.ts';
import { isPageResult, type PageResult } from '../../results.ts';
import { checkMime, frameOf, openCachedPdf } from '../../source.ts';
import type { PageLayoutRequest, RedactedPlace } from '../calls.ts';
import type { LayoutBlock, LayoutLine, PageLayout } from './layout.ts';

async function readResult(path: string): Promise<PageResult> {
  const result: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isPageResult(result)) {
    throw new EngineError('invalid_argument', 'A page result is malformed.');
  }
  return result;
}

/** Recognised words but for those that touch what was redacted, where its mark stands instead. */
function withoutRedacted(
  words: readonly Fragment[],
  redacted: readonly RedactedPlace[],
): Fragment[] {
  const kept = words.filter(({ box }) => !redacted.some((place) => shared(place.box, box) > 0));
  const marks = redacted.map(({ box, mark }, index): Fragment => {
    const size = box[3] - box[1];
    const base = box[3] - 0.2 * size;
    return {
      text: mark,
      glyphs: null,
      box,
      confidence: 1,
      source: 'ocr',
      visible: true,
      angle: 0,
      start: [box[0], base],
      end: [box[2], base],
      size,
      spaced: true,
      run: -1_000_000 - index,
    };
  });
  return [...kept, ...marks];
}

function lineOf(model: PageModel, line: ModelLine): LayoutLine {
  const text = line.words.map((word) => model.words[word]?.text ?? '').join(' ');
  return {
    spans: [{ text, marks: [], href: null }],
    box: line.box,
    base: line.base,
    size: line.size,
    bold: false,
    italic: false,
    mono: false,
    math: 0,
  };
}

function blocksOf(model: PageModel): LayoutBlock[] {
  return model.blocks.flatMap((block): LayoutBlock[] => {
    if (block.kind === 'picture') {
      return [{ kind: 'picture', box: block.box, confidence: 1, alt: null }];
    }
    const lines = block.lines.flatMap((index) => model.lines[index] ?? []);
    const words = lines.flatMap((line) => line.words.flatMap((word) => model.words[word] ?? []));
    const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
    return [
      {
        kind: 'text',
        lines: lines.map((line) => lineOf(model, line)),
        box: block.box,
        confidence,
        tag: null,
        column: [block.box[0], block.box[2]],
      },
    ];
  });
}

/**
 * One page of a PDF or picture as blocks in reading order: the page's own text, and what was recognised
 * on it. Throws EngineError.
 */
export async function readPageLayout(request: PageLayoutRequest): Promise<PageLayout> {
  const mime = await checkMime(request.path, request.mime);
  const result = await readResult(request.pageFile);
  const recognised = withoutRedacted(fragmentsOfResult(result), request.redacted);
  const about = { page: request.number, title: null, language: null, outline: [] };
  if (mime !== 'application/pdf') {
    const { widthPt, heightPt } = result;
    const model = buildModel({ page: request.page, widthPt, heightPt }, recognised, []);
    return { ...about, widthPt, heightPt, blocks: blocksOf(model) };
  }
  const document = await openCachedPdf(request.path);
  return withPage(document, request.page, (page) => {
    const frame = frameOf(document, page);
    const { width, height } = displaySize(frame);
    const own = fragmentsOfGlyphs(readGlyphs(document, page, frame)).filter(
      ({ visible }) => visible,
    );
    const sized = { page: request.page, widthPt: width, heightPt: height };
    const model = buildModel(sized, [...own, ...recognised], []);
    return { ...about, widthPt: width, heightPt: height, blocks: blocksOf(model) };
  });
}
