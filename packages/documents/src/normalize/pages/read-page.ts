import { credibleWords } from '../../credible.ts';
import { applyToBox, area, displaySize, sharedArea } from '../../geometry.ts';
import { replacementCharacter } from '../../model/measures.ts';
import { withAccents } from '../../model/words/accents.ts';
import { displayBoxOf, type LevelPage, toLevelPage } from '../../model/words/level-page.ts';
import { readOwnText } from '../../model/words/own-text.ts';
import { readRecognised } from '../../model/words/recognised.ts';
import type { AngledWord, PageWord } from '../../model/words/word.ts';
import { doubtedBoxes, markContradicted } from '../../ocr/doubts/index.ts';
import { pictureOfImage, pictureOfPdfPage } from '../../ocr/pictures/page-picture.ts';
import { openCachedPdf } from '../../pdf/document-cache.ts';
import { withNamedGlyphs } from '../../pdf/glyph-names.ts';
import { readDocumentProperties } from '../../pdf/outline.ts';
import { frameOf } from '../../pdf/page-frame.ts';
import { type Glyph, readText } from '../../pdf/page-glyphs.ts';
import { type PageLink, readLinks } from '../../pdf/page-links.ts';
import { listObjects } from '../../pdf/page-objects.ts';
import { readRules } from '../../pdf/page-rules.ts';
import { readShapes } from '../../pdf/page-shapes.ts';
import { readStructure } from '../../pdf/page-structure.ts';
import { type PdfDocument, withPage } from '../../pdf/pdfium.ts';
import { hasAnnotations, hasUndisplayedValues, withPreparedPage } from '../../pdf/prepare.ts';
import { unreadKindsOnPage } from '../../pdf/unread.ts';
import { type Box, type PageResult, readPageResult } from '../../results.ts';
import { checkMime } from '../../source/mime.ts';
import type { PageLayoutRequest, RedactedArea } from '../calls.ts';
import { withPunctuation } from '../marks.ts';
import { layoutBlocks, listingItem } from './blocks.ts';
import { boldDpi } from './boldness.ts';
import { findDrawnBullets } from './bullets.ts';
import { swatchesOf } from './charts.ts';
import { picturesOf } from './figures.ts';
import { justifiedWordBoxes } from './justified.ts';
import { lettersIn, type PageLayout } from './layout.ts';
import { findListings } from './listings.ts';
import { lineNumberBlocks, rotatedBlocks, splitLineNumbers } from './margins.ts';
import { tablesOf } from './page-tables.ts';
import { boldOfPicture, isScan, noRules, rulesOfPicture } from './scan.ts';
import { rulesDpi } from './tables/index.ts';

/** Whether a word is on the line of a redacted box and ends further right than another word. */
function endsFurtherRight(redactedBox: Box, word: Box, other: Box | undefined): boolean {
  const inLine = Math.min(redactedBox[3], word[3]) - Math.max(redactedBox[1], word[1]);
  return inLine > (word[3] - word[1]) / 2 && (!other || word[2] > other[2]);
}

/** Replaces the words that touch a redaction with its mark. */
function replaceRedacted(page: LevelPage, redacted: readonly RedactedArea[]): PageWord[] {
  const redactedAreas = redacted.map(({ box, mark }) => ({
    mark,
    box: page.toLevel ? applyToBox(page.toLevel, box) : box,
  }));
  const remaining: PageWord[] = [];
  const last = new Map<(typeof redactedAreas)[number], PageWord>();
  for (const word of page.words) {
    const touchedAreas = redactedAreas.filter(({ box }) => sharedArea(box, word.box) > 0);
    if (touchedAreas.length === 0) remaining.push(word);
    for (const redactedArea of touchedAreas) {
      if (endsFurtherRight(redactedArea.box, word.box, last.get(redactedArea)?.box))
        last.set(redactedArea, word);
    }
  }
  const marks = redactedAreas.map((redactedArea): PageWord => {
    const { box, mark } = redactedArea;
    const height = box[3] - box[1];
    const middle = (box[1] + box[3]) / 2;
    let nearestWord: PageWord | undefined;
    let nearest = Number.POSITIVE_INFINITY;
    for (const word of remaining) {
      if (word.box[1] > middle || word.box[3] < middle) continue;
      const distance = Math.max(word.box[0] - box[2], box[0] - word.box[2]);
      if (distance < nearest) [nearestWord, nearest] = [word, distance];
    }
    return {
      text: withPunctuation(mark, last.get(redactedArea)?.text ?? ''),
      box,
      base: nearestWord?.base ?? box[3] - 0.2 * height,
      size: nearestWord?.size ?? Math.max(1, height / 1.2),
      blankBefore: true,
      blankAfter: true,
      confidence: 1,
      source: 'pdf',
      mark: -1,
      href: null,
      bold: false,
      italic: false,
      mono: false,
      math: false,
    };
  });
  return [...remaining, ...marks];
}

