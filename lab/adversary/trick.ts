import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { Maker, TextLine } from '../../test/support/corpus/maker.ts';
import type { SecretType } from '../../test/support/corpus/secrets.ts';

/** A file made by a trick. */
export interface BuiltFile {
  mime: SourceMime;
  bytes: Uint8Array;
}

/** A way to show one thing to people and another to programs. */
export interface Trick {
  name: string;
  /** `honest` makes the twin: the same values on the same page without the trick. */
  build(maker: Maker, isHonest: boolean): BuiltFile | Promise<BuiltFile>;
}

/** Values that can be found in an honest document by their form or the words before them. */
export const trickTypes: readonly SecretType[] = [
  'PERSON',
  'PHONE_NUMBER',
  'EMAIL_ADDRESS',
  'IBAN_CODE',
  'US_SSN',
  'CREDIT_CARD',
];

/** Lines with two or three values: prose, a form, or almost nothing else. */
export function makeLines(maker: Maker, channel: string, page = 1): TextLine[] {
  const wish = { channel, page, types: trickTypes };
  const layout = maker.pick(3);
  if (layout === 0) return maker.prose(wish, 8, 2, false);
  if (layout === 1) return [1, 2, 3].map(() => maker.line(wish, false));
  return maker.prose(wish, 4, 2);
}

/** The same letters in another order, determined by a seed. */
export function permute(letters: string, pick: (below: number) => number): Map<string, string> {
  const others = [...letters];
  for (let at = others.length - 1; at > 0; at -= 1) {
    const other = pick(at + 1);
    [others[at], others[other]] = [others[other]!, others[at]!];
  }
  return new Map([...letters].map((letter, at) => [letter, others[at]!]));
}
