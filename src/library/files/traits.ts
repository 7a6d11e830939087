import type { Readable } from 'node:stream';
import type { Trait } from '../../contracts/rules.ts';
import { findScripts, type Sniffed } from './sniff.ts';

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
 * The same for all of the file: markup that is longer than what was sniffed is read to its end.
 * @param open gives the bytes of the file from their beginning
 */
export async function traitsOf(sniffed: Sniffed, open: () => Promise<Readable>): Promise<Trait[]> {
  const scripted = sniffed.scripted || (sniffed.scanNeeded && (await findScripts(await open())));
  return sniffedTraits({ ...sniffed, scripted });
}
