import type { PageRules, Rule } from '../types.ts';

/** A greyscale picture of a page, row by row. A resolution of about 100 dpi is enough. */
type GreyPicture = { data: Uint8Array; width: number; height: number };

/** The minimum length of lines, in points. It is longer than any stroke of a letter. */
const minLength = 32;
/** The maximum thickness of lines, in points. Thicker ones are bars or parts of pictures. */
const maxThickness = 3.2;
/**
 * The minimum difference between ink and paper. On a pale page, it is a share of the darkest ink.
 */
const minContrast = 35;
const minContrastShare = 0.2;
/** The minimum difference. Smaller differences are the grain of the paper. */
const maxGrain = 14;
/** The minimum share of pixels that are as dark as the print. */
const minPrintShare = 0.005;
/** The maximum share of ink beside a line. More ink indicates a letter or part of a picture. */
const maxInkBeside = 0.12;
const maxRuns = 20_000;

/** An almost unbroken run of ink along a row or column, in pixels. */
type Run = { from: number; to: number; at: number };

/** A line under construction, row by row. Lines may lean and be more than one pixel thick. */
type Trace = { from: number; to: number; first: number; last: number; pixels: number; sum: number };

/** Returns the grey value below which pixels are ink. Most of a page is paper. */
function inkTone({ data }: GreyPicture): number {
  const counts = new Uint32Array(256);
  const step = Math.max(1, Math.floor(data.length / 50_000));
  let sampled = 0;
  for (let at = 0; at < data.length; at += step) {
    const tone = data[at] ?? 255;
    counts[tone] = (counts[tone] ?? 0) + 1;
    sampled += 1;
  }
  let [paper, darkest] = [0, 0];
  for (let tone = 0, sum = 0; tone < 256 && sum * 2 < sampled; tone += 1) {
    sum += counts[tone] ?? 0;
    paper = tone;
    if (sum < minPrintShare * sampled) darkest = tone;
  }
  return paper - Math.min(minContrast, Math.max(maxGrain, minContrastShare * (paper - darkest)));
}

/** Returns the runs of ink along one axis. Gaps of up to two pixels are ignored. */
function runsOf(
  { data, width, height }: GreyPicture,
  tone: number,
  isVertical: boolean,
  minRun: number,
): Run[] {
  const [outer, inner] = isVertical ? [width, height] : [height, width];
  const [outerStep, innerStep] = isVertical ? [1, width] : [width, 1];
  const runs: Run[] = [];
  for (let at = 0; at < outer; at += 1) {
    let from = -1;
    let last = -9;
    for (let along = 0; along <= inner; along += 1) {
      const ink = along < inner && (data[at * outerStep + along * innerStep] ?? 255) < tone;
      if (ink) {
        if (from < 0) from = along;
        last = along;
      } else if (from >= 0 && (along - last > 2 || along === inner)) {
        if (last - from >= minRun) runs.push({ from, to: last + 1, at });
        from = -1;
      }
    }
    if (runs.length > maxRuns) return [];
  }
  return runs;
}

/** Joins overlapping or touching runs of adjacent rows. */
function tracesOf(runs: readonly Run[]): Trace[] {
  const traces: Trace[] = [];
  let openTraces: Trace[] = [];
  for (const { from, to, at } of runs) {
    openTraces = openTraces.filter(({ last }) => at - last <= 1);
    const size = to - from;
    const touching = openTraces.find((trace) => from <= trace.to + 3 && to >= trace.from - 3);
    if (touching) {
      touching.from = Math.min(touching.from, from);
      touching.to = Math.max(touching.to, to);
      touching.last = at;
      touching.pixels += size;
      touching.sum += at * size;
    } else {
      const trace = { from, to, first: at, last: at, pixels: size, sum: at * size };
      traces.push(trace);
      openTraces.push(trace);
    }
  }
  return traces;
}

/**
 * Returns the share of a trace's length with ink two pixels beside it. Letters have ink there, and
 * lines do not.
 */
function inkBeside(
  { data, width, height }: GreyPicture,
  tone: number,
  isVertical: boolean,
  trace: Trace,
): number {
  let max = 0;
  for (const at of [trace.first - 3, trace.last + 3]) {
    if (at < 0 || at >= (isVertical ? width : height)) continue;
    let ink = 0;
    for (let along = trace.from; along < trace.to; along += 1) {
      const pixel = isVertical ? along * width + at : at * width + along;
      if ((data[pixel] ?? 255) < tone) ink += 1;
    }
    max = Math.max(max, ink / (trace.to - trace.from));
  }
  return max;
}

/**
 * Returns the lines in a picture of a page: horizontal, vertical or slightly leaning. `points` is
 * the size of a pixel. Used for scans, whose lines are not drawn as objects.
 */
export function detectRules(picture: GreyPicture, points: number): PageRules {
  const tone = inkTone(picture);
  if (tone <= 0) return { across: [], down: [], fills: [] };
  // A leaning line consists of several pieces.
  const minRun = (0.6 * minLength) / points;
  const rules = (isVertical: boolean): Rule[] =>
    tracesOf(runsOf(picture, tone, isVertical, minRun)).flatMap((trace) => {
      const length = (trace.to - trace.from) * points;
      const thickness = (trace.pixels / (trace.to - trace.from)) * points;
      const slope = (trace.last - trace.first + 1) * points;
      if (length < minLength || thickness > maxThickness || slope > maxThickness + 0.02 * length)
        return [];
      if (inkBeside(picture, tone, isVertical, trace) > maxInkBeside) return [];
      const at = (trace.sum / trace.pixels + 0.5) * points;
      return [{ from: trace.from * points, to: trace.to * points, at, thickness }];
    });
  return { across: rules(false), down: rules(true), fills: [] };
}
