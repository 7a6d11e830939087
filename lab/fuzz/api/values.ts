import fc from 'fast-check';
import type { Dice } from '../dice.ts';
import { type Document, idPattern, type Json, resolveReference, type Schema } from './schema.ts';

/** The sources of values. */
export interface ValueSources {
  dice: Dice;
  document: Document;
  /** An identifier for a pattern, usually of an existing resource. */
  id(prefix: string): string;
  /** A text that contains the name of the sending project. */
  text(): string;
}

/** Texts by pattern, generated once: generating them takes longer than a request. */
const textsByPattern = new Map<string, string[]>();

const timestamps = [
  '2026-01-31T12:00:00Z',
  '2026-11-27T00:00:00.000Z',
  '2027-02-28T23:59:59+05:30',
];
const urls = ['http://127.0.0.1:9/hook', 'http://127.0.0.1:9/other?x=1', 'https://127.0.0.1:9/'];

/** A value that a schema allows, or almost: lengths and formats are usually valid. */
export function valueFor(schema: Schema, sources: ValueSources, depth = 0): Json {
  const { dice } = sources;
  if (schema.$ref)
    return valueFor(resolveReference<Schema>(sources.document, schema.$ref), sources, depth);
  if (schema.allOf) return mergeObjects(schema.allOf.map((part) => valueFor(part, sources, depth)));
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) return valueFor(dice.pick(branches), sources, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return dice.pick(schema.enum);
  const type = Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return objectFor(schema, sources, depth);
    case 'array':
      return arrayFor(schema, sources, depth);
    case 'string':
      return textFor(schema, sources);
    case 'integer':
    case 'number':
      return numberFor(schema, dice);
    case 'boolean':
      return dice.chance(0.5);
    case 'null':
      return null;
    default:
      return dice.pick<Json>([null, 1, sources.text(), true, { a: [1, { b: sources.text() }] }]);
  }
}

function objectFor(schema: Schema, sources: ValueSources, depth: number): Json {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const chance = depth > 3 ? 0.1 : sources.dice.pick([0.1, 0.3, 0.6]);
  const object: { [name: string]: Json } = {};
  for (const [name, part] of Object.entries(properties)) {
    if (required.includes(name) || sources.dice.chance(chance)) {
      object[name] = specialValue(name, sources.dice) ?? valueFor(part, sources, depth + 1);
    }
  }
  const additionalSchema = patternProperties
    ? Object.values(patternProperties)[0]
    : typeof additionalProperties === 'object' && additionalProperties;
  if (additionalSchema) {
    for (let left = sources.dice.below(3); left > 0; left--) {
      object[sources.dice.pick(['a', 'b', 'colour', 'year'])] = valueFor(
        additionalSchema,
        sources,
        depth + 1,
      );
    }
  }
  return object;
}

/** Restrictions that a pattern or a format does not express. */
function specialValue(name: string, dice: Dice): Json | undefined {
  if (name === 'url') return dice.pick(urls);
  if (name === 'event_types' && dice.chance(0.9)) return [dice.pick(eventTypes)];
  return undefined;
}

const eventTypes = ['*', 'documents.*', 'library.*', 'documents.job.succeeded', 'webhooks.*'];

function arrayFor(schema: Schema, sources: ValueSources, depth: number): Json {
  const { items = {}, minItems = 0, maxItems = 4 } = schema;
  const length = sources.dice.between(minItems, Math.max(minItems, Math.min(maxItems, 3)));
  const list = Array.from({ length }, () => valueFor(items, sources, depth + 1));
  // Most lists must not contain duplicates.
  return sources.dice.chance(0.05)
    ? list
    : [...new Map(list.map((one) => [identityOf(one), one])).values()];
}

function identityOf(value: Json): string {
  const isOperation = typeof value === 'object' && value !== null && !Array.isArray(value);
  return JSON.stringify(isOperation && value.op !== undefined ? value.op : value);
}

function textFor(schema: Schema, sources: ValueSources): string {
  const { pattern, format, minLength = 0, maxLength = 100 } = schema;
  if (format === 'date-time') return sources.dice.pick(timestamps);
  if (pattern !== undefined) {
    const prefix = idPattern.exec(pattern)?.[1];
    return prefix ? sources.id(prefix) : sources.dice.pick(textsOf(pattern));
  }
  const text = sources.text();
  if (sources.dice.chance(0.03)) return 'x'.repeat(Math.min(maxLength, 5_000));
  return text.slice(0, maxLength).padEnd(minLength, 'x');
}

function textsOf(pattern: string): string[] {
  let texts = textsByPattern.get(pattern);
  if (!texts) {
    texts = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 40, seed: 1 });
    textsByPattern.set(pattern, texts);
  }
  return texts;
}

function numberFor({ minimum = 0, maximum = 2 ** 31, type }: Schema, dice: Dice): number {
  if (dice.chance(0.1)) return dice.pick([minimum, maximum]);
  if (type === 'number' && maximum <= 1) return dice.next();
  return dice.between(minimum, Math.min(maximum, minimum + dice.pick([3, 100, 5_000])));
}

function mergeObjects(parts: Json[]): Json {
  return Object.assign({}, ...parts.filter((part) => typeof part === 'object'));
}
