import type { PagePlan, PageResult, Word } from '@scriptorium/documents';
import { intersects } from '@scriptorium/documents/geometry';
import type { RedactedPlace } from '@scriptorium/documents/normalize/calls';
import { punctuated } from '@scriptorium/documents/normalize/marks';
import { unreadableType } from '@scriptorium/documents/redact/contract/plan';
import { createMatcher } from '@scriptorium/documents/redact/matcher';
import { shownText } from './find.ts';

/** The places where something was removed from a page, and the marks shown there. */
export function placesOf({ removals, unreadable = [] }: PagePlan): RedactedPlace[] {
  const places = removals.flatMap(({ boxes, type }) =>
    boxes.map((box) => ({ box, mark: `[${type}]` })),
  );
  return [...places, ...unreadable.map((box) => ({ box, mark: `[${unreadableType}]` }))];
}

/**
 * The recognised words of a page without the removed values: omits words that touch a removed place
 * or contain a removed value. Marks replace them.
 */
export function redactedResult(page: PageResult, plan: PagePlan): PageResult {
  const places = placesOf(plan);
  const last = new Map<RedactedPlace, Word>();
  const untouched = page.words.filter((word) => {
    const touched = places.filter(({ box }) => intersects(box, word.box));
    for (const place of touched) {
      const other = last.get(place);
      if (!other || word.box[2] > other.box[2]) last.set(place, word);
    }
    return touched.length === 0;
  });
  const marks = [...last].map(([place, word]) => markIn(place, word));
  const text = shownText(plan.redactedText);
  return {
    ...page,
    text,
    characters: text.replace(/\s/g, '').length,
    words: [...withoutValues(untouched, plan), ...marks].sort((a, b) => a.line - b.line),
  };
}

function markIn({ box, mark }: RedactedPlace, last: Word): Word {
  return { ...last, text: punctuated(mark, last.text), box, confidence: 1 };
}

/** The words that are not part of a removed value. */
export function withoutValues(words: readonly Word[], { removals }: PagePlan): Word[] {
  const gone = removals.filter(({ here }) => !here);
  const matcher = createMatcher(gone.map(({ type, value }) => ({ type, value })));
  const starts: number[] = [];
  let text = '';
  for (const { text: word } of words) {
    starts.push(text.length);
    text += `${word} `;
  }
  const hit = new Uint8Array(text.length);
  for (const { start, end } of matcher.find(text)) hit.fill(1, start, end);
  return words.filter(({ text: word }, at) => {
    const start = starts[at]!;
    return !hit.subarray(start, start + word.length).includes(1);
  });
}
