import type { TextView } from '../view.ts';
import type { LabelEntry } from './entry.ts';
import type { Label } from './scan.ts';
import type { Token } from './tokens.ts';
import { isBusiness } from './words/business.ts';

/** The entry for numbers whose label is in no list: `Quokka-pass number`. */
export const unlistedEntry: LabelEntry = { type: 'PERSONAL_ID', form: 'number' };

/** Words for "number" at the end of a phrase, and compounds with these words. */
const finalNumberWords = new Set(
  'number|numbers|no|nr|nbr|num|nummer|nummern|nro|id|ids|ident|identifier|identifiers|kennung|kennziffer|numret|nummeret|numer|cislo|numero|n|ref'.split(
    '|',
  ),
);
const compoundEndings = ['nummer', 'nummern', 'numret', 'nummeret', 'kennziffer', 'number'];
/** Words for "number" at the start of a phrase: `numéro de …`. */
const initialNumberWords = new Set(
  'numero|numeros|numer|numeru|num|nr|n|no|numar|numarul|cislo|codigo|codice|kod|identifiant|identificador|identificativo|identyfikator'.split(
    '|',
  ),
);
/**
 * Whether a word for "number" is so short that it has other meanings unless a sign follows it:
 * `no.`, `n.º`, `N°`.
 */
