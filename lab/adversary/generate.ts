import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { PlantedSecret } from '../../test/support/corpus/index.ts';
import { Maker } from '../../test/support/corpus/maker.ts';
import { SecretSource } from '../../test/support/corpus/secrets.ts';
import { Dice } from '../fuzz/dice.ts';
import { docxTricks } from './office/docx.ts';
import { webTricks } from './office/web.ts';
import { xlsxTricks } from './office/xlsx.ts';
import { pdfTricks } from './pdf/index.ts';
import { pictureTricks } from './pictures/index.ts';
import type { Trick } from './trick.ts';

/** All tricks; those of one kind are adjacent. */
export const tricks: readonly Trick[] = [
  ...pdfTricks,
  ...pictureTricks,
  ...docxTricks,
  ...xlsxTricks,
  ...webTricks,
];

/** A file made by the adversary. */
export interface AdversaryFile {
  /** Its number, with which it can be made again from the same seed. */
  at: number;
  trick: string;
  honest: boolean;
  mime: SourceMime;
  bytes: Buffer;
  secrets: readonly PlantedSecret[];
}

/** How many files are honest twins. */
export type Twins = 'none' | 'some' | 'all';
/** For some tricks, every fourth. */
const honestEvery = 4;
/** Coprime to the number of tricks, so that a few files cover many kinds. */
const step = 97;

/** Makes the file with a given number. The same seed and number give the same bytes. */
export async function makeFile(
  seed: number,
  at: number,
  {
    among: selectedTricks = tricks,
    twins = 'some',
  }: { among?: readonly Trick[]; twins?: Twins | undefined } = {},
): Promise<AdversaryFile> {
  const dice = new Dice(seed * 1_000_003 + at);
  const trick = selectedTricks[(at * stepFor(selectedTricks.length)) % selectedTricks.length];
  if (!trick) throw new Error('No trick has such a name.');
  const isTwinDue = at % honestEvery === honestEvery - 1;
  const isHonest = twins === 'all' || (twins === 'some' && isTwinDue);
  const maker = new Maker(dice.below(2 ** 31), new SecretSource(dice.below(2 ** 31)));
  const { mime, bytes } = await trick.build(maker, isHonest);
  return {
    at,
    trick: trick.name,
    honest: isHonest,
    mime,
    bytes: Buffer.from(bytes),
    secrets: maker.secrets,
  };
}

/** A step that visits each entry of a list of this length. */
function stepFor(length: number): number {
  let candidate = step % length || 1;
  while (commonDivisor(candidate, length) > 1) candidate += 1;
  return candidate;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
