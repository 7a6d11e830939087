import type { DocumentLabel } from '@scriptorium/contracts/documents/labels';
import type { ViewLine } from '@scriptorium/documents/classify/view';
import type { Random } from '../pii/random.ts';
import type { Filler } from './filler.ts';

type Line = { text: string; isHeading: boolean };

/** Lays out fragments as lines, with one style of columns, headings and fields per document. */
export function createLayout(
  random: Random,
  filler: Filler,
): (fragments: readonly string[]) => ViewLine[] {
  const columns = random.weighted<'\t' | ' ' | '\n'>([
    [5, '\t'],
    [4, ' '],
    [1, '\n'],
  ]);
  const formatHeading = random.weighted<(text: string) => string>([
    [5, (text) => text],
    [3, (text) => text.toUpperCase()],
    [1, (text) => text.toLowerCase()],
    [1, (text) => text.replace(/(?<=^|\s)\p{L}/gu, (letter) => letter.toUpperCase())],
  ]);
  const headingDropRate = random.chance(0.16) ? 1 : 0.04;
  const formatClause = random.weighted<(number: number, rest: string) => string>([
    [4, (number, rest) => `${number}. ${rest}`],
    [2, (number, rest) => `Article ${number} ${rest}`],
    [2, (number, rest) => `${number}.${random.int(1, 4)} ${rest}`],
    [1, (number, rest) => `§ ${number} ${rest}`],
    [1, (_, rest) => rest],
  ]);
  const blankValue = random.pick([
    '________________',
    '',
    '……………………',
    '.................',
    '__________',
  ]);
  const fillRate = random.pick([0, 0, 0.5, 1, 1]);
  const colon = random.pick([':', ':', '', ' :']);
  const newLineFields = random.chance(0.2);
  const width = random.chance(0.75) ? random.int(45, 100) : 2_000;
  const bullet = random.pick(['• ', '• ', '- ', '– ', '* ', '', '', '▪ ']);
  const rows = random.int(1, random.pick([3, 6, 16]));
  const hasSizes = random.chance(0.5);
  const baseSize = random.pick([8, 9, 10, 11, 12, 14]);
  const headingScale = random.pick([1, 1.2, 1.5, 2]);

  return (fragments) => {
    const lines: Line[] = [];
    let number = random.chance(0.7) ? 0 : random.int(2, 12);
    const field = (label: string, slot: string | undefined) => {
      const value = slot && random.chance(fillRate) ? `{${slot}}` : blankValue;
      return newLineFields ? `${label}${colon}⏎${value}` : `${label}${colon} ${value}`;
    };
    for (const fragment of fragments) {
      for (const part of fragment.split('⏎')) {
        if (part.startsWith('~')) {
          lines.push({ text: part.slice(1), isHeading: false });
          continue;
        }
        const heading = part.startsWith('!');
        if (heading && random.chance(headingDropRate)) continue;
        const times = part.startsWith('*') ? rows : 1;
        for (let time = 0; time < times; time++) {
          const template = part
            .replace(/^[!*¡]/, '')
            .replace(/^(?:• |- |– )/, bullet)
            .replace(/^#(.*)/, (_, rest: string) => formatClause(++number, rest))
            .replace(/^§§(.*)/, (_, rest: string) => `§ ${++number} ${rest}`)
            .replace(/^¶(.*)/, (_, rest: string) => formatClause(++number, rest))
            .replace(/^@([^|]*)\|?(.*)$/, (_, label: string, slot: string) =>
              field(label, slot || undefined),
            );
          for (const text of filler.fill(template).split('⏎')) {
            for (const cell of columns === '\n'
              ? text.split('→')
              : [text.replaceAll('→', columns)]) {
              lines.push({ text: heading ? formatHeading(cell) : cell, isHeading: heading });
            }
          }
        }
      }
    }
    return lines
      .flatMap(({ text, isHeading: heading }) =>
        wrap(text, width).map((line) => ({ text: line, heading })),
      )
      .map(({ text, heading }) => ({
        text: text.trim(),
        size: hasSizes ? baseSize * (heading ? headingScale : 1) * (0.95 + random.next() / 10) : 0,
      }))
      .filter(({ text }) => text !== '');
  };
}

function wrap(text: string, width: number): string[] {
  if (text.length <= width || text.includes('\t')) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

const confusions: Record<string, string> = {
  l: '1',
  '1': 'l',
  O: '0',
  '0': 'O',
  e: 'c',
  c: 'e',
  S: '5',
  '5': 'S',
  B: '8',
  i: 'l',
  I: 'l',
  m: 'rn',
  n: 'ri',
  a: 'o',
  h: 'b',
  '.': ',',
  ',': '.',
  ':': ';',
  t: 'f',
  u: 'v',
  '€': 'E',
};

/** Simulates OCR on some pages: wrong letters, lost lines, joined words, and pages cut off. */
export function addOcrErrors(random: Random, lines: readonly ViewLine[]): ViewLine[] {
  let readLines = [...lines];
  if (readLines.length > 8 && random.chance(0.12)) {
    const start = random.int(0, readLines.length >> 1);
    readLines = readLines.slice(start, start + random.int(5, readLines.length));
  }
  if (!random.chance(0.3)) return readLines;
  const rate = random.pick([0.005, 0.02, 0.05]);
  return readLines
    .filter(() => !random.chance(rate))
    .map(({ text, size }) => ({
      text: Array.from(text, (sign) => {
        if (random.chance(rate / 4)) return sign === ' ' ? '' : `${sign} `;
        return random.chance(rate) ? (confusions[sign] ?? sign) : sign;
      }).join(''),
      size,
    }));
}

/** The page shape: often unknown or portrait, otherwise typical of the kind. */
export function shapeFor(
  random: Random,
  label: DocumentLabel,
  lines: number,
): { widthPt: number; heightPt: number } {
  const paperSize = random.pick([
    [595, 842],
    [595, 842],
    [612, 792],
  ] as const);
  const portrait = { widthPt: paperSize[0], heightPt: paperSize[1] };
  if (random.chance(0.3)) return { widthPt: 0, heightPt: 0 };
  if (random.chance(0.3)) return portrait;
  const scale = random.pick([1, 1, 2, 4]);
  if (label === 'receipt') {
    return { widthPt: 220 * scale, heightPt: (160 + lines * random.int(10, 16)) * scale };
  }
  if (label === 'identity_document') {
    const [width, height] = random.pick([
      [243, 153],
      [354, 249],
      [595, 842],
    ] as const);
    return { widthPt: width * scale, heightPt: height * scale };
  }
  if (label === 'presentation') {
    const [width, height] = random.pick([
      [960, 540],
      [960, 540],
      [720, 540],
      [842, 595],
      [1920, 1080],
    ] as const);
    return { widthPt: width, heightPt: height };
  }
  if (label === 'other' && random.chance(0.25)) {
    const [width, height] = random.pick([
      [243, 153],
      [960, 540],
      [842, 595],
      [300, 800],
      [420, 595],
      [500, 500],
    ] as const);
    return { widthPt: width, heightPt: height };
  }
  return portrait;
}