const isShort = (word: string): boolean => word === 'no' || word === 'n' || word === 'num';
const numberSign = /^ ?(?:\.?[°º]|[.:#]|_o(?![\p{L}]))/u;

/** Words that only link the words of a phrase. */
const linking = new Set(
  'º|ª|de|du|des|di|del|della|dello|dell|da|do|dos|das|van|het|der|den|la|le|el|il|l|d|o|a|of|the|for|votre|vos|su|seu|sua|suo|your|my|our|his|her|their|i|e|et|y|para|por|pour|per|voor|do|na|w|ze|z'.split(
    '|',
  ),
);
const verbs = new Set(
  'is|are|was|were|be|been|has|have|had|ist|sind|war|lautet|wird|wurde|est|sont|es|son|era|e|sono|zijn|wordt|luidt|sao|foi|jest|to|byl|ar|er|can|will|may|must|should|and|or|und|oder|ou|not|nicht|pas|if|in|on|at|by|with|from|as|and|see|call|use|using|when|where|mit|von|bei|auf|aus|nach|siehe|zie|ver|voir|vedi|que|che|dat|die|that|which|wie|als|om|op|en|och|med|till|som|under|within|like|than|between|about|over|into|unter|uber|zwischen|sous|sur|avec|dans|sin|con|sotto|tra'.split(
    '|',
  ),
);

/** Text between the words of a phrase. */
const phraseGap = /^(?: ?[-_'’/] ?|\. ?-?| |)$/;
const maxWords = 4;

const isContent = ({ text }: Token): boolean =>
  text.length > 1 && !linking.has(text) && !verbs.has(text);

/** Returns the first part of a compound with a word for "number": `falkner` of `falknernummer`. */
function stemOf(word: string): string | undefined {
  const tail = compoundEndings.find((one) => word.length > one.length + 1 && word.endsWith(one));
  return tail && word.slice(0, -tail.length);
}

/** Whether a token is a word for "number" that follows its noun. */
export const isNumberWord = ({ text }: Token): boolean =>
  finalNumberWords.has(text) && !isShort(text);

/** Whether a token only links the words of a phrase. */
export const isLinking = ({ text }: Token): boolean => linking.has(text);

/** Returns the words before a token that belong to its phrase, the nearest first. */
function wordsBefore(
  view: TextView,
  tokens: readonly Token[],
  at: number,
  minStart: number,
): Token[] {
  const words: Token[] = [];
  for (let back = at - 1; back >= 0 && words.length < maxWords; back -= 1) {
    const word = tokens[back]!;
    const between = view.text.slice(word.end, tokens[back + 1]!.start);
    if (word.start < minStart || !phraseGap.test(between) || !isContent(word)) break;
    words.push(word);
  }
  return words;
}

/** Returns the words after a token, up to the position of a value. */
function wordsAfter(view: TextView, tokens: readonly Token[], at: number): Token[] {
  const words: Token[] = [];
  let end = tokens[at]!.end;
  end += numberSign.exec(view.text.slice(end, end + 4))?.[0].length ?? 0;
  for (let next = at + 1; next < tokens.length && words.length <= 2 * maxWords; next += 1) {
    const word = tokens[next]!;
    if (word.start < end) continue;
    if (!phraseGap.test(view.text.slice(end, word.start))) break;
    if (verbs.has(word.text)) break;
    // Capitals before a digit are the start of the number.
    const after = view.text.slice(word.end, word.end + 2);
    const ownText = view.text.slice(word.start, word.end);
    if (/^[ /-]?\d/.test(after) && ownText === ownText.toUpperCase()) break;
    words.push(word);
    end = word.end;
  }
  return words;
}

/** The end of a label, or a sign that only a value follows. */
const labelEnd =
  /^(?: ?[:=]|["'”]? ?:|[ .:*_)]*(?:$|\n|\t| {2}| ?[|│┃║;])|\.{2,}|_{2,}| ?(?:->|=>|→|»|›|>|<\/)| -{1,3} )/;
/** Words that may continue a label without a word for "number": `targa del veicolo`. */
const genitive = /^[ _]?(?:de|du|des|di|del|della|dell|da|do|van|der|of)(?![\p{L}])/u;
const maxExtraWords = 4;

/** Returns the end of a label that continues with a few more words: `numer VIN pojazdu:`. */
export function extendedEnd(
  view: TextView,
  tokens: readonly Token[],
  from: number,
  { end, numbered, meanings }: Label,
): number {
  if (labelEnd.test(view.text.slice(end, end + 4))) return end;
  const isPlate = meanings.some(
    ({ entry }) => entry.form === 'plate' || entry.otherNumbers !== undefined,
  );
  if (!numbered && !isPlate && !genitive.test(view.lower.slice(end, end + 8))) return end;
  let at = end;
  let next = from + 1;
  while (next < tokens.length && tokens[next]!.start < end) next += 1;
  for (let words = 0; words < maxExtraWords && next < tokens.length; next += 1) {
    const word = tokens[next]!;
    if (!phraseGap.test(view.text.slice(at, word.start)) || verbs.has(word.text)) return end;
    if (!linking.has(word.text)) words += 1;
    if (isBusiness(word.text) && !linking.has(word.text)) return end;
    at = word.end;
    if (labelEnd.test(view.text.slice(at, at + 4))) return at;
  }
  return end;
}

/**
 * Whether one of the words names a thing of business, whose numbers do not identify a person.
 */
const areOfBusiness = (words: readonly Token[]): boolean =>
  words.some(({ text }) => isBusiness(text));

/**
 * Returns the label that a word for "number" forms with the words before or after it, if they are
 * not a listed label. Any phrase may be a label, except phrases about business.
 * @param minStart the end of the previous label
 */
export function unlistedLabel(
  view: TextView,
  tokens: readonly Token[],
  at: number,
  minStart: number,
): Label | null {
  const token = tokens[at]!;
  const stem = stemOf(token.text);
  const isFirst = initialNumberWords.has(token.text);
  if (!stem && !isFirst && !finalNumberWords.has(token.text)) return null;
  const numberMark = numberSign.exec(view.text.slice(token.end, token.end + 4))?.[0];
  if (isShort(token.text) && !numberMark) return null;
  if (token.text === 'ref' && !numberMark && view.text[token.end] !== ' ') return null;
  const labelAt = (start: number, end: number): Label => ({
    start,
    end,
    meanings: [{ entry: unlistedEntry, strength: 'owner', acronym: false }],
    numbered: true,
    misread: false,
  });
  if (stem) return isBusiness(stem) ? null : labelAt(token.start, token.end);
  const before = wordsBefore(view, tokens, at, minStart);
  const end = token.end + (/[.#°º]$/.test(numberMark ?? '') ? numberMark!.length : 0);
  if (before.length > 0 && finalNumberWords.has(token.text)) {
    return areOfBusiness(before) ? null : labelAt(before.at(-1)!.start, end);
  }
  if (!isFirst) return null;
  const after = wordsAfter(view, tokens, at);
  while (after.length > 0 && linking.has(after.at(-1)!.text)) after.pop();
  const content = after.filter(isContent);
  if (content.length === 0 || content.length > maxWords || areOfBusiness(content)) return null;
  return labelAt(token.start, after.at(-1)!.end);
}
