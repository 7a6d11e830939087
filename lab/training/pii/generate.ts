import { Filler, type World } from './fill.ts';
import { impersonal, Pieces } from './impersonal/index.ts';
import { localDocument } from './languages/writer.ts';
import { mentioning } from './mentions.ts';
import type { Random } from './random.ts';
import { everyday } from './templates/everyday.ts';
import { foreign, foreignMixed } from './templates/foreign.ts';
import { forms } from './templates/forms.ts';
import { letters } from './templates/letters.ts';
import { mixed } from './templates/mixed.ts';
import { plain } from './templates/plain.ts';
import { prose } from './templates/prose.ts';
import { reports } from './templates/reports.ts';
import { Text } from './text.ts';

function list(text: string): string[] {
  return text.trim().split('\n');
}

export interface Templates {
  forms: string[];
  letters: string[];
  reports: string[];
  plain: string[];
  mixed: string[];
  comments: string[];
  foreign: string[];
  everyday: string[];
}

export const allTemplates: Templates = {
  forms: list(forms),
  letters: list(letters),
  reports: list(reports),
  plain: [...list(plain), ...list(prose)],
  mixed: list(mixed),
  comments: ['{comment}'],
  foreign: [...list(foreign), ...list(foreignMixed)],
  everyday: list(everyday),
};

/** The share of documents in languages other than English. */
const LOCAL = 0.35;

/** The share of prose without names into which a mention is inserted, and its kind. */
const MENTIONED = 0.3;
const mentioned = [
  '{P}',
  '{P}',
  '{P}',
  '{TP}',
  '{F}',
  '{F}',
  '{L}',
  '{T} {L}',
  '{J} {P}',
  '{C}',
  '{O}',
];

/** Generates a document: several filled templates in a row. */
export function document(random: Random, world: World, templates: Templates): Text {
  if (random.chance(LOCAL)) return spoil(random, localDocument(random, world));
  const filler = new Filler(random, world);
  const parts = random.weighted([
    [50, 1],
    [20, 2],
    [15, 3],
    [15, random.int(4, 8)],
  ]);
  const text = new Text();
  const kind = random.weighted<keyof Templates | 'impersonal'>([
    [30, 'forms'],
    [20, 'letters'],
    [22, 'mixed'],
    [10, 'comments'],
    [9, 'foreign'],
    [16, 'reports'],
    [20, 'plain'],
    [26, 'everyday'],
    [46, 'impersonal'],
  ]);
  const pieces = new Pieces(random, world);
  for (let part = 0; part < parts; part++) {
    const from = random.chance(0.7)
      ? kind
      : random.pick([
          'forms',
          'letters',
          'reports',
          'plain',
          'mixed',
          'comments',
          'foreign',
          'everyday',
          'impersonal',
        ] as const);
    const made =
      from === 'impersonal'
        ? new Text().add(impersonal(pieces))
        : filler.fill(random.pick(templates[from])).joinParts();
    const piece =
      from === 'comments' && random.chance(MENTIONED)
        ? mentioning(random, made, () => filler.fill(random.pick(mentioned)).joinParts())
        : made;
    if (part > 0) {
      const sentence = /[.!?]$/.test(text.last());
      text.add(
        sentence
          ? random.pick([' ', ' ', ' ', '\n', '\n\n'])
          : random.pick(['\n', '\n', '\n\n', '. ', '; ']),
      );
    }
    text.append(piece);
  }
  return spoil(random, text);
}

/** Variations of a text: upper or lower case, other quotation marks, line prefixes. */
function spoil(random: Random, text: Text): Text {
  const roll = random.next();
  if (roll < 0.05) return text.recase((letter) => letter.toUpperCase());
  if (roll < 0.1) return text.recase((letter) => letter.toLowerCase());
  if (roll < 0.13) {
    const mark = random.pick([
      '> ',
      '| ',
      '* ',
      '  ',
      '\t',
      '# ',
      `${random.pick([...'?!*-=+~.:']).repeat(random.int(1, 3))} `,
    ]);
    return prefixed(text, mark);
  }
  if (roll < 0.16) return littered(random, text);
  if (roll < 0.2) return misread(random, text);
  if (roll < 0.34) return wrapped(random, text);
  if (roll < 0.36)
    return new Text().add(random.pick(['"', '“', '(', '- ', '...', '>>'])).append(text);
  return text;
}

