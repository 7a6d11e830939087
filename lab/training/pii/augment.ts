import type { World } from './fill.ts';
import { misreadings } from './generate.ts';
import { randomPerson, writtenName } from './people.ts';
import type { Random } from './random.ts';
import type { Mark, Sample } from './sample.ts';

/** Variants of real and written text, so that not the words but their context and form are learned. */
export function varied(random: Random, world: World, sample: Sample): Sample {
  const roll = random.next();
  const named = random.chance(0.5) ? withOtherNames(random, world, sample) : sample;
  if (roll < 0.05) return recased(named, (letter) => letter.toLowerCase());
  if (roll < 0.09) return recased(named, (letter) => letter.toUpperCase());
  if (roll < 0.14) return misread(random, named);
  return named;
}

/** The share of names that are replaced. */
const REPLACED = 0.6;

/** Replaces the names of people by those of others, of any country. */
export function withOtherNames(random: Random, world: World, sample: Sample): Sample {
  return rewritten(sample, (words, { types }) => {
    if (types.length !== 1 || types[0] !== 'PERSON' || !random.chance(REPLACED)) return words;
    const people = random.weighted(world.peoples);
    const person = randomPerson(random, people);
    const isSmall = words === words.toLowerCase();
    const isCapital = words === words.toUpperCase() && words.length > 3;
    const name = words.includes(' ')
      ? writtenName(random, person)
      : random.chance(0.5)
        ? person.first
        : person.last;
    if (isSmall) return name.toLowerCase();
    return isCapital ? name.toUpperCase() : name;
  });
}

/** Changes the words of marks. */
export function rewritten(
  { value, marks }: Sample,
  change: (words: string, mark: Mark) => string,
): Sample {
  const out: Sample = { value: '', marks: [] };
  let from = 0;
  for (const mark of marks) {
    out.value += value.slice(from, mark.start);
    const start = out.value.length;
    out.value += change(value.slice(mark.start, mark.end), mark);
    out.marks.push({ ...mark, start, end: out.value.length });
    from = mark.end;
  }
  out.value += value.slice(from);
  return out;
}

/** Maps letters to others, where that keeps the length. */
function recased({ value, marks }: Sample, change: (letter: string) => string): Sample {
  const changed = Array.from(value, (letter) => {
    const other = change(letter);
    return other.length === letter.length ? other : letter;
  });
  return { value: changed.join(''), marks };
}

/** Simulates the recognition of a bad scan. */
function misread(random: Random, { value, marks }: Sample): Sample {
  const share = random.pick([0.01, 0.02, 0.04]);
  const moved: number[] = [];
  let read = '';
  for (const letter of value.split('')) {
    moved.push(read.length);
    const others = misreadings[letter];
    read += others && letter !== ' ' && random.chance(share) ? random.pick(others) : letter;
  }
  moved.push(read.length);
  return {
    value: read,
    marks: marks.map((mark) => ({ ...mark, start: moved[mark.start]!, end: moved[mark.end]! })),
  };
}
