import { isJustified } from '../../model/order/column-kinds.ts';
import { flowsOf } from '../../model/order/index.ts';
import { orderItem } from '../../model/order/items.ts';
import { textLines } from '../../model/words/lines.ts';
import type { PageWord } from '../../model/words/word.ts';
import type { Box } from '../../results.ts';

/**
 * Returns the boxes of words in columns of justified text. Their wide word spaces look like gaps
 * between the columns of a table.
 */
export function justifiedWordBoxes(words: readonly PageWord[]): Set<Box> {
  const items = textLines(words).map((line) => orderItem(line, line));
  const columns = flowsOf(items, false).filter((flow) => isJustified(flow.items));
  const lines = columns.flatMap((column) => column.items.flatMap(({ line }) => line ?? []));
  return new Set(lines.flatMap((line) => line.words.map(({ box }) => box)));
}
