import { standardFont } from '../fonts.ts';
import { drawText, type Maker, sheet, type TextLine } from '../maker.ts';
import { ref } from '../pdf-writer.ts';
import { drawImage, type Grey, type ScanKind, scan, storePicture } from '../pictures.ts';
import type { Built, Family } from './family.ts';

const { width, height } = sheet;

async function scanPixels(maker: Maker, lines: readonly TextLine[], dpi = 150): Promise<Grey> {
  return scan(lines, { kind: 'png-grey', dpi, skew: 0, noise: 5 }, maker.pick);
}

const finish = (maker: Maker): Built => {
  maker.requireKept(maker.pageCount, []);
  return { pdf: maker.writer.toBuffer(maker.root().trailer) };
};

/** Rows `from` to `to` of a picture. */
function cropRows({ data, width: wide }: Grey, from: number, to: number): Grey {
  return {
    data: Buffer.from(data.subarray(from * wide, to * wide)),
    width: wide,
    height: to - from,
  };
}

/** A scan in strips, as scanners with little memory store it: letters are cut in two. */
const strips: Family = {
  name: 'strips',
  count: 5,
  async build(maker, index) {
    const grey = await scanPixels(
      maker,
      maker.prose({ channel: 'picture in strips', page: 1 }, 14, 3),
    );
    const rows = [61, 97, 128, 43, 200][index % 5]!;
    const names: string[] = [];
    let content = '';
    for (let top = 0; top < grey.height; top += rows) {
      const bottom = Math.min(grey.height, top + rows);
      const kind: ScanKind = index % 2 ? 'jpeg-grey' : 'bilevel';
      const stored = await storePicture(maker.writer, cropRows(grey, top, bottom), kind);
      const scale = height / grey.height;
      names.push(`/S${top} ${ref(stored.image)}`);
      content += drawImage(
        `S${top}`,
        0,
        height - bottom * scale,
        width,
        Number(((bottom - top) * scale).toFixed(4)),
      );
    }
    maker.page(content, { resources: `/XObject << ${names.join(' ')} >>` });
    return finish(maker);
  },
};

/** Pictures put on the page leaning, upside down, mirrored twice, in odd colours. */
const placedPictures: Family = {
  name: 'placed-pictures',
  count: 8,
  async build(maker, index) {
    const kind = (['jpeg-grey', 'indexed', 'jpeg-cmyk', 'png-rgb'] as const)[index % 4]!;
    const lines = maker.prose({ channel: `picture placed askew, ${kind}`, page: 1 }, 12, 2);
    const grey = await scanPixels(maker, lines, 200);
    let matrix = `${width} 0 0 ${height} 0 0`;
    let stored = await storePicture(maker.writer, grey, kind);
    if (index % 3 === 0) {
      const angle = ((index + 1) * Math.PI) / 360;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      matrix = [width * cos, width * sin, -height * sin, height * cos, 20, -8]
        .map((value) => value.toFixed(4))
        .join(' ');
    } else if (index % 3 === 1) {
      // Stored upside down and turned back.
      const data = Buffer.from(grey.data).reverse();
      stored = await storePicture(maker.writer, { ...grey, data }, kind);
      matrix = `${-width} 0 0 ${-height} ${width} ${height}`;
    }
    maker.page(`q ${matrix} cm /Im1 Do Q\n`, {
      resources: `/XObject << /Im1 ${ref(stored.image)} >>`,
    });
    return finish(maker);
  },
};

/** Letters as a stencil, as the mask of a black picture, in a picture inside the content itself. */
const stencils: Family = {
  name: 'stencils',
  count: 6,
  async build(maker, index) {
    const font = standardFont(maker.writer, 'F1');
    const text = maker.prose({ channel: 'text above a stencil', page: 1 }, 6, 1);
    const channel = ['picture as a stencil', 'picture in a soft mask', 'picture in the content'];
    const lines = maker.prose({ channel: channel[index % 3]!, page: 1 }, 6, 2);
    const grey = await scanPixels(maker, lines);
    const part = cropRows(grey, 0, Math.round(grey.height * 0.3));
    maker.requireKept(1, text);
    const shown = drawText(text, { font, y: 260 });
    const placement = `q ${width} 0 0 ${(height * 0.3).toFixed(3)} 0 ${(height * 0.7).toFixed(3)} cm`;
    if (index % 3 === 2) {
      const bytes = Buffer.from(part.data).toString('hex').toUpperCase();
      const inline = `${placement} BI /W ${part.width} /H ${part.height} /CS /G /BPC 8 /F /AHx ID\n${bytes}>\nEI Q\n`;
      maker.page(shown + inline, { fonts: [font] });
      return { pdf: maker.writer.toBuffer(maker.root().trailer) };
    }
    const stencil = await storePicture(maker.writer, part, 'bilevel');
    if (index % 3 === 0) {
      maker.writer.replace(stencil.image, '/ColorSpace /DeviceGray', '/ImageMask true');
      maker.page(`${shown}0 g ${placement} /Im1 Do Q\n`, {
        fonts: [font],
        resources: `/XObject << /Im1 ${ref(stencil.image)} >>`,
      });
    } else {
      const inverted = { ...part, data: Buffer.from(part.data.map((value) => 255 - value)) };
      const mask = await storePicture(maker.writer, inverted, 'png-grey');
      const black = { data: Buffer.alloc(4), width: 2, height: 2 };
      const ink = await storePicture(maker.writer, black, 'png-rgb', `/SMask ${ref(mask.image)}`);
      maker.page(`${shown}${placement} /Im1 Do Q\n`, {
        fonts: [font],
        resources: `/XObject << /Im1 ${ref(ink.image)} >>`,
      });
    }
    return { pdf: maker.writer.toBuffer(maker.root().trailer) };
  },
};

export const placementFamilies = [strips, placedPictures, stencils];
