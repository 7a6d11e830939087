import type { Pieces } from './pieces.ts';

export function table(p: Pieces): string {
  const { random } = p;
  const separator = random.pick(['\t', '\t', ' | ', ';', ',', '  ', ' ', ' ']);
  const columns = random.int(2, 6);
  const kinds = Array.from({ length: columns }, () =>
    random.pick([
      () => p.number(),
      () => p.number(),
      () => p.price(),
      () => p.measure(),
      () => p.thingNumber(),
      () =>
        random.pick([
          'yes',
          'no',
          'Yes',
          'No',
          'n/a',
          '-',
          'x',
          'OK',
          'open',
          'Done',
          'High',
          'Low',
          'Medium',
          'M',
          'F',
          'A',
          'B',
          'TRUE',
          'Pass',
          'Fail',
        ]),
    ]),
  );
  const row = () => [p.columnName(), ...kinds.map((cell) => cell())].join(separator);
  const head = Array.from({ length: columns + 1 }, () => p.columnName()).join(separator);
  return (random.chance(0.7) ? `${p.cased(head)}\n` : '') + p.lines(1, 8, row);
}

export function figures(p: Pieces): string {
  const { random } = p;
  const piece = () =>
    random.weighted<() => string>([
      [3, () => p.number()],
      [3, () => p.measure()],
      [3, () => p.thingNumber()],
      [2, () => p.price()],
      [2, () => `${p.columnName()} ${p.number()}`],
      [1, () => `${random.pick(p.world.words.nouns)} ${p.number()}`],
      [1, () => `${p.acronym()} ${p.number()}`],
      [1, () => `${random.pick(p.world.words.common)} ${p.measure()}`],
      [
        1,
        () =>
          `${random.pick(random.pick(p.world.foreign))} ${random.pick([p.number(), p.thingNumber()])}`,
      ],
      [
        1,
        () =>
          `${random.pick(['x', 'y', 'n', 'p', 'r', 't', 'α', 'σ', 'N', 'SD'])} ${random.pick(['=', '<', '≈', ':'])} ${p.number()}`,
      ],
    ])();
  const pieces = Array.from({ length: random.int(1, 8) }, piece);
  return pieces.join(random.pick([' ', ' ', ', ', '; ', '  ', '\t', ' - ', ' / ']));
}
