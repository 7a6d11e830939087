import type { Glyph } from '../pdf/page-glyphs.ts';
import type { Box } from '../results.ts';
import { modelBlocks } from './blocks.ts';
import { type Fragment, fragmentsOfGlyphs } from './fragments.ts';
import { groupByDirection, modelLines } from './lines.ts';
import type { Block, ModelLine, ModelWord, PageModel } from './page.ts';

export type { MappedText } from './mapped-text.ts';
export type { PageModel } from './page.ts';
export { alternativeReadings, readPageText } from './page-text.ts';

type Page = { page: number; widthPt: number; heightPt: number };

/** Inserts pictures among the blocks: each before the first block that starts below its top. */
function withPictures(blocks: readonly Block[], pictures: readonly Box[]): Block[] {
  const all = [...blocks];
  for (const box of pictures) {
    const at = all.findIndex((block) => block.box[1] >= box[1] && block.box[0] < box[2]);
    const picture: Block = { kind: 'picture', box, lines: [], columns: [] };
    if (at < 0) all.push(picture);
    else all.splice(at, 0, picture);
  }
  return all;
}

/** Builds the lines and blocks of fragments. Invisible text and text outside the page come last. */
export function buildModel(
  { page, widthPt, heightPt }: Page,
  fragments: readonly Fragment[],
  pictures: readonly Box[],
  { rules, fields }: Pick<PageModel, 'rules' | 'fields'> = { rules: [], fields: [] },
): PageModel {
  const words: ModelWord[] = [];
  const lines: ModelLine[] = [];
  const blocks: Block[] = [];
  const isVisible = ({ visible, box: [x0, y0, x1, y1] }: Fragment): boolean =>
    visible && x1 > 0 && y1 > 0 && x0 < widthPt && y0 < heightPt;
  for (const visible of [true, false]) {
    const layer = fragments.filter((fragment) => isVisible(fragment) === visible);
    for (const { angle, fragments: sameDirection } of groupByDirection(layer)) {
      const first = lines.length;
      lines.push(...modelLines(sameDirection, angle, words));
      const indexes = lines.slice(first).map((_, at) => first + at);
      blocks.push(...modelBlocks(lines, indexes, words));
    }
  }
  return {
    page,
    widthPt,
    heightPt,
    words,
    lines,
    blocks: withPictures(blocks, pictures),
    pictures: [...pictures],
    rules,
    fields,
  };
}

/** Returns the model of a page's text, with the exact position of every glyph. */
export function modelOfGlyphs(
  page: Page,
  glyphs: readonly Glyph[],
  pictures: readonly Box[] = [],
): PageModel {
  return buildModel(page, fragmentsOfGlyphs(glyphs), pictures);
}
