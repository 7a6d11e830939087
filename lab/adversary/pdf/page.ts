import { type CorpusFont, standardFont } from '../../../test/support/corpus/fonts.ts';
import { drawText, type Maker, sheet, type TextLine } from '../../../test/support/corpus/maker.ts';
import type { Ref } from '../../../test/support/corpus/pdf-writer.ts';
import { type Grey, scan } from '../../../test/support/corpus/pictures.ts';
import { type BuiltFile, makeLines, type Trick, trickTypes } from '../trick.ts';

/** The drawing of a trick on the lower part of a page, and its resources. */
interface PageDrawing {
  content: string;
  /** Entries of the page's resources, such as /XObject, and of its dictionary. */
  resources?: string;
  extra?: string;
  /** Entries of the catalog. */
  catalog?: string;
  mediaBox?: string;
}

interface PaintContext {
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
export function paint(
  name: string,
  draw: (context: PaintContext) => PageDrawing | Promise<PageDrawing>,
): Trick {
  return {
    name,
    async build(maker, isHonest) {
      const font = standardFont(maker.writer, 'F1');
      const isAlone = maker.pick(3) === 0;
      const above = isAlone
        ? []
        : maker.prose({ channel: 'text above', page: 1, types: trickTypes }, 6, 1);
      const lines = makeLines(maker, name);
      const page = maker.writer.reserve();
      const fonts = `/Font << ${font.resource} >>`;
      const drawn = await draw({ maker, lines, font, fonts, page, honest: isHonest });
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

export function pdf(maker: Maker, catalog = ''): BuiltFile {
  const bytes = maker.writer.toBuffer(maker.root(catalog).trailer);
  return { mime: 'application/pdf', bytes };
}

/** The lines as clean print, `heightPt` points high. */
export function printLines(
  maker: Maker,
  lines: readonly TextLine[],
  { dpi = 150, heightPt = 60 + lines.length * sheet.leading } = {},
): Promise<Grey> {
  return scan(lines, { kind: 'png-grey', dpi, skew: 0, noise: 0, height: heightPt }, maker.pick);
}

/** Operators that draw a picture of lines on the lower part of a page. */
export function placePicture(name: string, { width, height }: Grey): string {
  const heightPt = (height / width) * sheet.width;
  return `q ${sheet.width} 0 0 ${heightPt.toFixed(2)} 0 ${(lowerHalf + 40 - heightPt).toFixed(2)} cm /${name} Do Q\n`;
}
