import {
  drawText,
  type Maker,
  sheet,
  type TextLine,
  textOfLine,
} from '../../../test/support/corpus/maker.ts';
import { ref, utf16 } from '../../../test/support/corpus/pdf-writer.ts';
import type { Trick } from '../trick.ts';
import { lowerHalf, paint } from './page.ts';

const { width, height, margin, size, leading } = sheet;
const y = lowerHalf;
const pageBox = `0 0 ${width} ${height}`;

/** The lines cut within their values: the part before the cut, and the part after it. */
function splitValues(
  lines: readonly TextLine[],
  widthOf: (text: string) => number,
): { first: string; rest: string; x: number; y: number }[] {
  return lines.map((line, row) => {
    const text = textOfLine(line);
    const before = text.indexOf(line.find(({ secret }) => secret)?.text ?? '');
    const length = line.find(({ secret }) => secret)?.text.length ?? 0;
    const cut = length > 0 ? before + Math.ceil(length / 2) : text.length;
    const first = text.slice(0, cut);
    return { first, rest: text.slice(cut), x: margin + widthOf(first), y: y - row * leading };
  });
}

/** The second half of each value in another part of the file. */
type PlaceRest = (
  maker: Maker,
  content: string,
  fonts: string,
) => { content: string; resources?: string; extra?: string; catalog?: string };

const placements: Record<string, PlaceRest> = {
  'a form': ({ writer }, content, fonts) => {
    const form = writer.stream(
      `/Type /XObject /Subtype /Form /BBox [${pageBox}] /Resources << ${fonts} >>`,
      content,
    );
    return { content: '/Fm1 Do\n', resources: `/XObject << /Fm1 ${ref(form)} >>` };
  },
  'an annotation': ({ writer }, content, fonts) => {
    const form = writer.stream(
      `/Type /XObject /Subtype /Form /BBox [${pageBox}] /Resources << ${fonts} >>`,
      content,
    );
    const stamp = writer.add(
      `<< /Type /Annot /Subtype /Stamp /F 4 /Rect [${pageBox}] /AP << /N ${ref(form)} >> >>`,
    );
    return { content: '', extra: `/Annots [${ref(stamp)}]` };
  },
  'a layer': ({ writer }, content) => {
    const group = ref(writer.add('<< /Type /OCG /Name (Layer) >>'));
    return {
      content: `/OC /On BDC\n${content}EMC\n`,
      resources: `/Properties << /On ${group} >>`,
      catalog: `/OCProperties << /OCGs [${group}] /D << /ON [${group}] >> >>`,
    };
  },
  'a pattern': ({ writer }, content, fonts) => {
    const pattern = writer.stream(
      `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [${pageBox}] /XStep ${width} /YStep ${height} /Resources << ${fonts} >>`,
      content,
    );
    return {
      content: `q /Pattern cs /P1 scn ${pageBox} re f Q\n`,
      resources: `/Pattern << /P1 ${ref(pattern)} >>`,
    };
  },
};

const splitTricks = Object.entries(placements).map(([where, place]) =>
  paint(`split over ${where}`, ({ maker, lines, font, fonts, honest: isHonest }) => {
    if (isHonest) return { content: drawText(lines, { font, y }) };
    const parts = splitValues(lines, (text) => font.width(text, size));
    const show = (text: string, x: number, at: number): string =>
      drawText([maker.plain(text)], { font, x, y: at });
    const first = parts.map((part) => show(part.first, margin, part.y)).join('');
    const rest = parts.map((part) => show(part.rest, part.x, part.y)).join('');
    const placement = place(maker, rest, fonts);
    return { ...placement, content: first + placement.content };
  }),
);

/** The lines as runs of letters in a different order. */
const runTricks = (['glyphs', 'shuffled', 'kerned', 'spaced'] as const).map((mode) =>
  paint(`letters ${mode}`, ({ maker, lines, font, honest: isHonest }) => ({
    content: drawText(lines, { font, y, mode: isHonest ? 'plain' : mode, pick: maker.pick }),
  })),
);

/** Invisible letters between those of the lines. */
const decoys: Record<string, string> = {
  'not drawn': '3 Tr',
  white: '1 g',
  'without alpha': '/G1 gs',
};
const decoyTricks = Object.entries(decoys).map(([hiding, hidden]) =>
  paint(`decoys ${hiding}`, ({ maker, lines, font, honest: isHonest }) => {
    if (isHonest) return { content: drawText(lines, { font, y }) };
    const content = lines.map((line, row) => {
      let x = margin;
      const shown = [...textOfLine(line)].map((letter) => {
        const at = `1 0 0 1 ${x.toFixed(2)} ${y - row * leading} Tm`;
        const decoy = 'abcdefghjkmnpqrstuvwxyz0123456789'[maker.pick(33)]!;
        x += font.width(letter, size);
        return `BT /F1 ${size} Tf ${at} ${font.show(letter)} Tj ET q BT ${hidden} /F1 ${size} Tf ${at} ${font.show(decoy)} Tj ET Q`;
      });
      return `${shown.join('\n')}\n`;
    });
    return { content: content.join(''), resources: '/ExtGState << /G1 << /ca 0 >> >>' };
  }),
);

