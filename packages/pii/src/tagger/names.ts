import { isFrequentWord } from '../language/evidence.ts';
import { particle } from '../particles.ts';
import { commaOf, isBetweenEntries, partsAt } from './entries.ts';
import { gazetteerBits as bits } from './gazetteer.ts';
import { isNoun } from './nouns.ts';
import { gaps, PAD, shapes, type TaggerSegment } from './segment.ts';

/** A range of tokens of a segment. `to` is exclusive. */
export interface Run {
  from: number;
  to: number;
}

const usual =
  bits.commonest |
  bits.common |
  bits.word |
  bits.foreign |
  bits.calendar |
  bits.thing |
  bits.seldom |
  bits.job;
const named = bits.first | bits.last;
/** Maximum number of words of a paragraph that are read. */
const PARAGRAPH = 60;
/** Minimum length of a listed name in lower case. */
const MIN_LETTERS = 4;

/** Characters that may separate the words of a name on a line. */
const joints = new Set(
  [...'-\'’.,&“”"()‐–'].map((sign) => shapes.symbol + (sign.charCodeAt(0) & 0x3ff)),
);

/**
 * Returns the names in a finding. Verbs and nouns that were mistaken for part of a name are removed
 * ("Mariana avisou", "K. schwieg zu"). Text on the line below a complete name is a separate name. A
 * finding in lower case is not changed.
 *
 * Without a form of address before it, a single word is not a name if it is common or has an ending
 * of nouns in forms, and is in no list of names. Unknown lower-case words in a text with capitals
 * are not names either.
 */
export function namesOf(
  text: string,
  segment: TaggerSegment,
  found: Run,
  hasTitle: boolean,
): Run[] {
  if (!hasTitle && (isPlain(text, segment, found) || isInstitution(text, segment, found)))
    return [];
  const whole = joined(text, segment, found);
  if (!hasCapital(segment, whole)) return [whole];
  const runs = runsOf(text, segment, whole).map((run) =>
    hasTitle ? run : withoutOpening(text, segment, run),
  );
  return likelyOf(segment, runs).flatMap((run) => apart(text, segment, run));
}

/** Returns the runs that are names, if some of them clearly are or are in lists. */
function likelyOf(segment: TaggerSegment, runs: Run[]): Run[] {
  if (runs.length === 1) return runs;
  const evident = runs.filter((run) => some(segment, run, isOther));
  if (evident.length > 0) return evident;
  const listed = runs.filter((run) => some(segment, run, (mask) => (mask & named) !== 0));
  return listed.length > 0 ? listed : runs;
}

/** Whether a run has a capital letter, or its script has no case. */
function hasCapital({ shape }: TaggerSegment, { from, to }: Run): boolean {
  return shape
    .subarray(PAD + from, PAD + to)
    .some((own) => own >= shapes.upper && own <= shapes.lettersThenDigits);
}

/** Whether a run consists of words that do not occur in names. */
function isPlain(text: string, segment: TaggerSegment, { from, to }: Run): boolean {
  if (isWordOfList(text, segment, { from, to })) return true;
  const masks = Array.from(segment.gazetteer.subarray(PAD + from, PAD + to));
  const at = PAD + from;
  const isSmall = (token: number): boolean => segment.shape[PAD + token] === shapes.lower;
  const isUsual =
    masks.every((mask, token) => (mask & usual) !== 0 && isSmall(from + token)) &&
    hasCapitals(segment, from);
  if (masks.some((mask) => (mask & named) !== 0) && !isUsual) return false;
  if (to - from === 1 && !isOther(masks[0]!))
    return isSmall(from) || segment.shape[at] === shapes.title;
  if (to - from === 1 && segment.shape[at] === shapes.title && isNoun(wordsOf(text, segment, from)))
    return true;
  const isLabelled = text.charAt(segment.end[at - 1]! - 1) === ':';
  for (let token = from; token < to; token++) if (!isSmall(token)) return false;
  return !isLabelled && hasCapitals(segment, from);
}

/**
 * Whether the last part of a compound indicates that it is not a person: "Kaiser-Wilhelm-Platz".
 */
function isInstitution(text: string, segment: TaggerSegment, { from, to }: Run): boolean {
  const mask = segment.gazetteer[PAD + to - 1]!;
  for (let token = from + 1; token < to; token++) {
    if (segment.gap[PAD + token] !== gaps.none) return false;
  }
  return (
    to - from >= 3 &&
    isHyphenated(text, segment, to - 1) &&
    segment.length[PAD + to - 1]! > MIN_LETTERS &&
    (mask & (usual | bits.street | bits.organization)) !== 0 &&
    (mask & named) === 0
  );
}

/**
 * Whether a single word that is only in lists of surnames is one of the most common words of a
 * language, a month or day, or a German noun after its article: "Cada", "Januar", "der Brenner".
 */
