import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaggedType } from '@scriptorium/pii/tagger/labels';
import { writtenLanguages } from './languages/index.ts';
import type { Random } from './random.ts';
import type { Mark, Sample } from './sample.ts';
import { groups, honorifics, nationalities, streetWords } from './words/kinds.ts';

/**
 * Reads text that people annotated, one token and tag a line, and maps the conventions of each
 * corpus to the tagger's types. A corpus that does not mark a type leaves it open where a word may be
 * of that type: a title before a name is in such a corpus neither a title nor other text.
 */
export interface Corpus {
  /** Such as `en/wnut17-dev`. */
  name: string;
  language: string;
  sentences: Sentence[];
}

export interface Token {
  word: string;
  /** Such as `PER`; empty outside of entities. */
  type: string;
  /** Whether the token starts an entity. */
  begins: boolean;
}

export type Sentence = Token[];

/** Corpora without ends of sentences are divided after this number of tokens. */
const WINDOW = 100;

/** The types of a tag; `none` where it may also be other text. */
const typesOf: Readonly<Record<string, Mark['types']>> = {
  PER: ['PERSON'],
  BER: ['PERSON'],
  PERSON: ['PERSON'],
  PESSOA: ['PERSON'],
  LOC: ['LOCATION'],
  LOCATION: ['LOCATION'],
  LOCAL: ['LOCATION'],
  ORG: ['ORGANIZATION'],
  CORPORATION: ['ORGANIZATION'],
  ORGANIZACAO: ['ORGANIZATION'],
  // Bands and teams, but also other groups.
  GROUP: ['ORGANIZATION', 'none'],
};

const words = (lists: readonly string[]): Set<string> =>
  new Set(
    lists
      .flatMap((entry) => entry.toLowerCase().split(/[\s-]+/))
      .map((word) => word.replace(/\.$/, ''))
      .filter((word) => word.length > 0),
  );

const titles = words([
  ...honorifics,
  ...writtenLanguages.flatMap((language) => [...language.titles, ...language.jobs]),
  'queen king prince princess pope saint emperor president senator governor mayor minister secretary congressman',
  'representative rep sen gov chancellor premier graf gräfin könig königin kaiser prinz prinzessin fürst baron',
  'freiherr herzog minister präsident general oberst reine roi comte duc évêque abbé ministre ministro ministra',
  'desembargador desembargadora juiz juíza relator deputado promotor exmo exma dra sra sras srs drs koning prins',
]);
const notTitles = words(['de des du von der la le el da do dos and und et y e a o i on of in il']);
const nations = words([
  ...nationalities,
  ...groups,
  ...writtenLanguages.flatMap((language) => language.nationalities),
]);
const streets = words(streetWords);
/** Roles that contracts define, which a corpus of contracts marks like names. */
const roles =
  /^(?:the|borrowers?|lenders?|banks?|agents?|company|companies|corporation|executive|employees?|guarantors?|trustee|seller|buyer|parent|purchasers?|landlord|tenant|holders?|subsidiar(?:y|ies)|affiliates?|part(?:y|ies)|investors?|consultant|administrative|silicon|registrant|issuer)$/i;

const bare = (word: string): string => word.toLowerCase().replace(/\.$/, '');
const isTitle = (word: string): boolean => {
  const own = bare(word);
  return titles.has(own) && !notTitles.has(own);
};

/** Reads all corpora of a folder with a folder for each language. */
export function readCorpora(folder: string): Corpus[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: language }) =>
      readdirSync(join(folder, language))
        .sort()
        .map((file) => ({
          name: `${language}/${file.replace(/\.\w+$/, '')}`,
          language,
          sentences: parseSentences(readFileSync(join(folder, language, file), 'utf8')),
        })),
    );
}

/** Parses lines of a token and a tag in the second or last column: IO, IOB1 or IOB2. */
export function parseSentences(file: string): Sentence[] {
  const sentences: Sentence[] = [];
  let sentence: Sentence = [];
  let before = '';
  const end = (): void => {
    if (sentence.length > 0) sentences.push(sentence);
    sentence = [];
    before = '';
  };
  for (const line of file.split(/\r?\n/)) {
    if (/^# (?:file|\w+ url):/.test(line) || line.startsWith('-DOCSTART-') || line.trim() === '') {
      end();
      continue;
    }
    const columns = line.trim().split(/\s+/);
    const tag = columns.slice(1).find((column) => /^[BI]-\S+$/.test(column)) ?? 'O';
    const word = columns[0]!;
    if (columns.length < 2) continue;
    const type = tag.slice(2).toUpperCase();
    sentence.push({ word, type, begins: type !== '' && (tag[0] === 'B' || type !== before) });
    before = type;
    if (sentence.length >= WINDOW && type === '' && (sentence.length >= 2 * WINDOW || word === '.'))
      end();
  }
  end();
  return sentences;
}

