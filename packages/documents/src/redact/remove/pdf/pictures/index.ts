import { createHash } from 'node:crypto';
import { type PDFContext, PDFName, type PDFRawStream, PDFRef } from 'pdf-lib';
import { applyToBox, compose, intersection, invert, type Matrix } from '../../../../geometry.ts';
import type { Box } from '../../../../results.ts';
import { type Copier, digestOf } from '../build/copier.ts';
import type { DrawnPicture } from '../content/scene.ts';
import { MustBurn } from '../must-burn.ts';
import { type PaintRegion, paintedAreas } from '../regions/regions.ts';
import { masksOf, paintPicture, pixelSizeOf } from './paint.ts';
import type { Rect } from './samples.ts';

/** A picture, with its visible part in all places where it is drawn. */
interface PictureRecord {
  stream: PDFRawStream;
  visible: Rect | undefined;
  pages: Set<number>;
  draws: { page: number; drawn: DrawnPicture }[];
}

interface PictureReplacement {
  /**
   * The replacement. It is in the source document, so that it can be copied like any other picture.
   */
  picture: PDFRef | undefined;
  /** Why the replacement could not be created. Pages that draw it are burned. */
  failure: string | undefined;
}

/**
 * Maximum width of hidden margins that are left unchanged, in pixels. The edge of a scan may
 * coincide with the edge of the page.
 */
const maxHiddenMargin = 3;
/** Maximum number of pictures drawn by all pages. Above it, the pages are too complex. */
const maxDraws = 200_000;

const isFlat = ([a, b, c, d]: Matrix): boolean => Math.abs(a * d - b * c) < 1e-9;

/**
 * The pictures of a document. First, each page records which pictures it draws and where. Then,
 * replacements are created, in which removed content is painted over. Finally, pages request the
 * pictures to draw. Unaffected pictures are copied.
 */
export class Pictures {
  readonly #source: PDFContext;
  readonly #regions: ReadonlyMap<number, readonly PaintRegion[]>;
  readonly records = new Map<string, PictureRecord>();
  readonly replacements = new Map<string, PictureReplacement>();
  #draws = 0;

  constructor(source: PDFContext, regions: ReadonlyMap<number, readonly PaintRegion[]>) {
    this.#source = source;
    this.#regions = regions;
  }