function isWordOfList(text: string, segment: TaggerSegment, { from, to }: Run): boolean {
  const word = wordsOf(text, segment, to - 1);
  const mask = segment.gazetteer[PAD + to - 1]!;
  const isFirst = (mask & bits.first) !== 0;
  const before = wordsOf(text, segment, to - 2);
  if (to - from === 2 && englishArticle.test(before)) return true;
  if (to - from > 2 || isFirst) return false;
  if (to - from === 2 && !articles.test(before)) return false;
  if (segment.shape[PAD + to - 1] !== shapes.title) return false;
  if (articles.test(before) && !/^(?:von|van)$/i.test(wordsOf(text, segment, to - 3))) return true;
  return to - from === 1 && ((mask & bits.calendar) !== 0 || isFrequentWord(word.toLowerCase()));
}

const articles =
  /^(?:der|die|das|den|dem|des|im|vom|zum|zur|beim|ins|(?:k?ein|mein|dein|sein|ihr|unser|eu(?:e?r)|dies|jed|jen|welch)(?:e|en|em|er|es|s)?)$/i;

/**
 * The English article, before a noun ("The Hudson") or before a name used as a noun ("the Hudson
 * file").
 */
const englishArticle = /^(?:the|an?)$/i;

/** Returns the word of a token; empty outside the segment. */
const wordsOf = (text: string, segment: TaggerSegment, token: number): string =>
  token < 0 || token >= segment.count
    ? ''
    : text.slice(segment.start[PAD + token], segment.end[PAD + token]);

/**
 * Whether the paragraph of a token has capitalised words. Only a limited number of words is read.
 */
function hasCapitals({ count, gap, shape }: TaggerSegment, token: number): boolean {
  const isTitle = (at: number): boolean => shape[PAD + at] === shapes.title;
  for (let at = token; at >= 0 && at > token - PARAGRAPH; at--) {
    if (isTitle(at)) return true;
    if (gap[PAD + at]! >= gaps.blankLine) break;
  }
  for (let at = token + 1; at < count && at < token + PARAGRAPH; at++) {
    if (gap[PAD + at]! >= gaps.blankLine) break;
    if (isTitle(at)) return true;
  }
  return false;
}

/**
 * Extends a finding to words that belong to it: `Hyun` to `Hyun-woo`, `Veldt` to `van der Veldt`.
 */
