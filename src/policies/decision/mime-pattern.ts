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
export function anyFileMatches(
  patterns: readonly string[],
  types: Fact<readonly FileType[]>,
): Truth {
  return evaluateFact(types, (given) =>
    given.some(
      ({ mime, traits }) => matchesAny(patterns, known(mime), knownUnlessNull(traits)) !== false,
    ),
  );
}

function matches(pattern: string, mime: Fact<string>, traits: Fact<readonly Trait[]>): Truth {
  const [type = '', trait] = pattern.toLowerCase().split(';');
  const hasType =
    type === '*/*' ? true : evaluateFact(mime, (given) => isOfType(given.toLowerCase(), type));
  const hasTrait =
    trait === undefined
      ? true
      : evaluateFact(traits, (given) => given.some((one) => one === trait));
  return truth.and(hasType, hasTrait);
}

function isOfType(mime: string, pattern: string): boolean {
  return pattern.endsWith('/*') ? mime.startsWith(pattern.slice(0, -1)) : mime === pattern;
}

function evaluateFact<T>(fact: Fact<T>, question: (value: T) => boolean): Truth {
  if (fact.state === 'known') return question(fact.value);
  return fact.state === 'unknown' ? 'unknown' : false;
}