  /** Records that a page draws a picture. */
  recordDraw(page: number, picture: DrawnPicture): void {
    this.#draws += 1;
    if (this.#draws > maxDraws) throw new MustBurn('the page is too complex');
    const id = idOf(picture);
    let record = this.records.get(id);
    if (!record) {
      record = { stream: picture.stream, visible: undefined, pages: new Set(), draws: [] };
      this.records.set(id, record);
    }
    record.pages.add(page);
    record.draws.push({ page, drawn: picture });
    const visible = visiblePart(picture);
    if (visible) record.visible = record.visible ? unionOf(record.visible, visible) : visible;
  }

  /** Forgets a page that will be burned, because it no longer shows its parts of pictures. */
  forget(page: number): void {
    for (const [id, record] of this.records) {
      if (!record.pages.has(page)) continue;
      record.draws = record.draws.filter((draw) => draw.page !== page);
      record.pages.delete(page);
      record.visible = undefined;
      for (const { drawn } of record.draws) {
        const visible = visiblePart(drawn);
        if (visible) record.visible = record.visible ? unionOf(record.visible, visible) : visible;
      }
      if (record.draws.length === 0) this.records.delete(id);
    }
  }

  /** Creates all replacements. */
  async createReplacements(): Promise<void> {
    for (const [id, record] of this.records) {
      for (const { page, drawn } of record.draws) {
        const rects = this.#rectsFor(record, page, drawn);
        const key = keyOf(id, rects);
        if (this.replacements.has(key) || rects.length === 0) continue;
        this.replacements.set(key, await this.#paint(record.stream, rects));
      }
    }
  }

  /**
   * Returns the picture to draw, in the new document; undefined if no part of the picture is
   * visible.
   */
  refFor(page: number, picture: DrawnPicture, copier: Copier): PDFRef | undefined {
    const id = idOf(picture);
    const record = this.records.get(id);
    if (!record) throw new Error('a picture was not recorded');
    if (!visiblePart(picture)) return undefined;
    const rects = this.#rectsFor(record, page, picture);
    if (rects.length === 0) {
      return refOf(copier.copy(picture.ref ?? picture.stream, this.#source));
    }
    const replacement = this.replacements.get(keyOf(id, rects));
    if (!replacement) throw new Error('a replacement picture was not created');
    if (replacement.failure !== undefined) throw new MustBurn(replacement.failure);
    return refOf(copier.copy(replacement.picture, this.#source));
  }

  #rectsFor(record: PictureRecord, page: number, drawn: DrawnPicture): Rect[] {
    const { width, height } = pixelSizeOf(record.stream);
    const isShared = record.pages.size > 1;
    const toPixels = pixelMatrix(drawn, width, height);
    if (!toPixels || !record.visible) return [];
    const rects: Rect[] = [];
    for (const region of this.#regions.get(page) ?? []) {
      // A background that several pages share does not show the text written over it.
      if (isShared && region.textOnly) continue;
      const isLevel = region.direction % 180 === 0;
      const adjacentAxis = isLevel === Math.abs(toPixels[0]) >= Math.abs(toPixels[1]) ? 'x' : 'y';
      const add = (box: Box, axis: Pick<Rect, 'beside'>): void => {
        const rect = toRect(applyToBox(toPixels, box), width, height);
        if (rect) rects.push({ ...rect, ...axis });
      };
      // Boxes end where adjacent content begins. Planned areas are always removed completely.
      for (const box of paintedAreas(region)) add(box, { beside: adjacentAxis });
      for (const box of region.planned) add(box, {});
    }
    return [...rects, ...hiddenMargins(record.visible, width, height)].sort(
      (a, b) => a.y0 - b.y0 || a.x0 - b.x0 || a.y1 - b.y1 || a.x1 - b.x1,
    );
  }

  async #paint(stream: PDFRawStream, rects: readonly Rect[]): Promise<PictureReplacement> {
    try {
      const size = pixelSizeOf(stream);
      const picture = await paintPicture(stream, this.#source, rects, 'picture');
      for (const { key, stream: mask } of masksOf(stream)) {
        const maskSize = pixelSizeOf(mask);
        const maskRects = rects.map((rect) => ({
          x0: Math.floor((rect.x0 * maskSize.width) / size.width),
          y0: Math.floor((rect.y0 * maskSize.height) / size.height),
          x1: Math.min(maskSize.width, Math.ceil((rect.x1 * maskSize.width) / size.width)),
          y1: Math.min(maskSize.height, Math.ceil((rect.y1 * maskSize.height) / size.height)),
        }));
        const role = key === 'SMask' ? 'soft mask' : 'stencil mask';
        const painted = await paintPicture(mask, this.#source, maskRects, role);
        picture.dict.set(PDFName.of(key), this.#source.register(painted));
      }
      return { picture: this.#source.register(picture), failure: undefined };
    } catch (error) {
      if (error instanceof MustBurn) return { picture: undefined, failure: error.message };
      throw error;
    }
  }
}

const idOf = ({ ref, stream }: DrawnPicture): string =>
  ref?.toString() ?? digestOf(stream.dict, stream.contents);

const keyOf = (id: string, rects: readonly Rect[]): string =>
  `${id} ${createHash('sha256').update(JSON.stringify(rects)).digest('hex')}`;

const refOf = (value: unknown): PDFRef | undefined => (value instanceof PDFRef ? value : undefined);

/** Maps points as displayed to pixels of a picture, with the first row at the top. */
function pixelMatrix({ matrix }: DrawnPicture, width: number, height: number): Matrix | undefined {
  if (isFlat(matrix)) return undefined;
  return compose([width, 0, 0, -height, 0, height], invert(matrix));
}

/** Returns the whole pixels that a box touches; undefined if it does not touch any. */
function toRect([x0, y0, x1, y1]: Box, width: number, height: number): Rect | undefined {
  const rect = {
    x0: Math.max(0, Math.floor(x0)),
    y0: Math.max(0, Math.floor(y0)),
    x1: Math.min(width, Math.ceil(x1)),
    y1: Math.min(height, Math.ceil(y1)),
  };
  return rect.x1 > rect.x0 && rect.y1 > rect.y0 ? rect : undefined;
}

function visiblePart(drawn: DrawnPicture): Rect | undefined {
  const { width, height } = pixelSizeOf(drawn.stream);
  const toPixels = pixelMatrix(drawn, width, height);
  const unclipped = applyToBox(drawn.matrix, [0, 0, 1, 1]);
  const visible = intersection(unclipped, drawn.clip);
  return toPixels && visible ? toRect(applyToBox(toPixels, visible), width, height) : undefined;
}

const unionOf = (a: Rect, b: Rect): Rect => ({
  x0: Math.min(a.x0, b.x0),
  y0: Math.min(a.y0, b.y0),
  x1: Math.max(a.x1, b.x1),
  y1: Math.max(a.y1, b.y1),
});

/** Returns the parts of a picture that are never visible, if wider than `maxHiddenMargin`. */
function hiddenMargins(visible: Rect, width: number, height: number): Rect[] {
  const [x0, y0] = [
    visible.x0 > maxHiddenMargin ? visible.x0 - 1 : 0,
    visible.y0 > maxHiddenMargin ? visible.y0 - 1 : 0,
  ];
  const x1 = width - visible.x1 > maxHiddenMargin ? visible.x1 + 1 : width;
  const y1 = height - visible.y1 > maxHiddenMargin ? visible.y1 + 1 : height;
  const rects = [
    { x0: 0, y0: 0, x1: width, y1: y0 },
    { x0: 0, y0: y1, x1: width, y1: height },
    { x0: 0, y0, x1: x0, y1 },
    { x0: x1, y0, x1: width, y1 },
  ];
  return rects.filter((rect) => rect.x1 > rect.x0 && rect.y1 > rect.y0);
}
