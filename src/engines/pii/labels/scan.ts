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

function compile(entries: readonly LabelEntry[]): Node {
  const root = newNode();
  for (const entry of entries) {
    for (const [strength, words] of [
      ['name', entry.names],
      ['thing', entry.things],
      ['weak', entry.weak],
    ] as const) {
      for (const phrase of Object.values(words ?? {}).flatMap((list) => list.split('|'))) {
        let node = root;
        for (const token of folded(phrase).split(' ')) {
          const next = node.next.get(token) ?? newNode();
          node.next.set(token, next);
          node = next;
        }
        if (node.meanings.some((one) => one.entry === entry)) continue;
        const acronym = phrase === phrase.toUpperCase() && /^[A-Z ]{1,5}$/.test(phrase);
        node.meanings.push({ entry, strength, acronym });
      }
    }
  }
  return root;
}

let trie: Node | undefined;

/** Words, also of `passportNumber` and `TaxID`. */
const token = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}+/gu;
const between = /^(?:[ .'’/_-]{0,2}|['’] )$/;
/** Compounds that end in a word for "number". */
const compound = /^(.{2,}?)s?(?:nummern?|numret|nummeret|numer|number|num|nr|no|id)$/;
const numberWord =
  /^[ ._-]{0,2}(?:(?:no|nr|nro|nbr|num|numbers?|nummern?|numret|nummeret|numeros?|numeru?|numara(?:si)?|cislo|szama?|n|ids?|codes?|kode?|codigo|codice|cod|ref|reference|αριθμος|номер|號碼|号码)(?![\p{L}\d])\.?|[#№]|[°º]\.?)/u;
const numberBefore =
  /(?<!\p{L})(?:numero|numer|num|no|nr|n|cislo|codigo|codice|αριθμος|номер)[.°º]{0,2} ?(?:(?:de|du|di|del|della|dello|da|do|van|het|der|des|la|le|el|il) |(?:dell|d|l)['’] ?){0,3}$/u;

interface Token {
  start: number;
  end: number;
  text: string;
}

/** The most tokens of a phrase. */
const mostTokens = 7;

function step(node: Node, text: string): { node: Node; numbered: boolean } | null {
  const next = node.next.get(text);
  if (next) return { node: next, numbered: false };
  const stem = compound.exec(text)?.[1];
  const known = stem && (node.next.get(stem) ?? node.next.get(`${stem}s`));
  return known && known.meanings.length > 0 ? { node: known, numbered: true } : null;
}

/** The longest label that begins with a token. */
function longest(view: TextView, tokens: readonly Token[], from: number): Label | null {
  trie ??= compile(labelEntries);
  let node = trie;
  let found: Label | null = null;
  for (let at = from; at < tokens.length && at < from + mostTokens; at += 1) {
    const one = tokens[at]!;
    const before = tokens[at - 1];
    if (at > from && !between.test(view.text.slice(before?.end, one.start))) break;
    const next = step(node, one.text);
    if (!next) break;
    node = next.node;
    const { start } = tokens[from]!;
    const isAcronym = (): boolean => {
      const text = view.text.slice(start, one.end);
      return text === text.toUpperCase();
    };
    const meanings = node.meanings.filter(({ acronym }) => !acronym || isAcronym());
    if (meanings.length > 0) {
      found = { start, end: one.end, meanings, numbered: next.numbered };
    }
    if (next.numbered) break;
  }
  return found;
}

/** All labels of a view, in order. */
export function labelsIn(view: TextView): Label[] {
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
    label.numbered ||= numberBefore.test(
      view.lower.slice(Math.max(0, label.start - 24), label.start),
    );
    free = label.end;
    labels.push(label);
  }
  return labels;
}
