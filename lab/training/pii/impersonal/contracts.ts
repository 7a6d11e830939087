import * as things from '../words/things.ts';
import type { Pieces } from './pieces.ts';

export function contract(p: Pieces): string {
  const { random } = p;
  const party = () => random.pick(things.parties);
  const thing = () => random.pick(random.pick([things.defined, things.defined, things.business]));
  const clause = () =>
    random.pick([
      () =>
        `The ${party()} shall ${random.pick(['provide', 'deliver', 'return', 'pay for', 'insure', 'maintain', 'use'])} the ${thing()} ${random.pick(['to', 'on behalf of', 'at the expense of', 'together with'])} the ${party()}.`,
      () =>
        `“${thing()}” means the ${thing()} described in ${random.pick(['Clause', 'Section', 'Schedule', 'Annex', 'Article'])} ${random.int(1, 20)}${random.pick(['', '.2', '(a)', ' (iii)'])}.`,
      () =>
        `"${thing()}" ${random.pick(['has the meaning given in', 'shall have the meaning set out in', 'is defined in'])} the ${thing()};`,
      () =>
        `${thing()}. Neither the ${party()} nor the ${party()} may assign the ${thing()} without prior written consent.`,
      () =>
        `Upon ${random.pick(['expiry', 'termination', 'receipt', 'request'])} of the ${thing()}, the ${party()} will refund any ${thing()}.`,
      () =>
        `${party()} represents and warrants to ${party()} that the ${thing()} ${random.pick(['is valid', 'does not infringe any right', 'has been disclosed', 'complies with Applicable Law'])}.`,
      () => `All ${thing()} and ${thing()} remain with the ${party()} (the “${thing()}”).`,
      () =>
        `NOTWITHSTANDING THE FOREGOING, THE ${party().toUpperCase()} DISCLAIMS ALL WARRANTIES AS TO THE ${thing().toUpperCase()}.`,
      () => `WHEREAS, the ${party()} wishes to obtain the ${thing()}; and`,
      () =>
        `${random.int(1, 20)}.${random.int(1, 9)} ${thing()}: as agreed between ${party()} and ${party()} in writing.`,
      () =>
        `(${random.pick(['a', 'b', 'c', 'i', 'ii'])}) any ${thing()} of the ${party()}, including ${thing()} and ${thing()}; or`,
      () => `${party()}: ____________________ ${party()}: ____________________`,
    ])();
  return Array.from({ length: random.int(1, 5) }, clause).join(random.pick(['\n', ' ', '\n\n']));
}

export function body(p: Pieces): string {
  const { random, world } = p;
  const body = () => random.pick(things.bodies);
  const thing = () => random.pick(random.pick([things.business, things.defined, things.headings]));
  return p.cased(
    random.pick([
      () =>
        `The ${body()} ${random.pick(['approved', 'noted', 'rejected', 'discussed', 'adopted', 'took note of', 'asked for', 'postponed'])} the ${thing()}.`,
      () =>
        `${body()} and ${body()} ${random.pick(['meet', 'report', 'decide', 'are informed', 'must agree'])} in ${random.pick(world.calendar)}.`,
      () => `${thing()} is the responsibility of the ${body()}.`,
      () => `Submit the ${thing()} to the ${body()} or to your local ${body()}.`,
      () => `${thing()}, ${body()}, ${body()}`,
      () => `${body()}: ${thing()}`,
      () => `${body()} ${random.int(1, 9)} ${body()} ${random.int(1, 9)}`,
      () => `Report of the ${body()} on ${thing()}`,
      () =>
        `${random.pick(['Any', 'Each', 'No', 'Every', 'Our', 'Your', 'This'])} ${body()} ${random.pick(['may', 'shall', 'will', 'must'])} ${random.pick(world.words.verbs)} the ${thing()}.`,
    ])(),
  );
}
