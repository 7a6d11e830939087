import type { PagePlan, PageResult, Word } from '../../../engines/index.ts';
import type { RedactedPlace } from '../../../engines/normalize/calls.ts';
import { punctuated } from '../../../engines/normalize/marks.ts';
import { createMatcher } from '../../../engines/redact/check/matcher.ts';
import type { Box } from '../../../engines/results.ts';
import { shownText } from './find.ts';

/** Where something was removed from a page, and what a reader is to see there. */
export function placesOf({ removals }: PagePlan): RedactedPlace[] {
  return removals.flatMap(({ boxes, type }) => boxes.map((box) => ({ box, mark: `[${type}]` })));
}

/**
 * A page as it was recognised, without what was removed from it: no word that touches a place of that,
 * nor one in which a value stands all the same. Marks stand where words did.
 */
export function redactedResult(page: PageResult, plan: PagePlan): PageResult {
  const places = placesOf(plan);
  const last = new Map<RedactedPlace, Word>();
  const untouched = page.words.filter((word) => {
    const touched = places.filter(({ box }) => touch(box, word.box));
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

function touch(one: Box, other: Box): boolean {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

function markIn({ box, mark }: RedactedPlace, last: Word): Word {
  return { ...last, text: punctuated(mark, last.text), box, confidence: 1 };
}

/** Words, but for those that a removed value is made of, wherever they stand. */
function withoutValues(words: readonly Word[], { removals }: PagePlan): Word[] {
  const matcher = createMatcher(removals.map(({ type, value }) => ({ type, value })));
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
