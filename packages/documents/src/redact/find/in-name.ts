import type { Detector } from '@scriptorium/pii/finding';
import type { FoundInName } from '../contract/requests.ts';

/** Separators in names of files, and those that also occur inside of values, between letters. */
const separators = [/_/g, /_|(?<=\p{L})[-.](?=\p{L})/gu];

/** Finds personal data in the name of a file, with its separators read as spaces. */
export function findInName(name: string, detector: Detector): FoundInName[] {
  const extension = /\.[a-z0-9]{1,10}$/i.exec(name);
  const stem = extension ? name.slice(0, extension.index) : name;
  const readings = new Set(separators.map((separator) => stem.replace(separator, ' ')));
  return [...readings].flatMap((reading) =>
    detector(reading).map(({ type, start, end }) => ({ type, start, end })),
  );
}