function joined(text: string, segment: TaggerSegment, { from, to }: Run): Run {
  const isJoined = (at: number): boolean =>
    segment.gap[PAD + at] === gaps.none && segment.gap[PAD + at + 1] === gaps.none;
  const isHyphen = (at: number): boolean =>
    text.charAt(segment.start[PAD + at]!) === '-' && isJoined(at);
  const run = { from, to };
  while (run.to + 1 < segment.count && isHyphen(run.to) && isWord(segment, run.to + 1)) run.to += 2;
  while (run.from > 1 && isHyphen(run.from - 1) && isWord(segment, run.from - 2)) run.from -= 2;
  // `St. Clair`, `van ’t Hof` and `in 't Veld`, after the finding.
  const rest = behind.exec(
    text.slice(segment.end[PAD + run.to - 1], segment.end[PAD + run.to - 1]! + 40),
  );
  const stop = rest ? segment.end[PAD + run.to - 1]! + rest[0].length : 0;
  while (run.to < segment.count && segment.end[PAD + run.to]! <= stop) run.to += 1;
  // `van der`, before a name that was found without it.
  const [first, second] = [run.from - 2, run.from - 1].map((at) => wordAt(text, segment, at));
  if (/^(?:van|von)$/i.test(first!) && /^(?:der|den|de|dem|het|'t)$/.test(second!)) run.from -= 2;
  return run;
}

const behind = /^ (?:St\.? |(?:(?:van|in|op|aan) )?['’][ts] )\p{Lu}[\p{L}-]+/u;

const wordAt = (text: string, segment: TaggerSegment, token: number): string =>
  token < 0 || segment.gap[PAD + token + 1] !== gaps.space
    ? ''
    : text.slice(segment.start[PAD + token], segment.end[PAD + token]);

const isWord = ({ shape }: TaggerSegment, token: number): boolean => {
  const own = shape[PAD + token]!;
  return own >= shapes.lower && own <= shapes.uncased;
};

/**
 * Returns a run without a first word that opens a sentence or names a role: "Wczoraj Kinga",
 * "Kollegin Sperling".
 */
function withoutOpening(text: string, segment: TaggerSegment, run: Run): Run {
  const at = PAD + run.from;
  const mask = segment.gazetteer[at]!;
  const word = wordsOf(text, segment, run.from);
  const opens =
    segment.gap[at]! >= gaps.line ||
    /[.!?:;¿¡“«"]/.test(text.charAt(segment.end[PAD + run.from - 1]! - 1));
  const isOpening =
    opens &&
    segment.shape[at] === shapes.title &&
    ((mask & usual) !== 0 || isNoun(word)) &&
    (mask & named) === 0 &&
    !particle.test(word.toLowerCase());
  const rest = { from: run.from + 1, to: run.to };
  if (run.to === rest.from || segment.gap[at + 1] !== gaps.space) return run;
  const isArticle = article.test(word) && (segment.gazetteer[at + 1]! & bits.first) !== 0;
  return isArticle || role.test(word) || (isOpening && some(segment, rest, isOther)) ? rest : run;
}

/** "Of the", which also precedes first names: "do Duarte". */
const article = /^(?:d[aio]|d[ao]s|del|della|du|des)$/;

/** A role that is capitalised, as in German, and is not a surname. */
const role =
  /^(?:Kolleg(?:e|in)|Nachbar(?:in)?|Hebamme|Oma|Opa|Onkel|Tante|Cousine?|Stadtr(?:at|ätin)|Schülerin|Zeug(?:e|in)|Patient(?:in)?|Mieter(?:in)?|Trainer(?:in)?|Pfleger(?:in)?|Kund(?:e|in)|Klient(?:in)?|Fahrer(?:in)?|Bruder|Schwester|Sohn|Tochter|Vater|Mutter|Schwager|Schwägerin|Neffe|Nichte|Kläger(?:in)?|Gutachter(?:in)?|Antragsteller(?:in)?|Bewerber(?:in)?|Praktikant(?:in)?|Azubi|Lehrerin|Ärztin|Schiedsrichter(?:in)?|Torwart|Stürmer|Vorsitzender?|Collega|Buur(?:man|vrouw)|Getuige|Voisine?|Collègue|Compañer[oa]|Vecin[oa]|Vizinh[oa]|Sąsiad(?:ka)?|Kolega|Koleżanka|Świadek|Ciocia|Wujek|Babcia|Dziadek)$/;

const isOther = (mask: number): boolean => (mask & usual) === 0;

/** Whether a word of a run meets a condition, ignoring initials. */
function some(segment: TaggerSegment, { from, to }: Run, is: (mask: number) => boolean): boolean {
  for (let token = from; token < to; token++) {
    const at = PAD + token;
    if (isNameWord(segment, at) && segment.length[at]! > 1 && is(segment.gazetteer[at]!))
      return true;
  }
  return false;
}

/** Whether a word can be a name: it is capitalised, its script has no case, or it is in a list. */
function isNameWord({ shape, gazetteer, length }: TaggerSegment, at: number): boolean {
  const mask = gazetteer[at]!;
  const isCapital = shape[at]! >= shapes.upper && shape[at]! <= shapes.lettersThenDigits;
  return isCapital || (length[at]! >= MIN_LETTERS && (mask & named) !== 0 && isOther(mask));
}

/** Whether a hyphen joins a word to the previous word. */
function isHyphenated(text: string, segment: TaggerSegment, token: number): boolean {
  const at = PAD + token;
  return (
    isWord(segment, token) &&
    segment.gap[at] === gaps.none &&
    text.charAt(segment.start[at]! - 1) === '-'
  );
}

/** Returns the runs of such words, with the particles, initials and signs between them. */
function runsOf(text: string, segment: TaggerSegment, { from, to }: Run): Run[] {
  const runs: Run[] = [];
  let run: Run | null = null;
  let lead = from;
  let isLeading = true;
  for (let token = from; token < to; token++) {
    const at = PAD + token;
    const word = text.slice(segment.start[at], segment.end[at]);
    const isJoined = run !== null && isHyphenated(text, segment, token);
    if (isJoined || isNameWord(segment, at)) {
      const isNextLine = run !== null && segment.gap[at]! >= gaps.line;
      if (
        run &&
        isNextLine &&
        (isWhole(segment, run) || isBetweenEntries(segment, run.from, token))
      )
        run = null;
      if (!run) {
        run = { from: lead, to: token };
        runs.push(run);
      }
      run.to = token + 1;
    } else if (!particle.test(word) && !joints.has(segment.shape[at]!)) run = null;
    else if (run && word === '.' && segment.gap[at] === gaps.none) run.to = token + 1;
    // A particle is the start of a name only at the start of the finding.
    isLeading &&= runs.length === 0 && particle.test(word);
    lead = isLeading ? from : token + 1;
  }
  return runs;
}

/** Returns the names in a run, divided at commas that separate names. */
function apart(text: string, segment: TaggerSegment, run: Run): Run[] {
  const comma = commaOf(text, segment, run);
  if (comma < 0) return [run];
  const [one, rest] = partsAt(run, comma);
  return [one, ...apart(text, segment, rest)];
}

/** Whether a run has two or more words and is at the start of a line. */
function isWhole(segment: TaggerSegment, { from, to }: Run): boolean {
  return to - from > 1 && segment.gap[PAD + from]! >= gaps.line;
}
