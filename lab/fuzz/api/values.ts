import fc from 'fast-check';
import type { Dice } from '../dice.ts';
import { type Document, follow, idPattern, type Json, type Schema } from './schema.ts';

/** The sources of values. */
export interface Makings {
  dice: Dice;
  document: Document;
  /** An identifier for a pattern, usually of an existing resource. */
  id(prefix: string): string;
  /** A text that contains the name of the sending project. */
  text(): string;
}

/** Texts by pattern, generated once: generating them takes longer than a request. */
const drawn = new Map<string, string[]>();

const times = ['2026-01-31T12:00:00Z', '2026-11-27T00:00:00.000Z', '2027-02-28T23:59:59+05:30'];
const urls = ['http://127.0.0.1:9/hook', 'http://127.0.0.1:9/other?x=1', 'https://127.0.0.1:9/'];

/** A value that a schema allows, or almost: lengths and formats are usually valid. */
export function valueFor(schema: Schema, of: Makings, depth = 0): Json {
  const { dice } = of;
  if (schema.$ref) return valueFor(follow<Schema>(of.document, schema.$ref), of, depth);
  if (schema.allOf) return merged(schema.allOf.map((part) => valueFor(part, of, depth)));
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) return valueFor(dice.pick(branches), of, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return dice.pick(schema.enum);
  const type = Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return objectFor(schema, of, depth);
    case 'array':
      return arrayFor(schema, of, depth);
    case 'string':
      return textFor(schema, of);
    case 'integer':
    case 'number':
      return numberFor(schema, dice);
    case 'boolean':
      return dice.chance(0.5);
    case 'null':
      return null;
    default:
      return dice.pick<Json>([null, 1, of.text(), true, { a: [1, { b: of.text() }] }]);
  }
}

function objectFor(schema: Schema, of: Makings, depth: number): Json {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const chance = depth > 3 ? 0.1 : of.dice.pick([0.1, 0.3, 0.6]);
  const made: { [name: string]: Json } = {};
  for (const [name, part] of Object.entries(properties)) {
    if (required.includes(name) || of.dice.chance(chance)) {
      made[name] = byName(name, of.dice) ?? valueFor(part, of, depth + 1);
    }
  }
  const others = patternProperties
    ? Object.values(patternProperties)[0]
    : typeof additionalProperties === 'object' && additionalProperties;
  if (others) {
    for (let left = of.dice.below(3); left > 0; left--) {
      made[of.dice.pick(['a', 'b', 'colour', 'year'])] = valueFor(others, of, depth + 1);
    }
  }
  return made;
}

/** Restrictions that a pattern or a format does not express. */
function byName(name: string, dice: Dice): Json | undefined {
  if (name === 'url') return dice.pick(urls);
  if (name === 'event_types' && dice.chance(0.9)) return [dice.pick(eventTypes)];
  return undefined;
}

const eventTypes = ['*', 'documents.*', 'library.*', 'documents.job.succeeded', 'webhooks.*'];

function arrayFor(schema: Schema, of: Makings, depth: number): Json {
  const { items = {}, minItems = 0, maxItems = 4 } = schema;
  const length = of.dice.between(minItems, Math.max(minItems, Math.min(maxItems, 3)));
  const made = Array.from({ length }, () => valueFor(items, of, depth + 1));
  // Most lists must not contain duplicates.
  return of.dice.chance(0.05) ? made : [...new Map(made.map((one) => [nameOf(one), one])).values()];
}

function nameOf(value: Json): string {
  const isOperation = typeof value === 'object' && value !== null && !Array.isArray(value);
  return JSON.stringify(isOperation && value.op !== undefined ? value.op : value);
}

function textFor(schema: Schema, of: Makings): string {
  const { pattern, format, minLength = 0, maxLength = 100 } = schema;
  if (format === 'date-time') return of.dice.pick(times);
  if (pattern !== undefined) {
    const prefix = idPattern.exec(pattern)?.[1];
    return prefix ? of.id(prefix) : of.dice.pick(textsOf(pattern));
  }
  const text = of.text();
  if (of.dice.chance(0.03)) return 'x'.repeat(Math.min(maxLength, 5_000));
  return text.slice(0, maxLength).padEnd(minLength, 'x');
}

function textsOf(pattern: string): string[] {
  let texts = drawn.get(pattern);
  if (!texts) {
    texts = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 40, seed: 1 });
    drawn.set(pattern, texts);
  }
  return texts;
}

function numberFor({ minimum = 0, maximum = 2 ** 31, type }: Schema, dice: Dice): number {
  if (dice.chance(0.1)) return dice.pick([minimum, maximum]);
  if (type === 'number' && maximum <= 1) return dice.next();
  return dice.between(minimum, Math.min(maximum, minimum + dice.pick([3, 100, 5_000])));
}

function merged(parts: Json[]): Json {
  return Object.assign({}, ...parts.filter((part) => typeof part === 'object'));
}
