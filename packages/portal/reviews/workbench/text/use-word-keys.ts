import type { ReviewTextRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { useToolKeys } from '../tools/use-tool-keys.ts';
import { type Block, keyOf } from './blocks.ts';
import type { TextRange } from './selection.ts';

/**
 * Selects words by keyboard: the arrow keys move, with Shift they extend the selection, and Enter
 * adds it. Starts in the piece at the top of the frame.
 * @returns the selection
 */
export function useWordKeys(
  isActive: boolean,
  topBlock: Block | undefined,
  textOf: (block: Block) => ReviewTextRecord | undefined,
  onAdd: (range: TextRange) => void,
): TextRange | undefined {
  const [wordSelection, setWordSelection] = useState<
    { block: Block; anchor: number; head: number } | undefined
  >();
  const block = wordSelection?.block ?? topBlock;
  const piece = block && textOf(block);
  const words = piece && isActive ? wordsOf(piece) : [];
  const selectedRange =
    wordSelection && piece && words.length > 0 ? rangeOf(words, wordSelection, piece) : undefined;
  useToolKeys(isActive && block !== undefined, (key, isShifted) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (key === 'Enter' && selectedRange) {
      onAdd(selectedRange);
      setWordSelection(undefined);
    } else if (direction !== undefined && block && words.length > 0) {
      const isOutOfView =
        wordSelection && topBlock && !isShifted && keyOf(wordSelection.block) !== keyOf(topBlock);
      const previousHead = isOutOfView ? -1 : (wordSelection?.head ?? -1);
      const head = Math.min(words.length - 1, Math.max(0, previousHead + direction));
      const targetBlock = isOutOfView ? topBlock : block;
      setWordSelection({
        block: targetBlock,
        anchor: isShifted ? (wordSelection?.anchor ?? head) : head,
        head,
      });
    } else return false;
    return true;
  });
  return isActive ? selectedRange : undefined;
}

interface Word {
  start: number;
  end: number;
}

/** Returns the words of a piece, without the row numbers. */
function wordsOf({ text, start, layout }: ReviewTextRecord): Word[] {
  return [...text.matchAll(/\S+/gu)].flatMap(({ index, 0: word }) => {
    const isRowNumber =
      layout === 'sheet' && /^\d+$/.test(word) && /(^|\n)$/.test(text.slice(0, index));
    return isRowNumber ? [] : [{ start: start + index, end: start + index + word.length }];
  });
}

function rangeOf(
  words: readonly Word[],
  { anchor, head }: { anchor: number; head: number },
  { page }: ReviewTextRecord,
): TextRange | undefined {
  const first = words[Math.min(anchor, head)];
  const last = words[Math.max(anchor, head)];
  return first && last ? { page, start: first.start, end: last.end } : undefined;
}
