import type { EntityType } from '@scriptorium/contracts/documents/entities';
import { oncePerView, type TextView } from '../view.ts';
import type { LabelEntry } from './entry.ts';
import { textAt } from './layout.ts';
import {
  correctDigits,
  isMisspelt,
  misreadFinder,
  misspeltFinder,
  stemsOf,
} from './similar-words.ts';
import { type Token, tokensOf, tokensOfPhrase } from './tokens.ts';
import { extendedEnd, isLinking, isNumberWord, unlistedLabel } from './unlisted-labels.ts';
import { accountLabels } from './words/accounts.ts';
import { holderLabels } from './words/holders.ts';
import { doubtfulLabel, identityLabels } from './words/identity.ts';
import { peopleLabels } from './words/people.ts';
import { registerLabels } from './words/registers.ts';
import { specialLabels } from './words/special.ts';
import { thingLabels } from './words/things.ts';

/** All labels. */
export const labelEntries: readonly LabelEntry[] = [
  ...identityLabels,
  ...accountLabels,
  ...thingLabels,
  ...holderLabels,
  ...peopleLabels,
  ...registerLabels,
  ...specialLabels,
];

type Strength = 'name' | 'thing' | 'owner' | 'weak';

/** A label in a text. */
export interface Label {
  start: number;
  /** The end of the label, including its word for "number". */
  end: number;
  /** The kinds of values that the label may refer to. */
  meanings: readonly Meaning[];
  /** Whether the label has a word or sign for "number". */
  numbered: boolean;
  /** Whether one of its letters was misread. */
  misread: boolean;
}

export interface Meaning {
  entry: LabelEntry;
  strength: Strength;
  /** Whether the phrase must be in capitals, because it may be a common word in lower case. */
  acronym: boolean;
}

interface TrieNode {
  next: Map<string, TrieNode>;
  meanings: Meaning[];
}

const createNode = (): TrieNode => ({ next: new Map(), meanings: [] });

function addPhrase(root: TrieNode, tokens: readonly string[], meaning: Meaning): void {
  let node = root;
  for (const token of tokens) {
    const next = node.next.get(token) ?? createNode();
    node.next.set(token, next);
    node = next;
  }
  const isKnown = node.meanings.some(
    ({ entry, acronym }) => entry === meaning.entry && acronym === meaning.acronym,
  );
  if (!isKnown) node.meanings.push(meaning);
}

function compile(entries: readonly LabelEntry[]): TrieNode {
  const root = createNode();
  for (const entry of entries) {
    for (const [strength, words] of [
      ['name', entry.names],
      ['thing', entry.things],
      ['owner', entry.owners],
      ['weak', entry.weak],
    ] as const) {
      for (const phrase of Object.values(words ?? {}).flatMap((list) => list.split('|'))) {
        const acronym = /^[A-Z ]{1,5}$/.test(phrase);
        const tokens = tokensOfPhrase(phrase);
        for (const part of tokens) vocabulary.add(part);
        addPhrase(root, tokens, { entry, strength, acronym });
        // Acronyms are also written with full stops: `N.I.F.`
        const isShort = strength === 'name' && /^\p{L}{3,4}$/u.test(phrase);
        if ((acronym || isShort) && tokens.length === 1)
          addPhrase(root, [...phrase.toLowerCase()], { entry, strength, acronym });
      }
    }
  }
  return root;
}

/** Returns the one-word labels that name the kind of a number, in lower case. */
export function labelWords(): ReadonlySet<string> {
  oneWordLabels ??= new Set(
    labelEntries
      .flatMap(({ names, things }) => [names, things])
      .flatMap((words) => Object.values(words ?? {}))
      .flatMap((list) => list.toLowerCase().split('|'))
      .filter((phrase) => /^\p{L}{3,}$/u.test(phrase)),
  );
  return oneWordLabels;
}
let oneWordLabels: ReadonlySet<string> | undefined;