const litter = [
  '😀',
  '🙏',
  '✓',
  '☎',
  '•',
  '…',
  '�',
  'ï¿½',
  'â€™',
  'Ã',
  '★',
  '→',
  '§',
  '©',
  '??',
  '***',
  '<br>',
  '&nbsp;',
  '״',
  'ן',
];

/** Adds meaningless characters and encoding errors between words. */
function littered(random: Random, text: Text): Text {
  const out = new Text();
  let from = 0;
  for (const { type, start, end } of text.spans) {
    out.add(text.value.slice(from, start));
    if (random.chance(0.4)) out.add(`${random.pick(litter)} `);
    out.add(text.value.slice(start, end), type);
    if (random.chance(0.3)) out.add(` ${random.pick(litter)}`);
    from = end;
  }
  out.add(text.value.slice(from));
  if (random.chance(0.5)) out.add(` ${random.pick(litter)} ${random.pick(litter)}`);
  return out;
}

export const misreadings: Readonly<Record<string, readonly string[]>> = {
  m: ['rn', 'nn', 'm '],
  l: ['1', 'I', '|'],
  i: ['l', '1', 'í'],
  I: ['l', '1'],
  o: ['0', 'c'],
  O: ['0'],
  e: ['c', 'o'],
  c: ['e', 'o'],
  h: ['li', 'b'],
  n: ['ri', 'u'],
  u: ['ü', 'n', 'ii'],
  a: ['o', 'ä'],
  t: ['f', 'l'],
  S: ['5', '8'],
  B: ['8'],
  s: ['5', 'ſ'],
  w: ['vv'],
  g: ['q', '9'],
  '1': ['l', 'I'],
  '0': ['O', 'o'],
  '5': ['S'],
  '8': ['B'],
  ',': ['.', ' ,'],
  '.': [',', ' .'],
  ':': ['.', ' :', ';'],
  ' ': ['  ', ''],
};

/** Simulates OCR of a bad scan. */
function misread(random: Random, text: Text): Text {
  const share = random.pick([0.01, 0.03, 0.06]);
  const moved: number[] = [];
  let value = '';
  for (const letter of text.value.split('')) {
    moved.push(value.length);
    const others = misreadings[letter];
    if (others && random.chance(share)) value += random.pick(others);
    else value += letter + (/[a-z]/.test(letter) && random.chance(share / 8) ? ' ' : '');
  }
  moved.push(value.length);
  const out = new Text();
  out.value = value;
  out.spans = text.spans
    .map(({ type, start, end }) => ({ type, start: moved[start]!, end: moved[end]! }))
    .filter(({ start, end }) => end > start);
  return out;
}

/** Wraps lines at the width of a page, as in text extracted from documents. */
function wrapped(random: Random, text: Text): Text {
  const width = random.int(30, 95);
  let line = 0;
  let space = -1;
  const units = [...text.value.split('')];
  for (let at = 0; at < units.length; at++) {
    if (units[at] === '\n') {
      line = at + 1;
      space = -1;
    } else if (units[at] === ' ') space = at;
    if (at - line >= width && space > line) {
      units[space] = '\n';
      line = space + 1;
      space = -1;
    }
  }
  text.value = units.join('');
  return text;
}

/** Prefixes each line with `mark`; entities that span lines contain it. */
function prefixed(text: Text, mark: string): Text {
  const out = new Text();
  const before: number[] = [];
  let added = mark.length;
  for (let at = 0; at <= text.value.length; at++) {
    before.push(added);
    if (text.value[at] === '\n') added += mark.length;
  }
  out.value = mark + text.value.replaceAll('\n', `\n${mark}`);
  out.spans = text.spans.map(({ type, start, end }) => ({
    type,
    start: start + before[start]!,
    end: end + before[end]!,
  }));
  return out;
}
