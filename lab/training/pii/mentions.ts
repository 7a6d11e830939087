import type { Random } from './random.ts';
import { Text } from './text.ts';

/** Between two words of a line. */
const gaps = /(?<=[\p{L},;]) (?=\p{L})/gu;

/**
 * Inserts someone or something between two words of a text, which then differs from any template:
 * the surrounding words give no hint, so the name itself must. Returns the text unchanged if it has
 * no such place.
 */
export function mentioning(random: Random, text: Text, mention: () => Text): Text {
  const places = Array.from(text.value.matchAll(gaps), ({ index }) => index + 1).filter(
    (at) => !text.spans.some(({ start, end }) => start < at && at < end),
  );
  if (places.length === 0) return text;
  const at = random.pick(places);
  const made = new Text().add(text.value.slice(0, at)).append(mention());
  made.add(random.pick([' ', ' ', ' ', ', ', ' ']));
  const by = made.value.length - at;
  made.value += text.value.slice(at);
  const moved = text.spans.map(({ type, start, end }) =>
    start >= at ? { type, start: start + by, end: end + by } : { type, start, end },
  );
  made.spans = [...moved, ...made.spans].sort((a, b) => a.start - b.start);
  return made;
}