/**
 * Returns the words whose direction differs from that of most words, without those that touch a
 * redaction.
 */
function keptRotatedWords(
  { rotatedWords }: LevelPage,
  size: { width: number; height: number },
  redacted: readonly RedactedArea[],
): AngledWord[] {
  if (redacted.length === 0) return rotatedWords;
  return rotatedWords.filter((word) => {
    const displayBox = displayBoxOf(word, size);
    return !redacted.some(({ box }) => sharedArea(box, displayBox) > 0);
  });
}

/** Adds links to the words that they cover. */
function withLinks(
  { toLevel }: LevelPage,
  links: readonly PageLink[],
  words: readonly PageWord[],
): PageWord[] {
  const levelLinks = links.map(({ box, href }) => ({
    href,
    box: toLevel ? applyToBox(toLevel, box) : box,
  }));
  if (levelLinks.length === 0) return [...words];
  return words.map((word) => {
    const x = (word.box[0] + word.box[2]) / 2;
    const y = word.base - 0.3 * word.size;
    const link = levelLinks.find(
      ({ box: [x0, y0, x1, y1] }) => x >= x0 && x <= x1 && y >= y0 && y <= y1,
    );
    return link ? { ...word, href: link.href } : word;
  });
}

/** Returns the recognised words that do not repeat words of the page. */
function withoutRepeats(
  pageWords: readonly AngledWord[],
  recognised: readonly AngledWord[],
): AngledWord[] {
  if (pageWords.length === 0 || recognised.length === 0) return [...recognised];
  const sorted = [...pageWords].sort((a, b) => a.box[1] - b.box[1]);
  const tallest = sorted.reduce((max, { box }) => Math.max(max, box[3] - box[1]), 0);
  return recognised.filter(({ box }) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.box[1] ?? 0) < box[1] - tallest) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < sorted.length; at += 1) {
      const other = sorted[at];
      if (!other || other.box[1] > box[3]) return true;
      if (sharedArea(other.box, box) > 0.3 * Math.min(area(other.box), area(box))) return false;
    }
    return true;
  });
}

/** The minimum confidence of a recognised letter. A less certain letter may be a bullet. */
const minLetterConfidence = 0.9;

/** Returns the words of a page without single unreadable letters that were recognised. */
function withoutRecognisedGlyphs(
  pageWords: readonly AngledWord[],
  recognised: readonly AngledWord[],
): readonly AngledWord[] {
  if (recognised.length === 0 || !pageWords.some(({ text }) => text === replacementCharacter))
    return pageWords;
  const confident = recognised.filter(({ confidence }) => confidence >= minLetterConfidence);
  return pageWords.filter(
    ({ text, box }) =>
      text !== replacementCharacter ||
      !confident.some(
        (word) => sharedArea(box, word.box) > 0.3 * Math.min(area(box), area(word.box)),
      ),
  );
}

/**
 * Returns all words of a page: its visible text or the hidden layer under a scan, and recognised
 * text.
 */
function wordsOf(
  ownText: { words: AngledWord[]; hidden: AngledWord[] },
  recognised: readonly AngledWord[],
): AngledWord[] {
  const words = withoutRecognisedGlyphs(ownText.words, recognised);
  const hasShownWords = words.length > 0 || recognised.length > 0;
  // The font of a layer under a scan is not the printed font. It is often monospaced.
  const hiddenLayer = ownText.hidden.map((word) => ({
    ...word,
    bold: false,
    italic: false,
    mono: false,
  }));
  const hidden = recognised.length > 0 ? [] : withoutRepeats(words, hiddenLayer);
  if (!hasShownWords) return hiddenLayer;
  return [...words, ...hidden, ...withoutRepeats(words, recognised)];
}

