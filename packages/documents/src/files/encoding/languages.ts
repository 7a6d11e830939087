import { readLists, readRows } from '../../tsv.ts';

/** Characteristics of correctly decoded text in a language. */
export interface Language {
  /** Letters outside ASCII, in lower case, the most frequent first. */
  letters: string;
  /** The most frequent words that are written in ASCII. */
  words?: string;
}

const rows = readRows(new URL('./languages.tsv', import.meta.url));
/** Returns the languages of a group, or the languages of one encoding. */
const languagesOf = (name: string): readonly Language[] =>
  rows.flatMap(([group, letters = '', words]) =>
    group === name ? [words === undefined ? { letters } : { letters, words }] : [],
  );

const western = languagesOf('western');
const central = languagesOf('central');
const cyrillic = languagesOf('cyrillic');

/** Single-byte encodings, and the languages written in them. The first encoding wins a tie. */
export const singleByte: Readonly<Record<string, readonly Language[]>> = {
  'windows-1252': western,
  'windows-1250': central,
  'windows-1251': cyrillic,
  // Russian, the first of the group.
  'koi8-r': cyrillic.slice(0, 1),
  'iso-8859-2': central,
  'windows-1254': languagesOf('windows-1254'),
  'windows-1253': languagesOf('windows-1253'),
  'windows-1257': languagesOf('windows-1257'),
  'windows-1255': languagesOf('windows-1255'),
  'windows-1256': languagesOf('windows-1256'),
  'windows-874': languagesOf('windows-874'),
};

/**
 * Encodings of DOS and old Macs. They are used only for bytes that are implausible in any other.
 */
export const legacy: Readonly<Record<string, readonly Language[]>> = {
  cp437: western,
  cp850: western,
  cp852: central,
  ibm866: cyrillic,
  macintosh: western,
};

/** Multi-byte encodings, with characters that occur in any longer text in them. */
export const multiByte: Readonly<Record<string, string>> = Object.fromEntries(
  [...readLists(new URL('./characters.tsv', import.meta.url))].map(
    ([encoding, [characters = '']]) => [encoding, characters],
  ),
);
