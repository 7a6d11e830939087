import { outlines } from '../../../test/support/corpus/families/hidden.ts';
import { drawText, sheet } from '../../../test/support/corpus/maker.ts';
import { ref } from '../../../test/support/corpus/pdf-writer.ts';
import type { Trick } from '../trick.ts';
import { lowerHalf, paint } from './page.ts';

const { width } = sheet;
const y = lowerHalf;
/** The lower part of the page. */
const lowerBox = `0 0 ${width} ${y + 30}`;
const box = `${lowerBox} re`;

/** Text under a graphics state that hides it or changes its appearance. */
const stateTrick = (name: string, trick: string, honest: string, before = ''): Trick =>
  paint(name, ({ lines, font, honest: isHonest }) => ({
    content: `q ${before} /G1 gs ${drawText(lines, { font, y })} Q\n`,
    resources: `/ExtGState << /G1 << ${isHonest ? honest : trick} >> >>`,
  }));

/** Text in a colour on a background. */
const colourTrick = (name: string, trick: string, honest: string, before = ''): Trick =>
  paint(name, ({ lines, font, honest: isHonest }) => ({
    content: `q ${before} ${drawText(lines, { font, y, before: isHonest ? honest : trick })} Q\n`,
  }));

const clipTrick = (name: string, clip: string): Trick =>
  paint(name, ({ lines, font, honest: isHonest }) => ({
    content: `q ${isHonest ? box : clip} W n ${drawText(lines, { font, y })} Q\n`,
  }));

/** Letters as a clipping path, through which something black is painted. */
const throughLetters = paint('clip by letters', ({ maker, lines, font, honest: isHonest }) => {
  const shading = maker.writer.add(
    '<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 400 0] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [0.3] /N 1 >> >>',
  );
  const fill = maker.pick(2) ? '/Sh1 sh' : `0.1 g ${box} f`;
  return {
    content: isHonest
      ? drawText(lines, { font, y })
      : `q ${drawText(lines, { font, y, before: '7 Tr' })} ${fill} Q\n`,
    resources: `/Shading << /Sh1 ${ref(shading)} >>`,
  };
});

/** Letters filled with a pattern, or drawn in a pattern cell. */
const patternFill = paint('pattern fills letters', ({ maker, lines, font, honest: isHonest }) => {
  const pattern = maker.writer.stream(
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 2 2] /XStep 2 /YStep 2 /Resources << >>',
    '0 g 0 0 2 2 re f',
  );
  const before = isHonest ? '0 g' : '/Pattern cs /P1 scn';
  return {
    content: `q ${drawText(lines, { font, y, before })} Q\n`,
    resources: `/Pattern << /P1 ${ref(pattern)} >>`,
  };
});

const patternCell = paint(
  'pattern of letters',
  ({ maker, lines, font, fonts, honest: isHonest }) => {
    const pattern = maker.writer.stream(
      `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 ${width} 400] /XStep ${width} /YStep 400 /Resources << ${fonts} >>`,
      drawText(lines, { font, y }),
    );
    return {
      content: isHonest ? drawText(lines, { font, y }) : `q /Pattern cs /P1 scn ${box} f Q\n`,
      resources: `/Pattern << /P1 ${ref(pattern)} >>`,
    };
  },
);

/** A group whose luminosity lets black through in the shape of letters. */
const softMask = (['Luminosity', 'Alpha'] as const).map((kind) =>
  paint(`soft mask ${kind.toLowerCase()}`, ({ maker, lines, font, fonts, honest: isHonest }) => {
    const group = maker.writer.stream(
      `/Type /XObject /Subtype /Form /BBox [${lowerBox}] /Group << /S /Transparency /CS /DeviceGray >> /Resources << ${fonts} >>`,
      drawText(lines, { font, y, before: '1 g' }),
    );
    return {
      content: isHonest ? drawText(lines, { font, y }) : `q /G1 gs 0 g ${box} f Q\n`,
      resources: `/ExtGState << /G1 << /SMask << /S /${kind} /G ${ref(group)} >> >> >>`,
    };
  }),
);

/** Letters as drawings. */
const paths = paint('letters as paths', ({ lines, font, honest: isHonest }) => ({
  content: isHonest ? drawText(lines, { font, y }) : outlines(lines, y),
}));

