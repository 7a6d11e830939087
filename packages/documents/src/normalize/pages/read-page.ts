import { credibleWords } from '../../credible.ts';
import { applyToBox, area, displaySize, sharedArea } from '../../geometry.ts';
import { unreadable } from '../../model/measures.ts';
import { withAccents } from '../../model/words/accents.ts';
import { type LevelPage, placeOf, turnLevel } from '../../model/words/level.ts';
import { readOwnText } from '../../model/words/own.ts';
import { readRecognised } from '../../model/words/recognised.ts';
import type { LeaningWord, PageWord } from '../../model/words/word.ts';
import { doubtedBoxes, withContradicted } from '../../ocr/doubts/index.ts';
import { pictureOfImage, pictureOfPdfPage } from '../../ocr/pictures/page-picture.ts';
import { openCachedPdf } from '../../pdf/cached.ts';
import { withNamedGlyphs } from '../../pdf/glyph-names.ts';
import { readFacts } from '../../pdf/outline.ts';
import { frameOf } from '../../pdf/page-frame.ts';
import { type Glyph, readText } from '../../pdf/page-glyphs.ts';
import { type PageLink, readLinks } from '../../pdf/page-links.ts';
import { listObjects } from '../../pdf/page-objects.ts';
import { readRules } from '../../pdf/page-rules.ts';
import { readShapes } from '../../pdf/page-shapes.ts';
import { readStructure } from '../../pdf/page-structure.ts';
import { type PdfDocument, withPage } from '../../pdf/pdfium.ts';
import { hasAnnotations, hasUnshownValues, withPreparedPage } from '../../pdf/prepare.ts';
import { unreadOnPage } from '../../pdf/unread.ts';
import { type Box, type PageResult, readPageResult } from '../../results.ts';
import { checkMime } from '../../source/mime.ts';
import type { PageLayoutRequest, RedactedPlace } from '../calls.ts';
import { punctuated } from '../marks.ts';
import { layoutBlocks } from './blocks.ts';
import { boldDpi } from './boldness.ts';
import { drawnBullets } from './bullets.ts';
import { picturesOf } from './figures.ts';
import { justifiedText } from './justified.ts';
import { lettersIn, type PageLayout } from './layout.ts';
import { asideOf, numbersOf, withoutLineNumbers } from './margins.ts';
import { tablesOf } from './page-tables.ts';
import { boldOfPicture, isScan, noRules, rulesOfPicture } from './scan.ts';
import { rulesDpi } from './tables/index.ts';

/** Whether a word overlaps the line of a place and ends further right than another word. */
function endsIn(place: Box, word: Box, other: Box | undefined): boolean {
  const inLine = Math.min(place[3], word[3]) - Math.max(place[1], word[1]);
  return inLine > (word[3] - word[1]) / 2 && (!other || word[2] > other[2]);
}

