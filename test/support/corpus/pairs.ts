import type { Built } from './families/family.ts';
import { type CorpusFont, cidFont, standardFont, subsetFont, type3Font } from './fonts.ts';
import {
  type DrawMode,
  drawText,
  Maker,
  type PlantedSecret,
  sheet,
  type TextLine,
} from './maker.ts';
import { ref, utf16 } from './pdf-writer.ts';
import { addScan, drawImage, imageResource, type ScanKind } from './pictures.ts';
import { equallyWide, SecretSource, secretTypes } from './secrets.ts';

/** Two files that differ in their secrets and in nothing else: redacted they must be one. */
export interface Pair {
  name: string;
  /** Pictures, in which what a recogniser reads beside a secret may hang on it. */
  isPicture: boolean;
  files: { pdf: Buffer; secrets: PlantedSecret[] }[];
}

interface Kind {
  name: string;
  isPicture?: boolean;
  build(maker: Maker, index: number): Built | Promise<Built>;
}

/** In running text secrets are equally wide; at the end of a line they are as long as they like. */
function makeText(maker: Maker, font?: CorpusFont, allTypes = true): TextLine[] {
  const wish = { channel: 'pair', page: 1, ...(font ? { font } : {}) };
  return [
    ...maker.prose({ ...wish, types: equallyWide }, 6, 2, true),
    ...maker.prose({ ...wish, types: allTypes ? secretTypes : equallyWide }, 6, 2, false),
  ];
}

const finish = (maker: Maker): Built => ({ pdf: maker.writer.toBuffer(maker.root().trailer) });

const inFont =
  (make: (maker: Maker) => CorpusFont, mode: DrawMode = 'plain', allTypes = true): Kind['build'] =>
  (maker) => {
    const font = make(maker);
    maker.page(drawText(makeText(maker, font, allTypes), { font, mode, pick: maker.pick }), {
      fonts: [font],
    });
    return finish(maker);
  };

const helvetica = ({ writer }: Maker): CorpusFont => standardFont(writer, 'F1');

const asScan =
  (kind: ScanKind): Kind['build'] =>
  async (maker, index) => {
    const dpi = [150, 200, 300][index % 3]!;
    const skew = [0, 0.5, -1][index % 3]!;
    const stored = await addScan(
      maker.writer,
      makeText(maker),
      { kind, dpi, skew, noise: 6 },
      maker.pick,
    );
    maker.page(drawImage('Im1', 0, 0, sheet.width, sheet.height), {
      resources: imageResource('Im1', stored),
    });
    return finish(maker);
  };

const kinds: readonly Kind[] = [
  { name: 'plain', build: inFont(helvetica) },
  { name: 'courier', build: inFont(({ writer }) => standardFont(writer, 'F1', 'Courier')) },
  // Kerning is by letter here: as many letters, as much of it.
  { name: 'kerned', build: inFont(helvetica, 'kerned', false) },
  { name: 'glyphs', build: inFont(helvetica, 'glyphs') },
  { name: 'cid', build: inFont(({ writer }) => cidFont(writer, 'F1', { isMapped: true })) },
  { name: 'subset', build: inFont(({ writer }) => subsetFont(writer, 'F1', { isMapped: true })) },
  { name: 'type3', build: inFont(({ writer }) => type3Font(writer, 'F1', 'mapped')) },
  {
    name: 'form',
    build(maker) {
      const font = helvetica(maker);
      const form = maker.writer.stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 ${sheet.width} ${sheet.height}] /Resources << /Font << ${font.resource} >> >>`,
        drawText(makeText(maker), { font }),
      );
      const resources = `/XObject << /Fm1 ${ref(form)} >>`;
      maker.page('/Fm1 Do', { resources });
      maker.page('q 0.8 0 0 0.8 10 20 cm /Fm1 Do Q', { resources });
      return finish(maker);
    },
  },
  {
    name: 'turned',
    build(maker, index) {
      const font = helvetica(maker);
      const { width, height } = sheet;
      maker.page(`q 0 1 -1 0 ${height} 0 cm ${drawText(makeText(maker), { font })} Q`, {
        fonts: [font],
        mediaBox: `0 0 ${height} ${width}`,
        extra: `/Rotate 90 ${index % 2 ? `/CropBox [5 5 ${height - 5} ${width - 5}]` : ''}`,
      });
      return finish(maker);
    },
  },
  {
    name: 'around',
    build(maker) {
      const { writer } = maker;
      const font = helvetica(maker);
      maker.page(drawText(makeText(maker), { font }), { fonts: [font], extra: '/Tabs /S' });
      const hide = (): string => maker.secret({ channel: 'around', page: null }).value;
      const info = writer.add(`<< /Author ${utf16(hide())} /Title ${utf16(hide())} >>`);
      const file = writer.stream('/Type /EmbeddedFile', hide());
      const { trailer } = maker.root(
        `/Metadata ${ref(writer.stream('/Type /Metadata /Subtype /XML', `<x>${hide()}</x>`))} /Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a) /EF << /F ${ref(file)} >> >>] >> >>`,
      );
      return { pdf: writer.toBuffer(`${trailer} /Info ${ref(info)}`) };
    },
  },
  {
    name: 'revised',
    build(maker) {
      const { writer } = maker;
      const font = helvetica(maker);
      const content = writer.stream('', drawText(makeText(maker), { font }));
      const page = maker.page(content, { fonts: [font] });
      const { trailer } = maker.root();
      const pdf = writer.toUpdated(trailer, () => {
        const changed = writer.stream('', drawText(makeText(maker), { font }));
        writer.replace(page, `/Contents ${ref(content)}`, `/Contents ${ref(changed)}`);
      });
      return { pdf };
    },
  },
  { name: 'scan-jpeg', isPicture: true, build: asScan('jpeg-grey') },
  { name: 'scan-png', isPicture: true, build: asScan('png-grey') },
  { name: 'scan-bilevel', isPicture: true, build: asScan('bilevel') },
];

/** Yields a number of pairs of each kind, or of some kinds only. */
export async function* makePairs(
  pairsPerKind: number,
  only?: readonly string[],
): AsyncGenerator<Pair> {
  for (const [kindIndex, { name, isPicture: picture = false, build }] of kinds.entries()) {
    if (only && !only.includes(name)) continue;
    for (let index = 0; index < pairsPerKind; index += 1) {
      const files: Pair['files'] = [];
      for (const values of [11, 22]) {
        const maker = new Maker(
          7 + kindIndex * 1009 + index,
          new SecretSource(values + index * 100),
        );
        const { pdf } = await build(maker, index);
        files.push({ pdf, secrets: maker.secrets });
      }
      yield { name: `${name}-${index + 1}`, isPicture: picture, files };
    }
  }
}