/**
 * Counts the letters and digits of words. Text that is drawn twice in one place, to look bold,
 * counts once.
 */
function lettersOf(words: readonly PageWord[]): number {
  const counted = new Set<string>();
  let letters = 0;
  for (const { text, box } of words) {
    const key = `${Math.round(box[0] / 2)} ${Math.round(box[1] / 2)} ${text}`;
    if (!counted.has(key)) letters += lettersIn(text);
    counted.add(key);
  }
  return letters;
}

/** Whether the centre of a letter, at about half the height of lower-case letters, is in a box. */
function isGlyphIn({ x, y, angle, size, advance }: Glyph, [x0, y0, x1, y1]: Box): boolean {
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [along, up] = [advance / 2, 0.25 * size];
  const [px, py] = [x + along * cos + up * sin, y + along * sin - up * cos];
  return px > x0 && px < x1 && py > y0 && py < y1;
}

/**
 * The recognised words of a page, and the boxes where the text of the page differs from its image.
 */
type RecognisedText = { recognised: readonly AngledWord[]; doubted: readonly Box[] };

/**
 * Returns the boxes where the drawing of a loaded page contradicts its words, if this was not
 * checked before.
 */
function contradictedBoxes(document: PdfDocument, page: number): Box[] {
  const frame = frameOf(document, page);
  return doubtedBoxes(markContradicted({ document, page, frame }, readText(document, page, frame)));
}

type PageFacts = Pick<PageLayout, 'page' | 'title' | 'language' | 'outline'>;

/** Reads a page that is a picture, from its recognised text. */
async function layoutOfImage(
  request: PageLayoutRequest,
  { widthPt, heightPt }: PageResult,
  recognised: readonly AngledWord[],
): Promise<PageLayout> {
  const facts: PageFacts = { page: request.number, title: null, language: null, outline: [] };
  const renderPicture = (dpi: number) => pictureOfImage(request.path, request.page, dpi);
  const isScanned = isScan(recognised.length, 0);
  const styledWords = isScanned
    ? await boldOfPicture(recognised, () => renderPicture(boldDpi))
    : recognised;
  const page = toLevelPage(styledWords, { width: widthPt, height: heightPt });
  const words = replaceRedacted(page, request.redacted);
  const rules = isScanned
    ? await rulesOfPicture(() => renderPicture(rulesDpi), request.redacted)
    : noRules;
  const { fixedItems, otherWords } = tablesOf(
    page,
    rules,
    words,
    isScanned ? justifiedWordBoxes(words) : undefined,
  );
  const letters = lettersOf([...words, ...page.rotatedWords]);
  return {
    ...facts,
    widthPt,
    heightPt,
    letters,
    blocks: layoutBlocks(page, otherWords, fixedItems),
  };
}

