import type { Raster } from '../pdf/bitmaps.ts';

/** Light enough for dark text to stay readable when the colours are multiplied. */
const tint = [255, 232, 110] as const;
const borderColour = [214, 96, 0] as const;
const borderWidth = 2;

/** The pixels of a box; both ends are included. */
type Span = { left: number; top: number; right: number; bottom: number };

/**
 * Marks boxes on an RGB picture with a translucent fill and a border. Parts outside the picture are
 * not drawn. Overlapping boxes are filled once.
 * @param scale pixels per point
 */
export function markBoxes(
  raster: Raster,
  boxes: readonly (readonly number[])[],
  scale: number,
): void {
  const spans = boxes.map((box) => spanOf(box, scale));
  const filled = new Uint8Array(spans.length === 0 ? 0 : raster.width * raster.height);
  for (const span of spans) {
    eachPixel(raster, span, (at) => {
      if (filled[at] === 1) return;
      filled[at] = 1;
      paint(raster, at, (value, channel) => (value * tint[channel]!) / 255);
    });
  }
  for (const { left, top, right, bottom } of spans) {
    const [outer, inner] = [borderWidth, 1];
    const sides: Span[] = [
      { left: left - outer, right: right + outer, top: top - outer, bottom: top - inner },
      { left: left - outer, right: right + outer, top: bottom + inner, bottom: bottom + outer },
      { left: left - outer, right: left - inner, top, bottom },
      { left: right + inner, right: right + outer, top, bottom },
    ];
    for (const side of sides) {
      eachPixel(raster, side, (at) =>
        paint(raster, at, (_value, channel) => borderColour[channel]!),
      );
    }
  }
}

function spanOf([x = 0, y = 0, width = 0, height = 0]: readonly number[], scale: number): Span {
  const [left, top] = [Math.floor(x * scale), Math.floor(y * scale)];
  return {
    left,
    top,
    right: Math.max(left, Math.ceil((x + width) * scale) - 1),
    bottom: Math.max(top, Math.ceil((y + height) * scale) - 1),
  };
}

function eachPixel({ width, height }: Raster, span: Span, visit: (at: number) => void): void {
  const right = Math.min(width - 1, span.right);
  for (let y = Math.max(0, span.top); y <= Math.min(height - 1, span.bottom); y += 1) {
    for (let x = Math.max(0, span.left); x <= right; x += 1) visit(y * width + x);
  }
}

function paint(
  { data }: Raster,
  pixel: number,
  colour: (value: number, channel: number) => number,
): void {
  for (let channel = 0; channel < 3; channel += 1) {
    data[3 * pixel + channel] = colour(data[3 * pixel + channel]!, channel);
  }
}