let trie: TrieNode | undefined;
const numberWords = ['number', 'numbers', 'nummer', 'nummern', 'numero', 'numeru'];
/** All words of labels. */
const vocabulary = new Set(numberWords);

const wordGap = /^(?:[ .'’/_()-]{0,2}|['’] | ?[/(-]? ?\n ?)$/;
/** Compounds that end in a word for "number". */
const compound =
  /^(.{2,}?)s?(?:nummern?|nummers|numbers?|numret|nummeret|numer|numeroa?|numeron|numara(?:si)?|szam[ao]?t?|nro|azonosito(?:ja)?|number|num|nr|no|id|ids)$/;
const numberWord =
  /^(?:[ ._-]{0,2}|[ -]?\n ?)(?:n\.?[°º]|c\.|(?:nos?|nrs?|nro|nbr|num|n_o|numbers?|nummern?|nummers|numret|nummeret|numer[ouy]?|numeros?|numerot?|numeri|numeru|numar(?:ul)?|numere|numara(?:s[iı]|lar[iı])?|cisl[oa]|szam(?:a|ai|ok)?|azonosito(?:ja)?|n|ids?|codes?|kode?|kodu?|kodi|codigos?|codic[ei]|cod|ref|reference|tunnus|kennung|αριθμο[ςσι]|αρ|номера?|код|號碼|号码|号|番号|번호)(?![\p{L}\d]|-\d)\.?|[#№]|[°º]\.?)/u;
const numberWordBefore =
  /(?<!\p{L})(?:c(?=\.)|numeros?|numer[yi]?|numar(?:ul)?|num|nos?|nrs?|n|cisl[oa]|codigos?|codic[ei]|cod|αριθμο[ςσι]|αρ|номера?|код|№)[.°º]{0,2}[\s_]?(?:(?:de|du|di|del|della|dello|da|do|van|het|der|des|la|le|el|il|your|votre|su|suo|sua|seu)[\s_]|(?:dell|d|l)['’] ?){0,3}$|(?<!\p{L})(?:numero|numer)(?:de|di|del|da|do|du)?$/u;

/** Maximum number of tokens in a phrase. A Chinese character is a token. */
const maxTokens = 10;

interface Step {
  node: TrieNode;
  last: Token;
  numbered: boolean;
  misread: boolean;
}

/** Returns the child node for a word or one of its base forms. */
function childFor({ next }: TrieNode, word: string): TrieNode | undefined {
  const exact = next.get(word);
  if (exact) return exact;
  for (const stem of stemsOf(word)) {
    const node = next.get(stem);
    if (node) return node;
  }
  return undefined;
}

/** Returns the child node for a compound with a word for "number": `Kundennummer`. */
function numberCompound({ next }: TrieNode, word: string): TrieNode | undefined {
  const stem = compound.exec(word)?.[1];
  if (!stem) return undefined;
  const child =
    next.get(stem) ??
    (stem.length > 3 ? next.get(`${stem}s`) : undefined) ??
    childFor({ next, meanings: [] }, stem);
  return child && child.meanings.length > 0 ? child : undefined;
}

/** Follows a phrase by one word, or by two words that are written as one: `IdNr`. */
function advance(node: TrieNode, tokens: readonly Token[], at: number, text: string): Step | null {
  const token = tokens[at]!;
  const second = tokens[at + 1];
  const stepTo = (next: TrieNode, last = token, isNumbered = false, misread = false): Step => {
    return { node: next, last, numbered: isNumbered, misread };
  };
  const joined = second?.start === token.end ? node.next.get(token.text + second.text) : undefined;
  if (joined) return stepTo(joined, second);
  const exact = node.next.get(token.text);
  if (exact) return stepTo(exact, token, compound.test(token.text));
  const compoundNode = numberCompound(node, token.text);
  if (compoundNode) return stepTo(compoundNode, token, true);
  const inflected = childFor(node, token.text);
  if (inflected) return stepTo(inflected);
  // The first part of a compound: `Sozialversicherungs-Nr.`
  const firstPart =
    text[token.end] === '-' ? node.next.get(token.text.replace(/s$/, '')) : undefined;
  if (firstPart) return stepTo(firstPart);
  if (node === trie && !canBeMisread(text, token.start)) return null;
  for (const word of correctionsOf(token.text)) {
    const likely = node.next.get(word) ?? numberCompound(node, word);
    if (likely) return stepTo(likely, token, !node.next.has(word), true);
  }
  return null;
}

/**
 * Whether a label at this position may have misread words: only at the start of a line, a cell or a
 * part of a sentence.
 */
const canBeMisread = (text: string, start: number): boolean =>
  start === 0 ||
  /^\p{L}+[0156|]/u.test(text.slice(start, start + 24)) ||
  /[\n\t|:;,.*(>"] ?$| {2}$/.test(text.slice(Math.max(0, start - 2), start));

let corrector: ((read: string) => string[]) | undefined;
/** The corrections of recent words, because texts repeat words. */
const corrections = new Map<string, string[]>();
const maxCorrections = 10_000;

/** Returns the words that may have been misread or misspelt as a given word. */
function correctionsOf(word: string): string[] {
  let words = corrections.get(word);
  if (!words) {
    if (corrections.size >= maxCorrections) corrections.clear();
    words = findCorrections(word);
    corrections.set(word, words);
  }
  return words;
}

function findCorrections(word: string): string[] {
  if (!corrector) {
    const [misread, misspelt] = [misreadFinder(vocabulary), misspeltFinder(vocabulary)];
    corrector = (read) => {
      const misreadWords = misread(read);
      return misreadWords.length > 0 ? misreadWords : misspelt(read);
    };
  }
  // A line before a word is read as a first letter.
  if (/^[il]/.test(word) && word.length > 4 && vocabulary.has(word.slice(1)))
    return [word.slice(1)];
  const likely = correctDigits(word);
  if (likely !== word) return [likely, ...corrector(word)];
  if (word.length < 5) return [];
  const wholeWord = corrector(word);
  if (wholeWord.length > 0) return wholeWord;
  // Corrects either part of a compound.
  for (const length of [6, 5, 7]) {
    const [head, tail] = [word.slice(0, -length), word.slice(-length)];
    if (head.length < 3 || (tail !== 'nummer' && !isMisspelt(tail, 'nummer'))) continue;
    if (tail !== 'nummer') return [`${head}nummer`];
    return corrector(head).map((first) => first + tail);
  }
  const [head, tail] = [word.slice(0, -6), word.slice(-6)];
  return head.length > 2 && corrector(tail)[0] === 'nummer' ? [`${head}nummer`] : [];
}

/** Returns the longest label that starts with a token. */
function longestLabelAt(view: TextView, tokens: readonly Token[], from: number): Label | null {
  trie ??= compile(labelEntries);
  let node = trie;
  let label: Label | null = null;
  let misread = false;
  const { start } = tokens[from]!;
  let at = from;
  while (at < tokens.length && at < from + maxTokens) {
    const gap = at > from ? view.text.slice(tokens[at - 1]!.end, tokens[at]!.start) : '';
    if (!wordGap.test(gap) || (gap.includes('\n') && !breaksInsideLabel(view, tokens, from, at)))
      break;
    const next = advance(node, tokens, at, view.text);
    if (!next) break;
    node = next.node;
    misread ||= next.misread;
    const { end } = next.last;
    const text = view.text.slice(start, end);
    const isCapital = text === text.toUpperCase();
    const meanings = node.meanings.filter(({ acronym }) => !acronym || isCapital);
    if (meanings.length > 0) label = { start, end, meanings, numbered: next.numbered, misread };
    if (next.numbered) break;
    at = tokens[at] === next.last ? at + 1 : at + 2;
  }
  return label;
}

/** Whether a line ends inside a label, and not between two labels. */
function breaksInsideLabel(
  view: TextView,
  tokens: readonly Token[],
  from: number,
  at: number,
): boolean {
  const { start } = tokens[from]!;
  const next = view.text[tokens[at]!.start] ?? '';
  return (
    next === next.toLowerCase() ||
    !/(?:^|\n)[ \t]*$/.test(view.text.slice(Math.max(0, start - 8), start))
  );
}

/** Returns all labels of a view, in order. */
export const labelsIn: (view: TextView) => readonly Label[] = oncePerView(findLabels);

/** Returns the types for which a view has labels. */
export const typesNamedIn: (view: TextView) => ReadonlySet<EntityType> = oncePerView((view) => {
  const meanings = labelsIn(view)
    // Two letters have too many meanings.
    .filter(({ start, end }) => end - start > 2)
    .flatMap((label) => label.meanings);
  return new Set(meanings.map(({ entry }) => entry.type));
});

function findLabels(view: TextView): Label[] {
  const tokens = tokensOf(view);
  const labels: Label[] = [];
  let minStart = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]!.start < minStart) continue;
    const listed = longestLabelAt(view, tokens, at);
    if (listed) includeNumberWords(view, listed, tokens, at);
    const isSpecific =
      listed?.numbered ||
      // Words for any document are less specific than the words before them: `Quokka-ID`.
      listed?.meanings.some(
        ({ strength, entry }) =>
          strength !== 'owner' && entry.form !== 'document' && entry !== doubtfulLabel,
      );
    const label = isSpecific ? listed : (unlistedAt(view, tokens, at, minStart) ?? listed);
    if (!label) continue;
    minStart = label.end;
    labels.push(label);
  }
  return labels;
}

/** Returns a label that is in no list, unless a listed label is part of it. */
function unlistedAt(
  view: TextView,
  tokens: readonly Token[],
  from: number,
  minStart: number,
): Label | null {
  const label = unlistedLabel(view, tokens, from, minStart);
  if (!label || label.start < tokens[from]!.start) return label;
  // A listed label that starts at the next word takes precedence.
  let at = from + 1;
  while (at < tokens.length && isLinking(tokens[at]!)) at += 1;
  const isListed =
    at < tokens.length && tokens[at]!.start < label.end && longestLabelAt(view, tokens, at);
  return isListed ? null : label;
}

/**
 * Extends a label to words for "number" before or after it: `passport no.`, `numéro de passeport`.
 */
function includeNumberWords(
  view: TextView,
  label: Label,
  tokens: readonly Token[],
  from: number,
): void {
  for (let round = 0; round < 3; round += 1) {
    const word = textAt(view.lower, label.end, numberWord);
    if (!word) break;
    label.end += word.length;
    label.numbered = true;
  }
  const next = tokens.slice(from + 1, from + maxTokens).find(({ start }) => start >= label.end);
  if (!label.numbered && next && /^[ -]$/.test(view.text.slice(label.end, next.start))) {
    const isNumber = correctionsOf(next.text).some((word) => numberWords.includes(word));
    if (isNumber) {
      label.end = next.end;
      label.numbered = true;
      label.misread = true;
    }
  }
  const joinedToken = tokens
    .slice(from + 1, from + maxTokens)
    .find(({ start }) => start === label.end);
  if (!label.numbered && joinedToken && isNumberWord(joinedToken)) {
    label.end = joinedToken.end;
    label.numbered = true;
  }
  const numberWordMatch = numberWordBefore.exec(
    view.lower.slice(Math.max(0, label.start - 28), label.start),
  );
  if (numberWordMatch) {
    label.numbered = true;
    label.start -= numberWordMatch[0].length;
  }
  const end = extendedEnd(view, tokens, from, label);
  if (end === label.end) return;
  // Headings of other columns may follow: `No. Participant Date of birth`.
  const isOther = (at: number): boolean =>
    longestLabelAt(view, tokens, at)?.meanings.some(({ entry }) => entry.form === 'date') ?? false;
  for (let at = from + 1; at < tokens.length && tokens[at]!.start < end; at += 1) {
    if (tokens[at]!.start >= label.end && isOther(at)) return;
  }
  label.end = end;
}
