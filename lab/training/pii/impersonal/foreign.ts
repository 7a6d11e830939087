import * as things from '../words/things.ts';
import type { Pieces } from './pieces.ts';

/** The share of texts made of less common words. */
const SELDOM = 0.4;

export function foreign(p: Pieces): string {
  const { random, world } = p;
  const language = random.int(0, things.foreignThings.length - 1);
  const words = things.foreignThings[language]!;
  const frames = things.foreignFrames[language]!;
  const frame = () => random.pick(frames).replace(/\*/g, () => random.pick(words));
  return p.cased(
    random.weighted<() => string>([
      [4, () => random.pick(world.messages)],
      [3, () => p.lines(1, 3, () => random.pick(world.messages))],
      [5, () => p.lines(1, 4, frame)],
      [
        3,
        () =>
          p.lines(1, 3, () =>
            Array.from({ length: random.int(2, 7) }, () => random.pick(words)).join(
              random.pick([', ', ' ', ' | ', '\t', ' / ', '; ']),
            ),
          ),
      ],
      [3, () => p.lines(1, 6, () => random.pick(words))],
      [
        2,
        () =>
          p.lines(
            1,
            5,
            () =>
              `${random.pick(words)}: ${random.pick([p.number(), p.price(), p.measure(), p.thingNumber()])}`,
          ),
      ],
      [
        2,
        () =>
          p.lines(
            1,
            5,
            () =>
              `${random.pick(words)} ${random.pick([p.number(), p.price(), p.measure(), p.thingNumber()])} ${random.pick(words)} ${p.price()}`,
          ),
      ],
      [
        2,
        () =>
          `${random.pick(world.calendar)} ${random.pick(['-', 'bis', 'à', 'a', 'al', 'tot', 'do', 'till', 'til', '/'])} ${random.pick(world.calendar)} ${random.pick(words)}`,
      ],
      [2, () => foreignWords(p, ' ')],
      [3, () => foreignWords(p, ', ')],
      [3, () => p.lines(1, 3, () => `${foreignWords(p, ' ')}.`)],
      [5, () => p.lines(1, 6, () => foreignHeading(p))],
    ])(),
  );
}

export function foreignWords(p: Pieces, separator: string): string {
  const { random } = p;
  const words = random.pick(random.chance(SELDOM) ? p.world.seldom : p.world.foreign);
  const text = Array.from({ length: random.int(2, 12) }, () => random.pick(words)).join(separator);
  return random.chance(0.6) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** Capitalised words, on lines or before a number. */
export function foreignHeading(p: Pieces): string {
  const { random } = p;
  const words = random.pick(random.chance(SELDOM) ? p.world.seldom : p.world.foreign);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const made = Array.from({ length: random.int(1, 4) }, () => capital(random.pick(words)));
  const after = random.pick([
    '',
    '',
    '',
    ':',
    `: ${p.number()}`,
    ` ${p.price()}`,
    ` ${p.measure()}`,
  ]);
  return made.join(random.pick([' ', ' ', ', ', ' / '])) + after;
}
