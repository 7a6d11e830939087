import { characters } from './characters.ts';
import { gazetteerBits as bits, type Gazetteer } from './gazetteer.ts';

const NAMES = bits.first | bits.last;
/** Minimum length of a possessive, or of a word with umlauts. */
const MIN_LETTERS = 4;
const [A, E, O, S, U] = [0x61, 0x65, 0x6f, 0x73, 0x75];

/** Whether a word is in lists of names, and in no list of other words. */
export const isName = (mask: number): boolean => mask !== 0 && (mask & ~NAMES) === 0;

/**
 * Returns the gazetteer bits for a word that is in no list, if it is the possessive of a name
 * ("Annas") or a name spelt without umlauts ("Juergen"): the bits of that name. Returns 0 if there
 * is no such name, or if the name is also a common word. `units` contains the word in lower case;
 * `stem` is the hash of its folded form without the last letter.
 */
export function nameOf(
  units: Uint16Array,
  length: number,
  stem: number,
  gazetteer: Gazetteer,
): number {
  if (length < MIN_LETTERS) return 0;
  const possessor = units[length - 1] === S ? gazetteer.maskOf(stem) : 0;
  const mask = isName(possessor) ? possessor : gazetteer.maskOf(withoutUmlauts(units, length));
  return isName(mask) ? mask : 0;
}

/** Returns the hash of the folded word with `ae`, `oe` and `ue` as single letters. */
function withoutUmlauts(units: Uint16Array, length: number): number {
  const { folded } = characters();
  let hash = 0x811c9dc5 | 0;
  let before = 0;
  for (let at = 0; at < length; at++) {
    const bare = folded[units[at]!]!;
    const isUmlaut = bare === E && (before === A || before === O || before === U);
    if (bare !== 0 && !isUmlaut) hash = Math.imul(hash ^ bare, 0x01000193);
    before = bare;
  }
  return hash;
}
