/** The operators of content streams (PDF 32000-1 annex A), grouped by function. */
import type { PDFObject } from 'pdf-lib';

export const pathOperators: ReadonlySet<string> = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're']);
export const paintOperators: ReadonlySet<string> = new Set(
  ['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n'], // PDF 32000-1 table 60
);
export const textOperators: ReadonlySet<string> = new Set([
  'BT',
  'ET',
  'Td',
  'TD',
  'Tm',
  'T*',
  'Tf',
  'Tc',
  'Tw',
  'Tz',
  'TL',
  'Ts',
  'Tr',
  'Tj',
  'TJ',
  "'",
  '"',
]);
export const lineOperators: ReadonlySet<string> = new Set(['w', 'J', 'j', 'M', 'd', 'ri', 'i']);
/** Entries of a graphics state dictionary that can also be set by operators. */
export const lineSettings: ReadonlySet<string> = new Set(['LW', 'LC', 'LJ', 'ML', 'D', 'RI', 'FL']);

type ColourOperator = { key: 'fill' | 'stroke'; space: 'whole' | 'space' | 'part' };
export const colourOperators: Readonly<Record<string, ColourOperator>> = {
  g: { key: 'fill', space: 'whole' },
  rg: { key: 'fill', space: 'whole' },
  k: { key: 'fill', space: 'whole' },
  cs: { key: 'fill', space: 'space' },
  sc: { key: 'fill', space: 'part' },
  scn: { key: 'fill', space: 'part' },
  G: { key: 'stroke', space: 'whole' },
  RG: { key: 'stroke', space: 'whole' },
  K: { key: 'stroke', space: 'whole' },
  CS: { key: 'stroke', space: 'space' },
  SC: { key: 'stroke', space: 'part' },
  SCN: { key: 'stroke', space: 'part' },
};

export function isPatternSpace(name: string | undefined, value: PDFObject | undefined): boolean {
  return name === 'Pattern' || (value?.toString().includes('/Pattern') ?? false);
}

/** Keys for settings of a graphics state have the form `gs A B`. */
const settingsOf = (key: string): string[] => key.split(' ').slice(1);

/** Whether writing one key invalidates the value written for the other. */
export function settingsOverlap(key: string, other: string): boolean {
  if (key === 'fill space' || key === 'stroke space') return `${other} space` === key;
  if (key === 'fill' || key === 'stroke') return false;
  if (key === other || !key.startsWith('gs ') || !other.startsWith('gs ')) return false;
  const settings = settingsOf(key);
  return settingsOf(other).some((setting) => settings.includes(setting));
}

/** Whether the first key includes all settings of the second. */
export function settingCovers(key: string, other: string): boolean {
  const settings = settingsOf(key);
  return settingsOf(other).every((setting) => settings.includes(setting));
}
