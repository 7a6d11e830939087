import type { FileType, Trait } from '@scriptorium/contracts/rules';
import { type Fact, known, knownUnlessNull } from './fact-table.ts';
import { type Truth, truth } from './truth.ts';

/** Whether a file has one of the types in patterns (`MimePattern` of contracts/rules). */
export function matchesAny(
  patterns: readonly string[],
  mime: Fact<string>,
  traits: Fact<readonly Trait[]>,
): Truth {
  return truth.or(...patterns.map((pattern) => matches(pattern, mime, traits)));
}

/** Whether one of several files has one of the types; a file with unknown traits may have them. */
export function matchesOne(patterns: readonly string[], types: Fact<readonly FileType[]>): Truth {
  return ask(types, (given) =>
    given.some(
      ({ mime, traits }) => matchesAny(patterns, known(mime), knownUnlessNull(traits)) !== false,
    ),
  );
}

function matches(pattern: string, mime: Fact<string>, traits: Fact<readonly Trait[]>): Truth {
  const [type = '', trait] = pattern.toLowerCase().split(';');
  const ofType = type === '*/*' ? true : ask(mime, (given) => isOfType(given.toLowerCase(), type));
  const hasTrait =
    trait === undefined ? true : ask(traits, (given) => given.some((one) => one === trait));
  return truth.and(ofType, hasTrait);
}

function isOfType(mime: string, wanted: string): boolean {
  return wanted.endsWith('/*') ? mime.startsWith(wanted.slice(0, -1)) : mime === wanted;
}

function ask<T>(fact: Fact<T>, question: (value: T) => boolean): Truth {
  if (fact.state === 'known') return question(fact.value);
  return fact.state === 'unknown' ? 'unknown' : false;
}
