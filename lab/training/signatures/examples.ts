import { inkMap } from '@scriptorium/documents/ink/components';
import { type StrokeGroup, strokeGroups, unknownInk } from '@scriptorium/documents/ink/pen-strokes';
import { withoutRules } from '@scriptorium/documents/ink/rules';
import sharp from 'sharp';
import { Random } from '../pii/random.ts';
import { type Drawing, drawOther, drawSignature, styleNames } from './shapes.ts';

/** A group of strokes, and whether it is a signature. */
export interface Example {
  isSignature: boolean;
  style: string;
  features: readonly number[];
}

/** Draws as a scanner does: blurred, grainy, on tinted paper, as JPEG. */
async function scan({ width, height, svg }: Drawing, random: Random): Promise<Buffer> {
  const paper = random.pick(['#ffffff', '#ffffff', '#f5f1e6', '#e6e6e6', '#fbf3d0']);
  const blur = random.chance(0.5) ? 0.3 + random.next() * 0.7 : 0;
  const drawn = await sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${paper}"/>${svg}</svg>`,
    ),
  )
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grain = random.chance(0.5) ? random.next() * 9 : 0;
  const { data, info } = drawn;
  for (let at = 0; at < data.length && grain > 0; at += 1) {
    const tone = data[at]! + (random.next() + random.next() + random.next() - 1.5) * 2 * grain;
    data[at] = Math.max(0, Math.min(255, tone));
  }
  let picture = sharp(data, { raw: info });
  if (blur > 0) picture = picture.blur(blur);
  const quality = random.int(35, 95);
  const jpeg = await picture.jpeg({ quality }).toBuffer();
  return sharp(jpeg).greyscale().raw().toBuffer();
}

const sizeOf = ({ box }: StrokeGroup): number => (box[2] - box[0]) * (box[3] - box[1]);

/** Draws signatures and other drawings, and measures their groups of strokes. */
export async function* generateExamples(
  seed: number,
  count: number,
  names: readonly string[] = styleNames,
): AsyncGenerator<Example> {
  const random = new Random(seed);
  for (let at = 0; at < count; at += 1) {
    const isSignature = random.chance(0.35);
    const style = isSignature ? random.pick(names) : 'other';
    const drawing = isSignature ? drawSignature(random, style) : drawOther(random);
    const data = await scan(drawing, random);
    const picture = { data, width: drawing.width, height: drawing.height };
    const plain = withoutRules(picture);
    const groups = strokeGroups(unknownInk(plain, inkMap(plain), drawing.print), plain);
    // Only the largest group is certain to be the signature.
    const used = isSignature
      ? groups.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 1)
      : groups;
    for (const { features } of used) yield { isSignature, style, features };
  }
}