/** Layers whose visibility differs between screen and paper, or between viewers. */
const layers: Record<string, (group: string) => { group: string; config: string }> = {
  'layer off': (group) => ({ group: '', config: `/OFF [${group}]` }),
  'layer for paper only': (group) => ({
    group: '/Usage << /View << /ViewState /OFF >> /Print << /PrintState /ON >> >>',
    config: `/AS [<< /Event /View /Category [/View] /OCGs [${group}] >> << /Event /Print /Category [/Print] /OCGs [${group}] >>]`,
  }),
  'layer for screens only': (group) => ({
    group: '/Usage << /View << /ViewState /ON >> /Print << /PrintState /OFF >> >>',
    config: `/AS [<< /Event /Print /Category [/Print] /OCGs [${group}] >>]`,
  }),
  'layer of a language': (group) => ({
    group: '/Usage << /Language << /Lang (es) /Preferred /OFF >> >>',
    config: `/AS [<< /Event /View /Category [/Language] /OCGs [${group}] >>]`,
  }),
  'layer by zoom': (group) => ({
    group: '/Usage << /Zoom << /min 8 >> >>',
    config: `/AS [<< /Event /View /Category [/Zoom] /OCGs [${group}] >>]`,
  }),
  'layer of no base': () => ({ group: '', config: '/BaseState /OFF' }),
};
const layerTricks = Object.entries(layers).map(([name, settings]) =>
  paint(name, ({ maker, lines, font, honest: isHonest }) => {
    const number = maker.writer.reserve();
    const { group, config } = isHonest
      ? { group: '', config: `/ON [${ref(number)}]` }
      : settings(ref(number));
    maker.writer.set(number, `<< /Type /OCG /Name (Layer) ${group} >>`);
    return {
      content: `/OC /On BDC\n${drawText(lines, { font, y })}EMC\n`,
      resources: `/Properties << /On ${ref(number)} >>`,
      catalog: `/OCProperties << /OCGs [${ref(number)}] /D << ${config} /Order [${ref(number)}] >> >>`,
    };
  }),
);

/** Membership in a layer that is on, negated. */
const notLayer = paint('layer by expression', ({ maker, lines, font, honest: isHonest }) => {
  const group = ref(maker.writer.add('<< /Type /OCG /Name (Layer) >>'));
  const rule = isHonest ? `/P /AnyOn` : maker.pick(2) ? '/P /AnyOff' : `/VE [/Not ${group}]`;
  const member = maker.writer.add(`<< /Type /OCMD /OCGs ${group} ${rule} >>`);
  return {
    content: `/OC /On BDC\n${drawText(lines, { font, y })}EMC\n`,
    resources: `/Properties << /On ${ref(member)} >>`,
    catalog: `/OCProperties << /OCGs [${group}] /D << /ON [${group}] >> >>`,
  };
});

/** Text under something opaque that is painted later. */
const coverTrick = (name: string, fill: string): Trick =>
  paint(name, ({ lines, font, honest: isHonest }) => {
    const text = drawText(lines, { font, y, before: '0 g' });
    const cover = `q ${fill} ${box} f Q\n`;
    return { content: isHonest ? `q 1 g ${box} f Q\n${text}` : text + cover };
  });

export const paintingTricks: readonly Trick[] = [
  stateTrick('alpha none', '/ca 0 /CA 0', '/ca 1 /CA 1'),
  stateTrick('alpha faint', '/ca 0.15 /CA 0.15', '/ca 0.9 /CA 0.9'),
  stateTrick('blend difference', '/BM /Difference', '/BM /Normal', `0 g ${box} f 1 g`),
  stateTrick('blend exclusion', '/BM /Exclusion', '/BM /Normal', `0 g ${box} f 1 g`),
  stateTrick('blend screen', '/BM /Screen', '/BM /Normal', `1 g ${box} f 0 g`),
  stateTrick('blend lighten', '/BM /Lighten', '/BM /Normal', `1 g ${box} f 0 g`),
  colourTrick('white on white', '1 g', '0 g'),
  colourTrick('nearly white', '0.965 g', '0.3 g'),
  colourTrick('yellow on white', '1 1 0.55 rg', '0 0 0.6 rg'),
  colourTrick('black on black', '0 g', '1 g', `0 g ${box} f`),
  colourTrick('grey on grey', '0.5 g', '0 g', `0.55 g ${box} f`),
  colourTrick('text not drawn', '3 Tr', '0 Tr'),
  colourTrick('text outlined thin', '1 Tr 0.15 w', '0 Tr'),
  clipTrick('clip elsewhere', '0 0 4 4 re'),
  clipTrick('clip of nothing', '0 0 m 0 0 l h'),
  clipTrick('clip of half', `0 0 ${width} ${y - 8} re`),
  throughLetters,
  patternFill,
  patternCell,
  ...softMask,
  paths,
  ...layerTricks,
  notLayer,
  coverTrick('covered by white', '1 g'),
  coverTrick('covered by black', '0 g'),
];
