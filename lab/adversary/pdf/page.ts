import { type CorpusFont, standardFont } from '../../../test/support/corpus/fonts.ts';
import { drawText, type Maker, sheet, type TextLine } from '../../../test/support/corpus/maker.ts';
import type { Ref } from '../../../test/support/corpus/pdf-writer.ts';
import { type Grey, scan } from '../../../test/support/corpus/pictures.ts';
import { type Built, someLines, type Trick, types } from '../trick.ts';

/** The drawing of a trick on the lower part of a page, and its resources. */
interface Drawn {
  content: string;
  /** Entries of the page's resources, such as /XObject, and of its dictionary. */
  resources?: string;
  extra?: string;
  /** Entries of the catalog. */
  catalog?: string;
  mediaBox?: string;
}

interface Scene {
  maker: Maker;
  /** The lines to show. */
  lines: readonly TextLine[];
  /** A standard font, /F1 of the page. */
  font: CorpusFont;
  /** Its entry in resources. */
  fonts: string;
  /** The page's object. */
  page: Ref;
  honest: boolean;
}

/** Baseline of the first line drawn by a trick. */
export const lowerHalf = 330;

/** A trick that changes how a page is painted. Most pages also have honest text above. */
export function paint(name: string, draw: (scene: Scene) => Drawn | Promise<Drawn>): Trick {
  return {
    name,
    async build(maker, honest) {
      const font = standardFont(maker.writer, 'F1');
      const isAlone = maker.pick(3) === 0;
      const above = isAlone ? [] : maker.prose({ channel: 'text above', page: 1, types }, 6, 1);
      const lines = someLines(maker, name);
      const page = maker.writer.reserve();
      const fonts = `/Font << ${font.resource} >>`;
      const drawn = await draw({ maker, lines, font, fonts, page, honest });
      maker.page(drawText(above, { font }) + drawn.content, {
        fonts: [font],
        number: page,
        ...(drawn.resources ? { resources: drawn.resources } : {}),
        ...(drawn.extra ? { extra: drawn.extra } : {}),
        ...(drawn.mediaBox ? { mediaBox: drawn.mediaBox } : {}),
      });
      return pdf(maker, drawn.catalog);
    },
  };
}

export function pdf(maker: Maker, catalog = ''): Built {
  const bytes = maker.writer.toBuffer(maker.root(catalog).trailer);
  return { mime: 'application/pdf', bytes };
}

/** The lines as clean print, `heightPt` points high. */
export function printed(
  maker: Maker,
  lines: readonly TextLine[],
  { dpi = 150, heightPt = 60 + lines.length * sheet.leading } = {},
): Promise<Grey> {
  return scan(lines, { kind: 'png-grey', dpi, skew: 0, noise: 0, height: heightPt }, maker.pick);
}

/** Operators that draw a picture of lines on the lower part of a page. */
export function placePicture(name: string, { width, height }: Grey): string {
  const high = (height / width) * sheet.width;
  return `q ${sheet.width} 0 0 ${high.toFixed(2)} 0 ${(lowerHalf + 40 - high).toFixed(2)} cm /${name} Do Q\n`;
}
