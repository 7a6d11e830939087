import * as things from '../words/things.ts';
import type { Pieces } from './pieces.ts';

export function technical(p: Pieces): string {
  const { random } = p;
  const term = () => random.pick(random.pick([things.technical, things.technical, things.goods]));
  return p.cased(
    random.pick([
      () => `${term()}: ${p.measure()}`,
      () => `${term()} ${p.measure()}, ${term()} ${p.measure()}`,
      () =>
        [`${term()} ${p.thingNumber()}`, p.measure(), p.measure(), p.measure()]
          .slice(0, random.int(2, 4))
          .join(', '),
      () =>
        `${random.int(1, 30)} ${term()} ${random.int(1, 30)} ${term()} ${random.int(1, 30)} ${term()}`,
      () => `${random.pattern('?')} ${term()}, ${random.pattern('?')} ${term()}`,
      () => `Check the ${term()} and the ${term()} every ${p.number()} hours.`,
      () =>
        `Turn the ${term()} clockwise until the ${term()} is ${random.pick(p.world.words.adjectives)}.`,
      () =>
        `${random.pick(['WARNING', 'Caution', 'Note', 'DANGER', 'NOTICE', 'Tip'])}: ${random.pick(['Never touch', 'Do not open', 'Switch off', 'Disconnect', 'Let cool'])} the ${term()} ${random.pick(['while running', 'before cleaning', 'with wet hands', 'under load'])}.`,
      () =>
        `${random.pick(['Fig.', 'Figure', 'Table', 'Abb.', 'Drawing'])} ${random.int(1, 40)}${random.pick(['', '-2', 'b', '.1'])}: ${term()} ${random.pick(['with', 'without', 'and', 'of the'])} ${term()}`,
      () =>
        `${random.pick(['Error', 'Code', 'Alarm', 'Fault'])} ${random.pattern('?##')}: ${term()} ${random.pick(['blocked', 'open', 'too hot', 'not found', 'failed', 'out of range'])}`,
      () =>
        `${random.pick(['Select', 'Choose', 'Open', 'Press', 'Go to', 'Click', 'Tap'])} ${random.pick(things.interfaceWords)} > ${random.pick(things.interfaceWords)}${random.pick(['.', '', ` > ${random.pick(things.interfaceWords)}`])}`,
      () => `${term()} (${random.pattern('???')}) – ${term()}`,
    ])(),
  );
}

export function computing(p: Pieces): string {
  const { random, world } = p;
  const term = () => random.pick(things.computing);
  const word = () => random.pick(world.words.nouns);
  return random.pick([
    () => `${term()} and ${term()} are supported; ${term()} is not.`,
    () =>
      `Install ${term()} ${random.int(1, 20)} or newer, then run ${p.identifier(`${word()} ${word()}`)}.`,
    () => `The ${term()} returns a ${term()} that resolves with the ${word()}.`,
    () => `${term()} calls ${p.identifier(`${word()} ${word()}`)}() on every ${term()}.`,
    () =>
      `By default ${p.identifier(word())} is ${random.pick(['false', 'null', '0', 'an empty string'])}. See ${term()} for ${word()}.`,
    () => `${term()}, ${term()}, ${term()}`,
    () => `Fixes ${term()} ${word()} on ${term()} (#${random.int(1, 9999)})`,
    () =>
      `${random.pick(['Added', 'Removed', 'Changed', 'Deprecated', 'Fix', 'Bump', 'Refactor', 'Use', 'Update'])} ${term()} ${word()}${random.pick(['', ` from ${random.int(1, 9)}.${random.int(0, 9)} to ${random.int(1, 9)}.${random.int(0, 9)}`])}`,
    () =>
      `If ${term()} is not in your ${word()}, ${random.pick(world.words.verbs)} the ${term()} ${word()} first.`,
    () => `Works with ${term()}-${word()} and the ${term()}/${term()} ${word()}.`,
  ])();
}
