import type { GreyRaster } from '../ink/components.ts';
import type { Box } from '../results.ts';

/** Minimum difference between the tones on both sides of a pixel that shows a direction. */
const minToneStep = 20;

/**
 * Returns the share of the edges in a box that have one direction or two at right angles, from 0 to
 * 1. Barcodes have such edges at any rotation. The directions are added as angles times four, so
 * that those at right angles agree and others cancel each other out.
 * @param step distance of the used pixels, at most the side of a module, as the pixels on both sides
 * would otherwise differ at random
 */
export function squareness(
  { data, width, height }: GreyRaster,
  [left, top, right, bottom]: Box,
  step: number,
): number {
  const reach = Math.max(1, Math.floor(step / 2));
  const [x1, y1] = [Math.min(right, width - reach), Math.min(bottom, height - reach)];
  let [strength, along, across] = [0, 0, 0];
  for (let y = Math.max(top, reach); y < y1; y += step) {
    for (let x = Math.max(left, reach); x < x1; x += step) {
      const at = y * width + x;
      const dx = data[at + reach]! - data[at - reach]!;
      const dy = data[at + reach * width]! - data[at - reach * width]!;
      const squared = dx * dx + dy * dy;
      if (squared < minToneStep ** 2) continue;
      const [cos2, sin2] = [dx * dx - dy * dy, 2 * dx * dy];
      strength += squared;
      along += (cos2 * cos2 - sin2 * sin2) / squared;
      across += (2 * cos2 * sin2) / squared;
    }
  }
  return Math.hypot(along, across) / Math.max(1, strength);
}
