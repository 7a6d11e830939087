import { Filler, type World } from './fill.ts';
import type { Random } from './random.ts';
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
}

export const allTemplates: Templates = {
  forms: list(forms),
  letters: list(letters),
  reports: list(reports),
  plain: [...list(plain), ...list(prose)],
  mixed: list(mixed),
  comments: ['{comment}'],
  foreign: [...list(foreign), ...list(foreignMixed)],
};

/** One document: some templates filled, one after the other. */
export function document(random: Random, world: World, templates: Templates): Text {
  const filler = new Filler(random, world);
  const parts = random.weighted([
    [50, 1],
    [20, 2],
    [15, 3],
    [15, random.int(4, 8)],
  ]);
  const text = new Text();
  const kind = random.weighted<keyof Templates>([
    [30, 'forms'],
    [20, 'letters'],
    [22, 'mixed'],
    [9, 'comments'],
    [9, 'foreign'],
    [16, 'reports'],
    [22, 'plain'],
  ]);
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
        ] as const);
    const piece = filler.fill(random.pick(templates[from])).joinAddresses();
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

/** What happens to texts: capitals, no capitals, other quotation marks, marks before lines. */
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
  if (roll < 0.3) return wrapped(random, text);
  if (roll < 0.32)
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

/** The same with signs that say nothing, and with what is left of wrong encodings, between its words. */
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

/** The same with lines no longer than a page is wide, as text comes out of documents. */
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

/** The same with `mark` before each line; entities over several lines keep it inside. */
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
