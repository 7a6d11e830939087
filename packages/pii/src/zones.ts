import { oncePerView, type TextView } from './view.ts';

/**
 * Maximum length of an identifier before its first digit and after its last digit, in characters.
 */
const maxDistance = 32;

export interface Zone {
  from: number;
  to: number;
}

/**
 * Returns the ranges of a view that contain digits, divided at white space. Prose without digits is
 * not searched.
 */
export const zonesOf: (view: TextView) => Zone[] = oncePerView(({ text }) => findZones(text));

function findZones(text: string): Zone[] {
  const zones: Zone[] = [];
  for (const { index } of text.matchAll(/\d/g)) {
    const last = zones.at(-1);
    if (last && index - maxDistance <= last.to) {
      // The scan starts at the current end, so no range without spaces is scanned twice.
      if (index + maxDistance > last.to) last.to = spaceAfter(text, index + maxDistance);
    } else {
      const from = spaceBefore(text, index - maxDistance, last?.to ?? 0);
      zones.push({ from, to: spaceAfter(text, index + maxDistance) });
    }
  }
  return zones;
}

function spaceBefore(text: string, index: number, min: number): number {
  let at = Math.max(min, index);
  while (at > min && !/\s/.test(text[at - 1] ?? '')) at -= 1;
  return at;
}

function spaceAfter(text: string, index: number): number {
  let at = Math.min(text.length, index);
  while (at < text.length && !/\s/.test(text[at] ?? '')) at += 1;
  return at;
}
