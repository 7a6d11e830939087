import { hull } from '../geometry.ts';
import type { PageResult, Word } from '../results.ts';
import { groupRows, maxBaselineOffset } from '../rows.ts';

/** A line as input of the classifier. Wide gaps in the line become tabs. */
export type ViewLine = {
  text: string;
  /** The height in points; 0 if it is unknown. */
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

type TextPiece = Pick<Word, 'text' | 'box'>;

/**
 * Returns the rows of a page: pieces at the same height form one line, even across the columns of a
 * table.
 */
export function viewPage(page: PageResult): PageView {
  const pieces: TextPiece[][] = page.lines.map(() => []);
  let characters = 0;
  for (const { text, box, line } of page.words) {
    characters += text.length + 1;
    if (characters > maxCharacters) break;
    pieces[line]?.push({ text, box });
  }
  const { widthPt, heightPt } = page;
  const joinedLines: TextPiece[] = pieces.flatMap((words) =>
    words.length === 0 ? [] : [joinWords(words)],
  );
  return { lines: joinRows(joinedLines).slice(0, maxLines), widthPt, heightPt };
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
function joinWords(words: readonly TextPiece[]): TextPiece {
  return words.reduce((whole, word) => ({
    text: whole.text + separatorOf(whole, word) + word.text,
    box: hull([whole.box, word.box]) ?? whole.box,
  }));
}

const heightOf = ({ box }: TextPiece): number => box[3] - box[1];
const middleOf = ({ box }: TextPiece): number => (box[1] + box[3]) / 2;
/**
 * Whether a piece is running text. Columns of running text are also side by side, but remain
 * separate lines.
 */
const isRunningText = ({ text }: TextPiece): boolean => text.length > 35;

const separatorOf = (before: TextPiece, after: TextPiece): string =>
  Math.abs(after.box[0] - before.box[2]) > 1.3 * heightOf(before) ? '\t' : ' ';

/** Joins lines whose middles are at the same height, from left to right. */
function joinRows(lines: readonly TextPiece[]): ViewLine[] {
  const sorted = [...lines].sort((a, b) => middleOf(a) - middleOf(b));
  const rows = groupRows(
    sorted,
    (line, last) =>
      Math.abs(middleOf(line) - middleOf(last)) < maxBaselineOffset * heightOf(line) &&
      !(isRunningText(line) && isRunningText(last)),
  );
  return rows.map((row) => {
    const joinedRow = joinWords(row.sort((a, b) => a.box[0] - b.box[0]));
    return { text: joinedRow.text, size: heightOf(joinedRow) };
  });
}
