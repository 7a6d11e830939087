import type { Readable } from 'node:stream';
import type { Trait } from '../../contracts/rules.ts';
import { scanMarkup } from './markup/scan.ts';
import { withMarkup } from './markup/sniff.ts';
import { GZIP, type Sniffed, type SniffHints } from './sniffed.ts';

/** The traits of a file besides its type, as they were sniffed. */
export function sniffedTraits({
  executable,
  scripted,
}: Pick<Sniffed, 'executable' | 'scripted'>): Trait[] {
  return [
    ...(executable ? (['executable'] as const) : []),
    ...(scripted ? (['scripted'] as const) : []),
  ];
}

/**
 * The traits of a whole file: markup that is longer than the sniffed part is read to its end.
 * @param open returns the bytes of the file from the beginning
 */
export async function lookThrough(
  sniffed: Sniffed,
  hints: SniffHints,
  open: () => Promise<Readable>,
): Promise<{ mime: string; traits: Trait[] }> {
  const known = sniffed.scanNeeded
    ? withMarkup(sniffed, await scanMarkup(await open(), sniffed.mime === GZIP), hints)
    : sniffed;
  return { mime: known.mime, traits: sniffedTraits(known) };
}