/** Replaces the words that touch a redaction with its mark. */
function withMarks(page: LevelPage, redacted: readonly RedactedPlace[]): PageWord[] {
  const places = redacted.map(({ box, mark }) => ({
    mark,
    box: page.toLevel ? applyToBox(page.toLevel, box) : box,
  }));
  const kept: PageWord[] = [];
  const last = new Map<(typeof places)[number], PageWord>();
  for (const word of page.words) {
    const touched = places.filter(({ box }) => sharedArea(box, word.box) > 0);
    if (touched.length === 0) kept.push(word);
    for (const place of touched) {
      if (endsIn(place.box, word.box, last.get(place)?.box)) last.set(place, word);
    }
  }
  const marks = places.map((place): PageWord => {
    const { box, mark } = place;
    const height = box[3] - box[1];
    const middle = (box[1] + box[3]) / 2;
    let beside: PageWord | undefined;
    let nearest = Number.POSITIVE_INFINITY;
    for (const word of kept) {
      if (word.box[1] > middle || word.box[3] < middle) continue;
      const distance = Math.max(word.box[0] - box[2], box[0] - word.box[2]);
      if (distance < nearest) [beside, nearest] = [word, distance];
    }
    return {
      text: punctuated(mark, last.get(place)?.text ?? ''),
      box,
      base: beside?.base ?? box[3] - 0.2 * height,
      size: beside?.size ?? Math.max(1, height / 1.2),
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
  return [...kept, ...marks];
}

/**
 * Returns the words whose direction differs from that of most words, without those that touch a
 * redaction.
 */
function asideWords(
  { aside }: LevelPage,
  size: { width: number; height: number },
  redacted: readonly RedactedPlace[],
): LeaningWord[] {
  if (redacted.length === 0) return aside;
  return aside.filter((word) => {
    const place = placeOf(word, size);
    return !redacted.some(({ box }) => sharedArea(box, place) > 0);
  });
}

/** Adds links to the words that they cover. */
function withLinks(
  { toLevel }: LevelPage,
  links: readonly PageLink[],
  words: readonly PageWord[],
): PageWord[] {
  const level = links.map(({ box, href }) => ({
    href,
    box: toLevel ? applyToBox(toLevel, box) : box,
  }));
  if (level.length === 0) return [...words];
  return words.map((word) => {
    const x = (word.box[0] + word.box[2]) / 2;
    const y = word.base - 0.3 * word.size;
    const link = level.find(
      ({ box: [x0, y0, x1, y1] }) => x >= x0 && x <= x1 && y >= y0 && y <= y1,
    );
    return link ? { ...word, href: link.href } : word;
  });
}

/** Returns the recognised words that do not merely repeat words of the page. */
function added(own: readonly LeaningWord[], recognised: readonly LeaningWord[]): LeaningWord[] {
  if (own.length === 0 || recognised.length === 0) return [...recognised];
  const sorted = [...own].sort((a, b) => a.box[1] - b.box[1]);
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

/** The minimum confidence of a recognised letter. Below it, the letter may as well be a bullet. */
const minSure = 0.9;

/** Returns the page's own words without single unreadable letters that recognition has read. */
function withoutSilent(
  own: readonly LeaningWord[],
  recognised: readonly LeaningWord[],
): readonly LeaningWord[] {
  if (recognised.length === 0 || !own.some(({ text }) => text === unreadable)) return own;
  const sure = recognised.filter(({ confidence }) => confidence >= minSure);
  return own.filter(
    ({ text, box }) =>
      text !== unreadable ||
      !sure.some((word) => sharedArea(box, word.box) > 0.3 * Math.min(area(box), area(word.box))),
  );
}

/**
 * Returns all words of a page: its visible text or the hidden layer under a scan, and recognised
 * text.
 */
function wordsOf(
  own: { words: LeaningWord[]; hidden: LeaningWord[] },
  recognised: readonly LeaningWord[],
): LeaningWord[] {
  const words = withoutSilent(own.words, recognised);
  const shown = words.length > 0 || recognised.length > 0;
  // The font of a layer under a scan is not the printed font. It is often monospaced.
  const layer = own.hidden.map((word) => ({ ...word, bold: false, italic: false, mono: false }));
  const hidden = recognised.length > 0 ? [] : added(words, layer);
  if (!shown) return layer;
  return [...words, ...hidden, ...added(words, recognised)];
}

/**
 * Counts the letters and digits of words. Text that is drawn twice in one place, to look bold,
 * counts once.
 */
function lettersOf(words: readonly PageWord[]): number {
  const seen = new Set<string>();
  let letters = 0;
  for (const { text, box } of words) {
    const key = `${Math.round(box[0] / 2)} ${Math.round(box[1] / 2)} ${text}`;
    if (!seen.has(key)) letters += lettersIn(text);
    seen.add(key);
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
 * The recognised words of a page, and the boxes where the page's own words do not match its image.
 */
type Recognised = { recognised: readonly LeaningWord[]; doubted: readonly Box[] };

/**
 * Returns the boxes where the drawing of a loaded page contradicts its words, if this was not
 * checked before.
 */
function contradicted(document: PdfDocument, page: number): Box[] {
  const frame = frameOf(document, page);
  return doubtedBoxes(withContradicted({ document, page, frame }, readText(document, page, frame)));
}

type Named = Pick<PageLayout, 'page' | 'title' | 'language' | 'outline'>;

/** Reads a page that is a picture, from its recognised text. */
async function layoutOfImage(
  request: PageLayoutRequest,
  { widthPt, heightPt }: PageResult,
  recognised: readonly LeaningWord[],
): Promise<PageLayout> {
  const about: Named = { page: request.number, title: null, language: null, outline: [] };
  const picture = (dpi: number) => pictureOfImage(request.path, request.page, dpi);
  const scan = isScan(recognised.length, 0);
  const said = scan ? await boldOfPicture(recognised, () => picture(boldDpi)) : recognised;
  const page = turnLevel(said, { width: widthPt, height: heightPt });
  const words = withMarks(page, request.redacted);
  const rules = scan ? await rulesOfPicture(() => picture(rulesDpi), request.redacted) : noRules;
  const { fixed, others } = tablesOf(page, rules, words, scan ? justifiedText(words) : undefined);
  const letters = lettersOf([...words, ...page.aside]);
  return { ...about, widthPt, heightPt, letters, blocks: layoutBlocks(page, others, fixed) };
}

/** Reads a loaded page of a PDF: its own text, its links and the recognised text. */
async function layoutOfPage(
  document: PdfDocument,
  loaded: number,
  { page: number, redacted }: PageLayoutRequest,
  { recognised, doubted }: Recognised,
  links: readonly PageLink[],
): Promise<Omit<PageLayout, keyof Named>> {
  const frame = frameOf(document, loaded);
  const size = displaySize(frame);
  const objects = listObjects(document, loaded, frame);
  const shapes = readShapes(objects);
  const letters = readText(document, loaded, frame, { withInk: false });
  const told = letters.filter((glyph) => !doubted.some((box) => isGlyphIn(glyph, box)));
  const glyphs = await withNamedGlyphs(document, number, told);
  const own = readOwnText(document, loaded, frame, recognised, glyphs);
  const inside = ({ box: [x0, y0, x1, y1] }: PageWord): boolean =>
    x1 > 0 && y1 > 0 && x0 < size.width && y0 < size.height;
  const all = wordsOf(own, recognised);
  const scan = isScan(all.length, own.words.length);
  const picture = (dpi: number) => pictureOfPdfPage(document, loaded, frame, dpi);
  const said = scan ? await boldOfPicture(all, () => picture(boldDpi)) : all;
  const page = turnLevel(said.filter(inside), size);
  const marked = withLinks(page, links, withMarks(page, redacted));
  const { words, numbers } = withoutLineNumbers(withAccents(marked));
  const aside = asideWords(page, size, redacted);
  const pictures = picturesOf(page, shapes, words, aside);
  const others = [...pictures.others, ...drawnBullets(page, shapes, pictures.others)];
  const drawn = readRules(objects);
  const pictured = scan ? await rulesOfPicture(() => picture(rulesDpi), redacted) : noRules;
  const rules = {
    across: [...drawn.across, ...pictured.across],
    down: [...drawn.down, ...pictured.down],
    fills: drawn.fills,
  };
  const tables = tablesOf(page, rules, others, scan ? justifiedText(others) : undefined);
  const fixed = [...tables.fixed, ...pictures.fixed];
  return {
    widthPt: size.width,
    heightPt: size.height,
    letters: lettersOf([...marked, ...aside]),
    blocks: [
      ...layoutBlocks(page, tables.others, fixed, readStructure(document, loaded)),
      ...asideOf(page, pictures.aside, size),
      ...numbersOf(page, numbers),
    ],
  };
}

/**
 * Reads one page of a PDF or picture as blocks in reading order, from the page's own text and the
 * recognised text. Throws EngineError.
 */
export async function readPageLayout(request: PageLayoutRequest): Promise<PageLayout> {
  const mime = await checkMime(request.path, request.mime);
  const result = await readPageResult(request.pageFile);
  const recognised = readRecognised({ ...result, words: credibleWords(result.words) });
  if (mime !== 'application/pdf') return layoutOfImage(request, result, recognised);
  const document = await openCachedPdf(request.path);
  const { title, language, outline } = readFacts(document);
  const readAs = (from: PdfDocument, page: number): Recognised => ({
    recognised,
    doubted: result.doubted ?? (result.treatment === 'rasterise' ? contradicted(from, page) : []),
  });
  const about: Named = {
    page: request.number,
    title,
    language,
    outline: outline.get(request.page) ?? [],
  };
  const { links, unread, layout } = await withPage(document, request.page, async (loaded) => {
    const unread = unreadOnPage(document, loaded);
    const links = readLinks(document, loaded, frameOf(document, loaded));
    if (hasAnnotations(document, loaded)) return { links, unread, layout: undefined };
    const layout = await layoutOfPage(document, loaded, request, readAs(document, loaded), links);
    return { links, unread, layout };
  });
  if (layout) return { ...about, ...layout, unread };
  // Text of form fields and annotations is visible and treated like other text.
  const seen = await openCachedPdf(request.path, 'prepared');
  const filled = await withPreparedPage(seen, request.page, (loaded) =>
    layoutOfPage(seen, loaded, request, readAs(seen, loaded), links),
  );
  if (hasUnshownValues(seen, request.page)) unread.push('form fields');
  return { ...about, ...filled, unread };
}
