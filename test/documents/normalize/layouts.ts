import type { Box } from '@scriptorium/documents/results';
import {
  type LayoutBlock,
  type LayoutLine,
  lettersIn,
  type PageLayout,
} from '../../../packages/documents/src/normalize/pages/layout.ts';

type Style = Partial<Pick<LayoutLine, 'size' | 'bold' | 'italic' | 'mono' | 'math'>> & {
  x?: number;
  after?: number;
};

/** Blocks from the top of a page downwards: the lines of each, and their style. */
export function pageOf(
  page: number,
  texts: [string | string[], Style?][],
  about?: Partial<PageLayout>,
) {
  let y = 120;
  const blocks = texts.map(([text, style = {}]): LayoutBlock => {
    const { x = 72, after = 8, ...set } = style;
    const lines = [text].flat().map((one): LayoutLine => {
      const size = set.size ?? 10;
      y += 1.2 * size;
      const box: Box = [x, y - size, x + Math.min(450, one.length * size * 0.45), y];
      const marks = set.bold ? (['bold'] as const) : [];
      const spans = [{ text: one, marks: [...marks], href: null }];
      return {
        spans,
        box,
        base: y,
        size,
        bold: false,
        italic: false,
        mono: false,
        math: 0,
        ...set,
      };
    });
    const [first] = lines;
    const box: Box = [x, first?.box[1] ?? 0, x + 450, y];
    y += after;
    return {
      kind: 'text',
      lines,
      box,
      confidence: 1,
      tag: null,
      artifact: false,
      margin: false,
      column: [72, 522],
    };
  });
  const letters = lettersIn(texts.flatMap(([text]) => text).join());
  const none = { title: null, language: null, outline: [], letters };
  return { page, widthPt: 595, heightPt: 842, blocks, ...none, ...about };
}

/** A paragraph of three full lines. */
export const running: [string[]] = [
  [
    'The text of this part runs on over several lines that are as wide as the column,',
    'and says nothing of any importance, but that it is much longer than the headings',
    'which stand over it, and that it is set in the hand of most letters of the file.',
  ],
];
