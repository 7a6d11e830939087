import type { PagePlan, PageResult, Word } from '@scriptorium/documents';
import { intersects } from '@scriptorium/documents/geometry';
import type { RedactedArea } from '@scriptorium/documents/normalize/calls';
import { withPunctuation } from '@scriptorium/documents/normalize/marks';
import { unreadableType } from '@scriptorium/documents/redact/contract/plan';
import { createMatcher } from '@scriptorium/documents/redact/matcher';
import { storableText } from './find.ts';

/** The areas of a page where something was removed, and the marks shown there. */
export function redactedPlaces({ removals, unreadable = [] }: PagePlan): RedactedArea[] {
  const places = removals.flatMap(({ boxes, type }) =>
    boxes.map((box) => ({ box, mark: `[${type}]` })),
  );
  return [...places, ...unreadable.map((box) => ({ box, mark: `[${unreadableType}]` }))];
}

/**
 * Removes redacted values from the recognised words of a page: marks replace the words that overlap
 * a redacted area or contain a removed value.
 */
export function redactedResult(page: PageResult, plan: PagePlan): PageResult {
  const places = redactedPlaces(plan);
  const lastWords = new Map<RedactedArea, Word>();
  const untouched = page.words.filter((word) => {
    const touched = places.filter(({ box }) => intersects(box, word.box));
    for (const place of touched) {
      const other = lastWords.get(place);
      if (!other || word.box[2] > other.box[2]) lastWords.set(place, word);
    }
    return touched.length === 0;
  });
  const marks = [...lastWords].map(([place, word]) => markWord(place, word));
  const text = storableText(plan.redactedText);
  return {
    ...page,
    text,
    characters: text.replace(/\s/g, '').length,
    words: [...withoutValues(untouched, plan), ...marks].sort((a, b) => a.line - b.line),
  };
}

function markWord({ box, mark }: RedactedArea, last: Word): Word {
  return { ...last, text: withPunctuation(mark, last.text), box, confidence: 1 };
}

/** The words that are not part of a removed value. */
export function withoutValues(words: readonly Word[], { removals }: PagePlan): Word[] {
  const removedEverywhere = removals.filter(({ here }) => !here);
  const matcher = createMatcher(removedEverywhere.map(({ type, value }) => ({ type, value })));
  const starts: number[] = [];
  let text = '';
  for (const { text: word } of words) {
    starts.push(text.length);
    text += `${word} `;
  }
  const mask = new Uint8Array(text.length);
  for (const { start, end } of matcher.find(text)) mask.fill(1, start, end);
  return words.filter(({ text: word }, at) => {
    const start = starts[at]!;
    return !mask.subarray(start, start + word.length).includes(1);
  });
}