/** Reads a loaded page of a PDF: its text, its links and the recognised text. */
async function layoutOfPage(
  document: PdfDocument,
  loadedPage: number,
  { page: number, redacted }: PageLayoutRequest,
  { recognised, doubted }: RecognisedText,
  links: readonly PageLink[],
): Promise<Omit<PageLayout, keyof PageFacts>> {
  const frame = frameOf(document, loadedPage);
  const size = displaySize(frame);
  const objects = listObjects(document, loadedPage, frame);
  const shapes = readShapes(objects);
  const allGlyphs = readText(document, loadedPage, frame, { withInk: false });
  const trustedGlyphs = allGlyphs.filter((glyph) => !doubted.some((box) => isGlyphIn(glyph, box)));
  const glyphs = await withNamedGlyphs(document, number, trustedGlyphs);
  const ownText = readOwnText(document, loadedPage, frame, recognised, glyphs);
  const isInside = ({ box: [x0, y0, x1, y1] }: PageWord): boolean =>
    x1 > 0 && y1 > 0 && x0 < size.width && y0 < size.height;
  const allWords = wordsOf(ownText, recognised);
  const isScanned = isScan(allWords.length, ownText.words.length);
  const renderPicture = (dpi: number) => pictureOfPdfPage(document, loadedPage, frame, dpi);
  const styledWords = isScanned
    ? await boldOfPicture(allWords, () => renderPicture(boldDpi))
    : allWords;
  const page = toLevelPage(styledWords.filter(isInside), size);
  const markedWords = withLinks(page, links, replaceRedacted(page, redacted));
  const drawnRules = readRules(objects);
  const text = splitLineNumbers(withAccents(markedWords));
  const found = findListings(text.words, drawnRules);
  const listingWords = new Set([...found.numbers, ...found.listings.flat()]);
  const words = text.words.filter((word) => !listingWords.has(word));
  const numbers = [...text.numbers, ...found.numbers];
  const rotatedWords = keptRotatedWords(page, size, redacted);
  const pictures = picturesOf(page, shapes, words, rotatedWords);
  const otherWords = [
    ...pictures.otherWords,
    ...findDrawnBullets(page, shapes, pictures.otherWords),
  ];
  const scannedRules = isScanned
    ? await rulesOfPicture(() => renderPicture(rulesDpi), redacted)
    : noRules;
  const rules = {
    across: [...drawnRules.across, ...scannedRules.across],
    down: [...drawnRules.down, ...scannedRules.down],
    fills: drawnRules.fills,
  };
  const tables = tablesOf(
    page,
    rules,
    otherWords,
    isScanned ? justifiedWordBoxes(otherWords) : undefined,
    { drawings: pictures.drawings, swatches: swatchesOf(page, shapes) },
  );
  const fixedItems = [
    ...tables.fixedItems,
    ...pictures.fixedItems,
    ...found.listings.map((listing) => listingItem(page, listing)),
  ];
  return {
    widthPt: size.width,
    heightPt: size.height,
    letters: lettersOf([...markedWords, ...rotatedWords]),
    blocks: [
      ...layoutBlocks(page, tables.otherWords, fixedItems, readStructure(document, loadedPage)),
      ...rotatedBlocks(page, pictures.rotatedWords, size),
      ...lineNumberBlocks(page, numbers),
    ],
  };
}

/**
 * Reads one page of a PDF or picture as blocks in reading order, from the text of the page and the
 * recognised text. Throws EngineError.
 */
export async function readPageLayout(request: PageLayoutRequest): Promise<PageLayout> {
  const mime = await checkMime(request.path, request.mime);
  const result = await readPageResult(request.pageFile);
  const recognised = readRecognised({ ...result, words: credibleWords(result.words) });
  if (mime !== 'application/pdf') return layoutOfImage(request, result, recognised);
  const document = await openCachedPdf(request.path);
  const { title, language, outline } = readDocumentProperties(document);
  const recognisedTextOf = (from: PdfDocument, page: number): RecognisedText => ({
    recognised,
    doubted:
      result.doubted ?? (result.treatment === 'rasterise' ? contradictedBoxes(from, page) : []),
  });
  const facts: PageFacts = {
    page: request.number,
    title,
    language,
    outline: outline.get(request.page) ?? [],
  };
  const { links, unread, layout } = await withPage(document, request.page, async (loaded) => {
    const unread = unreadKindsOnPage(document, loaded);
    const links = readLinks(document, loaded, frameOf(document, loaded));
    if (hasAnnotations(document, loaded)) return { links, unread, layout: undefined };
    const layout = await layoutOfPage(
      document,
      loaded,
      request,
      recognisedTextOf(document, loaded),
      links,
    );
    return { links, unread, layout };
  });
  if (layout) return { ...facts, ...layout, unread };
  // Text of form fields and annotations is visible and treated like other text.
  const prepared = await openCachedPdf(request.path, 'prepared');
  const preparedLayout = await withPreparedPage(prepared, request.page, (loaded) =>
    layoutOfPage(prepared, loaded, request, recognisedTextOf(prepared, loaded), links),
  );
  if (hasUndisplayedValues(prepared, request.page)) unread.push('form fields');
  return { ...facts, ...preparedLayout, unread };
}