/** Whether a space is written before and after a token, as far as the token tells. */
const closes = /^(?:[.,;:!?)\]}%»”’…]+|'s|n't|'(?:m|re|ve|ll|d)|’s)$/i;
const opens = /^[([{«“„#@]+$/;

/**
 * Returns the text of a sentence with its entities. `spaced`: with a space between all tokens, as
 * corpora are often read; otherwise punctuation is written as usual.
 */
export function sampleOfSentence(sentence: Sentence, spaced: boolean): Sample {
  let value = '';
  const marks: Mark[] = [];
  let isOpened = true;
  let isQuoted = false;
  const places = sentence.map(({ word }) => {
    const isQuote = word === '"';
    const isAttached = !spaced && (closes.test(word) || (isQuote && isQuoted));
    if (!isOpened && !isAttached) value += ' ';
    const start = value.length;
    value += word;
    isOpened =
      !spaced &&
      (opens.test(word) || (isQuote && !isQuoted) || /^[ldcnmsjtq][’']$|^qu'$/i.test(word));
    if (word.startsWith('@') && word.length === 1) isOpened = true;
    if (isQuote) isQuoted = !isQuoted;
    return { start, end: value.length };
  });
  const put = (from: number, to: number, types: Mark['types']): void => {
    let start = places[from]!.start;
    let end = places[to - 1]!.end;
    while (end > start && /[,;:!?»“]/.test(value.charAt(end - 1))) end--;
    while (start < end && /[#"'(„«]/.test(value.charAt(start))) start++;
    if (start < end && types.length > 0) marks.push({ start, end, types });
  };
  for (let token = 0; token < sentence.length; ) {
    const { type, word } = sentence[token]!;
    let to = token + 1;
    if (type !== '')
      while (to < sentence.length && !sentence[to]!.begins && sentence[to]!.type === type) to++;
    if (type === '' || !typesOf[type]) {
      for (let at = token; at < to; at++) {
        const own = sentence[at]!.word;
        const open = openTypes(sentence, at);
        if (isAccount(sentence, at)) put(at, at + 1, ['none', 'PERSON', 'ORGANIZATION']);
        else if (type === 'MISC' && nations.has(bare(own))) put(at, at + 1, ['NRP']);
        else if (open.length > 0) put(at, at + 1, ['none', ...open]);
      }
    } else if (sentence.slice(token, to).every((own) => roles.test(own.word))) {
      // Other text: "the Borrower".
    } else if (isAccount(sentence, token) || /^[#@]/.test(word))
      put(token, to, ['none', ...typesOf[type]]);
    else entity(sentence, token, to, typesOf[type], put);
    token = to;
  }
  return { value, marks };
}

/** Marks an entity, whose first words may be titles and whose last word a possessive. */
function entity(
  sentence: Sentence,
  from: number,
  to: number,
  types: Mark['types'],
  put: (from: number, to: number, types: Mark['types']) => void,
): void {
  let start = from;
  let end = to;
  while (end - 1 > start && /^(?:['’]s|['’]|[,;:!?])$/.test(sentence[end - 1]!.word)) end--;
  if (types[0] === 'PERSON') {
    while (
      start < end - 1 &&
      (isTitle(sentence[start]!.word) || (start > from && sentence[start]!.word === '.'))
    )
      start++;
    if (start > from) put(from, start, ['TITLE', 'none']);
  }
  const isStreet =
    types[0] === 'LOCATION' &&
    sentence
      .slice(start, end)
      .some(
        ({ word }) =>
          /\d/.test(word) ||
          streets.has(bare(word)) ||
          /(?:stra(?:ß|ss)e|str\.?|straat|gasse|platz)$/i.test(word),
      );
  put(start, end, isStreet ? ['LOCATION', 'ADDRESS'] : types);
}

/** The types that a word outside of entities may have in a corpus that does not mark them. */
function openTypes(sentence: Sentence, at: number): TaggedType[] {
  const { word } = sentence[at]!;
  const next = sentence[at + 1];
  const isBefore = (token: Token | undefined): boolean =>
    token !== undefined && /^PE|^BER$/.test(token.type);
  const nearName =
    isBefore(next) ||
    ((next?.word === '.' || (next !== undefined && isTitle(next.word))) &&
      (isBefore(sentence[at + 2]) || isBefore(sentence[at + 3])));
  const open: TaggedType[] = [];
  if (nearName && (isTitle(word) || (word === '.' && at > 0 && isTitle(sentence[at - 1]!.word))))
    open.push('TITLE');
  if (nations.has(bare(word)) && /^\p{Lu}/u.test(word)) open.push('NRP');
  const beside = [sentence[at - 1], next].some((token) => /^LOC/.test(token?.type ?? ''));
  if (beside && /^\d/.test(word)) open.push('ADDRESS');
  return open;
}

/** Whether a token is the name of an account, written with its sign or after it. */
const isAccount = (sentence: Sentence, at: number): boolean =>
  /^@\w/.test(sentence[at]!.word) ||
  (sentence[at]!.word === '@' && at + 1 < sentence.length) ||
  (at > 0 && sentence[at - 1]!.word === '@');

/** Joins some sentences that follow each other, as in a document. */
export function joinedSamples(random: Random, sentences: readonly Sentence[]): Sample[] {
  const samples: Sample[] = [];
  for (let at = 0; at < sentences.length; ) {
    const count = random.pick([1, 1, 1, 2, 3, 5]);
    const spaced = random.chance(0.35);
    const sample: Sample = { value: '', marks: [] };
    for (const sentence of sentences.slice(at, at + count)) {
      if (sample.value !== '') sample.value += random.pick([' ', ' ', '\n']);
      const by = sample.value.length;
      const { value, marks } = sampleOfSentence(sentence, spaced);
      sample.value += value;
      sample.marks.push(
        ...marks.map((mark) => ({ ...mark, start: mark.start + by, end: mark.end + by })),
      );
    }
    samples.push(sample);
    at += count;
  }
  return samples;
}
