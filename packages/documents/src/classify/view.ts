import { hull } from '../geometry.ts';
import type { PageResult, Word } from '../results.ts';
import { inRows, sameBase } from '../rows.ts';

/** A line as input of the classifier. Wide gaps in the line become tabs. */
export type ViewLine = {
  text: string /** Height in points; 0 if it is unknown. */;
  size: number;
};

/** A page as input of the classifier, from any source. */
export type PageView = {
  lines: readonly ViewLine[];
  /** Size in points; 0 × 0 for a file without pages. */
  widthPt: number;
  heightPt: number;
};

/** Limits of a page: further words do not change its class. */
const maxLines = 400;
const maxCharacters = 20_000;

type Piece = Pick<Word, 'text' | 'box'>;

/**
 * Returns the rows of a page: pieces at the same height form one line, even across the columns of a
 * table.
 */
export function viewPage(page: PageResult): PageView {
  const pieces: Piece[][] = page.lines.map(() => []);
  let characters = 0;
  for (const { text, box, line } of page.words) {
    characters += text.length + 1;
    if (characters > maxCharacters) break;
    pieces[line]?.push({ text, box });
  }
  const { widthPt, heightPt } = page;
  const whole: Piece[] = pieces.flatMap((words) => (words.length === 0 ? [] : [join(words)]));
  return { lines: joinRows(whole).slice(0, maxLines), widthPt, heightPt };
}

/** Returns text without positions, line by line, up to `characters` characters. */
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

/**
 * Joins adjacent words of a line, with a tab for each gap that is wider than the height of the
 * line.
 */
function join(words: readonly Piece[]): Piece {
  return words.reduce((whole, word) => ({
    text: whole.text + glue(whole, word) + word.text,
    box: hull([whole.box, word.box]) ?? whole.box,
  }));
}

const heightOf = ({ box }: Piece): number => box[3] - box[1];
const middleOf = ({ box }: Piece): number => (box[1] + box[3]) / 2;
/**
 * Whether a piece is running text. Columns of running text are also side by side, but stay separate
 * lines.
 */
const isRunning = ({ text }: Piece): boolean => text.length > 35;

const glue = (before: Piece, after: Piece): string =>
  Math.abs(after.box[0] - before.box[2]) > 1.3 * heightOf(before) ? '\t' : ' ';

/** Joins lines whose middles are at the same height, from left to right. */
function joinRows(lines: readonly Piece[]): ViewLine[] {
  const sorted = [...lines].sort((a, b) => middleOf(a) - middleOf(b));
  const rows = inRows(
    sorted,
    (line, last) =>
      Math.abs(middleOf(line) - middleOf(last)) < sameBase * heightOf(line) &&
      !(isRunning(line) && isRunning(last)),
  );
  return rows.map((row) => {
    const whole = join(row.sort((a, b) => a.box[0] - b.box[0]));
    return { text: whole.text, size: heightOf(whole) };
  });
}
