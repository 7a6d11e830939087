import type { Pieces } from './pieces.ts';

/** A sentence with capitalised things, as in advertising, minutes and manuals. */
export function running(p: Pieces): string {
  const { random, world } = p;
  const thing = () => random.pick(p.some());
  const verb = () => random.pick(world.words.verbs);
  const noun = () => random.pick(world.words.nouns);
  const adjective = () => random.pick(world.words.adjectives);
  const day = () => random.pick(world.calendar);
  return p.cased(
    random.pick([
      () => `Our ${thing()} comes with ${thing()}, ${thing()} and a ${adjective()} ${thing()}.`,
      () => `The ${thing()} and the ${thing()} ${verb()} the ${noun()}.`,
      () => `${thing()} is ${adjective()}, but ${thing()} is not.`,
      () => `We ${verb()} ${thing()} and ${thing()} from ${day()} to ${day()}.`,
      () => `Do you ${verb()} ${thing()} or ${thing()}?`,
      () => `${thing()}: ${thing()} for every ${noun()}!`,
      () => `In ${day()} the ${noun()} was ${adjective()}, in ${day()} it was ${adjective()}.`,
      () => `This ${thing()} replaces the ${adjective()} ${thing()} of last ${day()}.`,
      () => `${thing()}, ${thing()} and ${thing()} are ${adjective()}.`,
      () => `New: ${adjective()} ${thing()} with ${thing()} (${p.acronym()})`,
      () => `Every ${day()}: ${thing()}`,
      () => `"${thing()}" means ${thing()}.`,
      () => `Please ${verb()} your ${thing()} before the ${thing()} is ${adjective()}.`,
      () => `The ${p.acronym()} ${noun()} uses ${p.acronym()} and ${p.acronym()}.`,
      () => `${thing()} has ${p.measure()} of ${thing()}.`,
    ])(),
  );
}
