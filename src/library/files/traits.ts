import type { Readable } from 'node:stream';
import type { Trait } from '../../contracts/rules.ts';
import { scanMarkup } from './markup/scan.ts';
import { withMarkup } from './markup/sniff.ts';
import { GZIP, type Sniffed, type SniffHints } from './sniffed.ts';

/** What a file is beside its type, by what was sniffed of it. */
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
 * What a file is by all of it: markup that is longer than what was sniffed is read to its end.
 * @param open gives the bytes of the file from their beginning
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
