import type { EntityType } from '../../../contracts/documents/entities.ts';
import type { TextView } from '../view.ts';
import type { LabelEntry } from './entry.ts';
import { textAt } from './layout.ts';
import { accountLabels } from './words/accounts.ts';
import { identityLabels } from './words/identity.ts';
import { peopleLabels } from './words/people.ts';
import { specialLabels } from './words/special.ts';

/** All labels. */
export const labelEntries: readonly LabelEntry[] = [
  ...identityLabels,
  ...accountLabels,
  ...peopleLabels,
  ...specialLabels,
];

type Strength = 'name' | 'thing' | 'weak';

/** A label in a text. */
export interface Label {
  start: number;
  /** Behind the label and its word for "number". */
  end: number;
  /** The kinds of values it may stand for. */
  meanings: readonly Meaning[];
  /** It has a word or sign for "number". */
  numbered: boolean;
}

export interface Meaning {
  entry: LabelEntry;
  strength: Strength;
  /** Written in capitals: in lower case it may be a common word. */
  acronym: boolean;
}

interface Node {
  next: Map<string, Node>;
  meanings: Meaning[];
}

const newNode = (): Node => ({ next: new Map(), meanings: [] });
const letters: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ß: 'ss',
};
const plain = (text: string): string =>
  text.replace(/[øæœłđß]/g, (letter) => letters[letter] ?? letter);
/** As `TextView.lower`, and without the letters that have no accent to take off. */
const folded = (text: string): string =>
  plain(text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase());

function add(root: Node, tokens: readonly string[], meaning: Meaning): void {
  let node = root;
  for (const token of tokens) {
    const next = node.next.get(token) ?? newNode();
    node.next.set(token, next);
    node = next;
  }
  const isKnown = node.meanings.some(
    ({ entry, acronym }) => entry === meaning.entry && acronym === meaning.acronym,
  );
  if (!isKnown) node.meanings.push(meaning);
}

function compile(entries: readonly LabelEntry[]): Node {
  const root = newNode();
  for (const entry of entries) {
    for (const [strength, words] of [
      ['name', entry.names],
      ['thing', entry.things],
      ['weak', entry.weak],
    ] as const) {
      for (const phrase of Object.values(words ?? {}).flatMap((list) => list.split('|'))) {
        const acronym = /^[A-Z ]{1,5}$/.test(phrase);
        const tokens = folded(phrase).split(' ');
        add(root, tokens, { entry, strength, acronym });
        // Acronyms are also written letter by letter: `N.I.F.`
        if (acronym && tokens.length === 1)
          add(root, [...phrase.toLowerCase()], { entry, strength, acronym });
      }
    }
  }
  return root;
}

let trie: Node | undefined;

/** Words, also of `passportNumber` and `TaxID`. */
const token = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}+/gu;
const between = /^(?:[ .'’/_()-]{0,2}|['’] )$/;
/** Compounds that end in a word for "number". */
const compound = /^(.{2,}?)s?(?:nummern?|numret|nummeret|numer|number|num|nr|no|id)$/;
const numberWord =
  /^[ ._-]{0,2}(?:n\.?[°º]|(?:no|nr|nro|nbr|num|numbers?|nummern?|numret|nummeret|numeros?|numeru?|numara(?:si)?|cislo|szama?|n|ids?|codes?|kode?|codigo|codice|cod|ref|reference|αριθμος|номер|號碼|号码)(?![\p{L}\d]|-\d)\.?|[#№]|[°º]\.?)/u;
const numberBefore =
  /(?<!\p{L})(?:numero|numer|num|no|nr|n|cislo|codigo|codice|αριθμος|номер)[.°º]{0,2} ?(?:(?:de|du|di|del|della|dello|da|do|van|het|der|des|la|le|el|il) |(?:dell|d|l)['’] ?){0,3}$/u;

interface Token {
  start: number;
  end: number;
  text: string;
}

/** The most tokens of a phrase. */
const mostTokens = 7;

/** Follows a phrase by a word, or by two that are written as one: `IdNr`. */
function step(node: Node, tokens: readonly Token[], at: number, text: string): Step | null {
  const one = tokens[at]!;
  const second = tokens[at + 1];
  const both = second?.start === one.end ? node.next.get(one.text + second.text) : undefined;
  if (both) return { node: both, last: second!, numbered: false };
  const next = node.next.get(one.text);
  if (next) return { node: next, last: one, numbered: false };
  const stem = compound.exec(one.text)?.[1];
  const known = stem && (node.next.get(stem) ?? node.next.get(`${stem}s`));
  if (known && known.meanings.length > 0) return { node: known, last: one, numbered: true };
  // The first part of a compound: `Sozialversicherungs-Nr.`
  const part = text[one.end] === '-' ? node.next.get(one.text.replace(/s$/, '')) : undefined;
  return part ? { node: part, last: one, numbered: false } : null;
}

interface Step {
  node: Node;
  last: Token;
  numbered: boolean;
}

/** The longest label that begins with a token. */
function longest(view: TextView, tokens: readonly Token[], from: number): Label | null {
  trie ??= compile(labelEntries);
  let node = trie;
  let found: Label | null = null;
  const { start } = tokens[from]!;
  let at = from;
  while (at < tokens.length && at < from + mostTokens) {
    const gap = at > from ? view.text.slice(tokens[at - 1]!.end, tokens[at]!.start) : '';
    if (!between.test(gap)) break;
    const next = step(node, tokens, at, view.text);
    if (!next) break;
    node = next.node;
    const { end } = next.last;
    const text = view.text.slice(start, end);
    const isCapital = text === text.toUpperCase();
    const meanings = node.meanings.filter(({ acronym }) => !acronym || isCapital);
    if (meanings.length > 0) found = { start, end, meanings, numbered: next.numbered };
    if (next.numbered) break;
    at = tokens[at] === next.last ? at + 1 : at + 2;
  }
  return found;
}

const known = new WeakMap<TextView, Label[]>();

/** All labels of a view, in order. */
export function labelsIn(view: TextView): readonly Label[] {
  let labels = known.get(view);
  if (!labels) {
    labels = search(view);
    known.set(view, labels);
  }
  return labels;
}

/** The types that a view has labels of. */
export function typesNamedIn(view: TextView): ReadonlySet<EntityType> {
  const meanings = labelsIn(view)
    // Two letters stand for too many things.
    .filter(({ start, end }) => end - start > 2)
    .flatMap((label) => label.meanings);
  return new Set(meanings.map(({ entry }) => entry.type));
}

function search(view: TextView): Label[] {
  const tokens: Token[] = [];
  for (const { index, 0: text } of view.text.matchAll(token)) {
    const end = index + text.length;
    tokens.push({ start: index, end, text: plain(view.lower.slice(index, end)) });
  }
  const labels: Label[] = [];
  let free = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]!.start < free) continue;
    const label = longest(view, tokens, at);
    if (!label) continue;
    // Words for "number" follow, or stand before: `passport no.`, `numéro de passeport`.
    for (let round = 0; round < 3; round += 1) {
      const word = textAt(view.lower, label.end, numberWord);
      if (!word) break;
      label.end += word.length;
      label.numbered = true;
    }
    const before = numberBefore.exec(view.lower.slice(Math.max(0, label.start - 24), label.start));
    if (before) {
      label.numbered = true;
      label.start -= before[0].length;
    }
    free = label.end;
    labels.push(label);
  }
  return labels;
}
