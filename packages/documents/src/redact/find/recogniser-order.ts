import { hull } from '../../geometry.ts';
import type { Fragment } from '../../model/fragments.ts';
import type { ModelLine, PageModel } from '../../model/page.ts';
import { haveSameOrder, type ReadText, toReadText } from './read-text.ts';

type Size = Pick<PageModel, 'page' | 'widthPt' | 'heightPt'>;

/**
 * Returns the recognised words in the order of the recogniser, which is also the order of the
 * output's invisible text. If a word has a wrong position, ordering by position may split a value
 * that this order keeps whole. Undefined if both orders are the same.
 */
export function readInOrder(
  size: Size,
  recognised: readonly Fragment[],
  seen: ReadText | null,
): ReadText | undefined {
  if (recognised.length === 0) return undefined;
  const read = toReadText(modelInRecogniserOrder(size, recognised), 'ocr');
  return haveSameOrder(read.text.text, seen?.text.text ?? '') ? undefined : read;
}

/**
 * Returns the recognised lines, each separate. On a page whose columns were mistaken for blocks, or
 * whose rows are as wide as lines of running text, only these lines are the rows of its tables.
 */
export const readLineByLine = (
  size: Size,
  recognised: readonly Fragment[],
): ReadText | undefined =>
  recognised.length === 0
    ? undefined
    : toReadText(modelInRecogniserOrder(size, recognised, { apart: true }), 'ocr');

function modelInRecogniserOrder(
  { page, widthPt, heightPt }: Size,
  recognised: readonly Fragment[],
  { apart = false } = {},
): PageModel {
  const lines: ModelLine[] = [];
  recognised.forEach(({ box, size, angle, run }, at) => {
    const line = lines.at(-1);
    if (line && recognised[at - 1]?.run === run) {
      line.words.push(at);
      line.box = hull([line.box, box]) ?? line.box;
      line.to = line.box[2];
    } else lines.push({ words: [at], box, from: box[0], to: box[2], base: box[3], size, angle });
  });
  const box = hull(lines.map((line) => line.box)) ?? [0, 0, 0, 0];
  return {
    page,
    widthPt,
    heightPt,
    lines,
    pictures: [],
    rules: [],
    fields: [],
    words: recognised.map(({ text, box, confidence, source, visible }) => {
      return { text, box, confidence, source, visible, glyphs: null };
    }),
    blocks: apart
      ? lines.map((line, at) => ({ kind: 'text', box: line.box, lines: [at], columns: [] }))
      : [{ kind: 'text', box, lines: [...lines.keys()], columns: [] }],
  };
}
