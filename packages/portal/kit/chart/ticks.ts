/** About as many steps as an axis has. */
const steps = 4;

/**
 * The ticks of an axis from 0 to at least `max`: multiples of 1, 2 or 5 times a power of ten, and whole
 * numbers.
 */
export function ticksUpTo(max: number): number[] {
  const rough = Math.max(1, max / steps);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}
