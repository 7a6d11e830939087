import type { PageResult } from '../results.ts';

/** A line as the classifier sees it; wide gaps in it become tabs. */
export type ViewLine = {
  text: string /** Height in points; 0 if it is unknown. */;
  size: number;
};

/** A page as the classifier sees it, from any source. */
export type PageView = {
  lines: readonly ViewLine[];
  /** In points; 0 × 0 for a file without pages. */
  widthPt: number;
  heightPt: number;
};

/** Limits for a page: more words do not change its class. */
const maxLines = 400;
const maxCharacters = 20_000;

type Piece = { text: string; left: number; right: number; top: number; bottom: number };

/** A page's rows: pieces at the same height form one line, as it looks, across columns of tables. */
export function viewPage(page: PageResult): PageView {
  const pieces: Piece[][] = page.lines.map(() => []);
  let characters = 0;
  for (const { text, box, line } of page.words) {
    characters += text.length + 1;
    if (characters > maxCharacters) break;
    const [left, top, right, bottom] = box;
    pieces[line]?.push({ text, left, right, top, bottom });
  }
  const { widthPt, heightPt } = page;
  const whole: Piece[] = pieces.flatMap((words) => (words.length === 0 ? [] : [join(words)]));
  return { lines: rowsOf(whole).slice(0, maxLines), widthPt, heightPt };
}

/** Text without positions, line by line, up to a number of characters. */
export function viewText(text: string, characters = maxCharacters): PageView {
  const lines = text.slice(0, characters).split(/\r\n|[\n\r\f]/);
  return {
    lines: lines
      .map((line) => ({ text: line.replace(/ {3,}| *\t[ \t]*/g, '\t').trim(), size: 0 }))
      .filter(({ text: line }) => line !== ''),
    widthPt: 0,
    heightPt: 0,
  };
}

/** Adjacent words of a line, with a tab for each gap that is wider than the line is high. */
function join(words: readonly Piece[]): Piece {
  const whole = { ...words[0]! };
  for (const word of words.slice(1)) {
    whole.text += glue(whole, word) + word.text;
    whole.left = Math.min(whole.left, word.left);
    whole.right = Math.max(whole.right, word.right);
    whole.top = Math.min(whole.top, word.top);
    whole.bottom = Math.max(whole.bottom, word.bottom);
  }
  return whole;
}

const glue = (before: Piece, after: Piece): string =>
  Math.abs(after.left - before.right) > 1.3 * (before.bottom - before.top) ? '\t' : ' ';

/** Lines whose middles are at the same height, joined from left to right. */
function rowsOf(lines: readonly Piece[]): ViewLine[] {
  const rows: Piece[][] = [];
  const middle = ({ top, bottom }: Piece) => (top + bottom) / 2;
  for (const line of [...lines].sort((a, b) => middle(a) - middle(b))) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    const height = line.bottom - line.top;
    const beside = last && Math.abs(middle(line) - middle(last)) < 0.35 * height;
    // Columns of running text are side by side too: these stay separate lines.
    const running = (piece: Piece) => piece.text.length > 35;
    if (row && beside && !(running(line) && running(last))) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => {
    const { text, top, bottom } = join([...row].sort((a, b) => a.left - b.left));
    return { text, size: bottom - top };
  });
}
