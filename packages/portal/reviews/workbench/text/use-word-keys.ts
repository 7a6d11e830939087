import type { ReviewTextRecord } from '@scriptorium/contracts/wire/reviews';
import { useState } from 'preact/hooks';
import { useToolKeys } from '../tools/use-tool-keys.ts';
import { type Block, keyOf } from './blocks.ts';
import type { Selected } from './selection.ts';

/**
 * Selects words by keyboard: the arrow keys move, with Shift they extend the selection, and Enter
 * adds. Starts in the piece at the top of the frame.
 * @returns the selection
 */
export function useWordKeys(
  isActive: boolean,
  top: Block | undefined,
  textOf: (block: Block) => ReviewTextRecord | undefined,
  onAdd: (selected: Selected) => void,
): Selected | undefined {
  const [chosen, setChosen] = useState<
    { block: Block; anchor: number; head: number } | undefined
  >();
  const block = chosen?.block ?? top;
  const piece = block && textOf(block);
  const words = piece && isActive ? wordsOf(piece) : [];
  const selected = chosen && piece && words.length > 0 ? rangeOf(words, chosen, piece) : undefined;
  useToolKeys(isActive && block !== undefined, (key, isShifted) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (key === 'Enter' && selected) {
      onAdd(selected);
      setChosen(undefined);
    } else if (by !== undefined && block && words.length > 0) {
      const isElsewhere = chosen && top && !isShifted && keyOf(chosen.block) !== keyOf(top);
      const from = isElsewhere ? -1 : (chosen?.head ?? -1);
      const head = Math.min(words.length - 1, Math.max(0, from + by));
      const at = isElsewhere ? top : block;
      setChosen({ block: at, anchor: isShifted ? (chosen?.anchor ?? head) : head, head });
    } else return false;
    return true;
  });
  return isActive ? selected : undefined;
}

interface Word {
  start: number;
  end: number;
}

/** Returns the words of a piece, without the row numbers. */
function wordsOf({ text, start, layout }: ReviewTextRecord): Word[] {
  return [...text.matchAll(/\S+/gu)].flatMap(({ index, 0: word }) => {
    const isNumber =
      layout === 'sheet' && /^\d+$/.test(word) && /(^|\n)$/.test(text.slice(0, index));
    return isNumber ? [] : [{ start: start + index, end: start + index + word.length }];
  });
}

function rangeOf(
  words: readonly Word[],
  { anchor, head }: { anchor: number; head: number },
  { page }: ReviewTextRecord,
): Selected | undefined {
  const first = words[Math.min(anchor, head)];
  const last = words[Math.max(anchor, head)];
  return first && last ? { page, start: first.start, end: last.end } : undefined;
}
