import type { View } from './view.ts';

/** How far from its first and last digit an identifier may begin and end. */
const reach = 32;

export interface Zone {
  from: number;
  to: number;
}

const known = new WeakMap<View, Zone[]>();

/** The stretches of a view with digits in them, cut at white space: prose without is not searched. */
export function zonesOf(view: View): Zone[] {
  let zones = known.get(view);
  if (!zones) {
    zones = stretches(view.text);
    known.set(view, zones);
  }
  return zones;
}

function stretches(text: string): Zone[] {
  const zones: Zone[] = [];
  for (const { index } of text.matchAll(/\d/g)) {
    const last = zones.at(-1);
    if (last && index - reach <= last.to) {
      // From where it ends already: no stretch without spaces is looked through twice.
      if (index + reach > last.to) last.to = spaceFrom(text, index + reach);
    } else {
      const from = spaceBefore(text, index - reach, last?.to ?? 0);
      zones.push({ from, to: spaceFrom(text, index + reach) });
    }
  }
  return zones;
}

function spaceBefore(text: string, index: number, least: number): number {
  let at = Math.max(least, index);
  while (at > least && !/\s/.test(text[at - 1] ?? '')) at -= 1;
  return at;
}

function spaceFrom(text: string, index: number): number {
  let at = Math.min(text.length, index);
  while (at < text.length && !/\s/.test(text[at] ?? '')) at += 1;
  return at;
}