/** Each letter drawn twice, as some producers do for bold. */
const doubledLetters = paint('letters doubled', ({ lines, font, honest: isHonest }) => {
  const text = drawText(lines, { font, y });
  return { content: isHonest ? text : `${text}q 1 0 0 1 0.3 0 cm ${text}Q\n` };
});

/** Annotations that show one text and contain another. */
const rect = (row: number): string =>
  `${margin} ${y - row * 40} ${width - margin} ${y + 24 - row * 40}`;
type Annotate = (shown: string, said: string, appearance: (text: string) => string) => string;
const annotations: Record<string, Annotate> = {
  'free text shows': (shown, said, appearance) =>
    `/Subtype /FreeText /F 4 /DA (/F1 11 Tf 0 g) /Contents ${utf16(said)} ${appearance(shown)}`,
  'free text says': (shown, said, appearance) =>
    `/Subtype /FreeText /F 4 /DA (/F1 11 Tf 0 g) /Contents ${utf16(shown)} ${appearance(said)}`,
  'stamp shows': (shown, said, appearance) =>
    `/Subtype /Stamp /F 4 /Contents ${utf16(said)} ${appearance(shown)}`,
  'stamp for paper only': (shown, _said, appearance) =>
    `/Subtype /Stamp /F 36 ${appearance(shown)}`,
  'stamp hidden': (shown, _said, appearance) => `/Subtype /Stamp /F 2 ${appearance(shown)}`,
  'field shows': (shown, said, appearance) =>
    `/Subtype /Widget /FT /Tx /T (a) /F 4 /DA (/F1 11 Tf 0 g) /V ${utf16(said)} ${appearance(shown)}`,
  'field says': (shown, said, appearance) =>
    `/Subtype /Widget /FT /Tx /T (a) /F 4 /DA (/F1 11 Tf 0 g) /V ${utf16(shown)} ${appearance(said)}`,
  'field stores a choice': (shown, said, appearance) =>
    `/Subtype /Widget /FT /Ch /Ff 131072 /T (a) /F 4 /DA (/F1 11 Tf 0 g) /V ${utf16(said)} /Opt [[${utf16(said)} ${utf16(shown)}]] ${appearance(shown)}`,
  'field shows a choice': (shown, said, appearance) =>
    `/Subtype /Widget /FT /Ch /Ff 131072 /T (a) /F 4 /DA (/F1 11 Tf 0 g) /V ${utf16(shown)} /Opt [[${utf16(shown)} ${utf16(said)}]] ${appearance(said)}`,
  'field without an appearance': (shown) =>
    `/Subtype /Widget /FT /Tx /T (a) /F 4 /DA (/F1 11 Tf 0 g) /V ${utf16(shown)}`,
  'field with an empty appearance': (shown, _said, appearance) =>
    `/Subtype /Widget /FT /Tx /T (a) /F 4 /DA (/F1 11 Tf 0 g) /V ${utf16(shown)} ${appearance('')}`,
};
const annotationTricks = Object.entries(annotations).map(([name, annotate]) =>
  paint(name, ({ maker, lines, font, fonts, page, honest: isHonest }) => {
    const { writer } = maker;
    const shownLines = lines.filter((line) => line.some(({ secret }) => secret));
    const appearance = (text: string): string => {
      const form = writer.stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 ${width - 2 * margin} 24] /Resources << ${fonts} >>`,
        text === '' ? '' : `/Tx BMC ${drawText([maker.plain(text)], { font, x: 2, y: 8 })} EMC`,
      );
      return `/AP << /N ${ref(form)} >>`;
    };
    const isField = name.startsWith('field');
    const numbers = shownLines.map((line, row) => {
      const text = textOfLine(line);
      const body = isHonest
        ? isField
          ? annotations['field shows']!(text, text, appearance)
          : annotations['free text shows']!(text, text, appearance)
        : annotate(text, maker.filler(4), appearance);
      const annotation = body.replace('/T (a)', `/T (a${row})`);
      return ref(
        writer.add(`<< /Type /Annot /P ${ref(page)} /Rect [${rect(row)}] ${annotation} >>`),
      );
    });
    const form = `/AcroForm << /Fields [${numbers.join(' ')}] /DR << ${fonts} >> ${isHonest ? '' : '/NeedAppearances true'} >>`;
    return {
      content: '',
      extra: `/Annots [${numbers.join(' ')}]`,
      ...(isField ? { catalog: form } : {}),
    };
  }),
);

export const pieceTricks: readonly Trick[] = [
  ...splitTricks,
  ...runTricks,
  ...decoyTricks,
  doubledLetters,
  ...annotationTricks,
];
