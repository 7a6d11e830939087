import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Json } from '../openapi/json.ts';
import { isObject } from '../openapi/schemas.ts';
import { type Html, type HtmlPiece, html } from './html.ts';
import { listAt, objectAt, refName, textAt } from './openapi-accessors.ts';
import { inlineProse } from './prose.ts';

/** The fields of a schema as a nested list with their types. */
export function fieldList(schema: Json): Html {
  const properties = Object.entries(objectAt(schema, 'properties'));
  const required = listAt(schema, 'required');
  if (properties.length === 0) return html``;
  return html`<ul class="fields">${properties.map(([name, field]) =>
    fieldItem(name, isObject(field) ? field : {}, required.includes(name)),
  )}</ul>`;
}

/** A field or parameter. */
export function fieldItem(
  name: string,
  schema: Json,
  isRequired: boolean,
  location?: string,
): Html {
  const description = textAt(schema, 'description');
  const limits = limitsOf(schema);
  return html`<li><div class="field"><code class="name">${name}</code> <span class="type">${typeText(schema)}</span>${isRequired && html` <span class="needed">required</span>`}${location && html` <span class="where">${location}</span>`}</div>${description && html`<p>${inlineProse(description)}</p>`}${limits.length > 0 && html`<p class="limits">${limits.join(' · ')}</p>`}${nestedFields(schema)}</li>`;
}

/** The fields of an inline object or array of objects. */
function nestedFields(schema: Json): Html {
  const items = schema.type === 'array' ? objectAt(schema, 'items') : schema;
  if ('properties' in items) return fieldList(items);
  const [variant, ...more] = variantsOf(items).filter((one) => 'properties' in one);
  return variant && more.length === 0 ? fieldList(variant) : html``;
}

/** The type of a schema as text, with links to named schemas. */
export function typeText(schema: Json): HtmlPiece {
  const name = refName(schema);
  if (name !== null) return html`<a href="#schema-${name}">${name}</a>`;
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (Array.isArray(schema.enum)) {
    return joinWithOr(schema.enum.map((one) => html`<code>${JSON.stringify(one)}</code>`));
  }
  const variants = variantsOf(schema);
  if (variants.length > 0) return joinWithOr(variants.map(typeText));
  if (schema.type === 'array') return html`array of ${typeText(objectAt(schema, 'items'))}`;
  const prefix = /^\^([a-z]{3})_\[0-7\]/.exec(textAt(schema, 'pattern'))?.[1];
  if (prefix) return html`identifier <code>${prefix}_…</code>`;
  if (schema.format === 'date-time') return 'time, ISO 8601';
  return textAt(schema, 'type') || 'anything';
}

function variantsOf(schema: Json): Json[] {
  return [
    ...listAt(schema, 'anyOf'),
    ...listAt(schema, 'oneOf'),
    ...listAt(schema, 'allOf'),
  ].filter(isObject);
}

function joinWithOr(pieces: HtmlPiece[]): HtmlPiece {
  return pieces.map((piece, index) => (index === 0 ? piece : [' or ', piece]));
}

const limitPhrases: [keyword: string, words: (value: number) => string][] = [
  ['minLength', (value) => `at least ${pluralise(value, 'character')}`],
  ['maxLength', (value) => `at most ${pluralise(value, 'character')}`],
  ['minimum', (value) => `at least ${value.toLocaleString('en')}`],
  ['maximum', (value) => `at most ${value.toLocaleString('en')}`],
  ['exclusiveMinimum', (value) => `more than ${value.toLocaleString('en')}`],
  ['minItems', (value) => `at least ${pluralise(value, 'item')}`],
  ['maxItems', (value) => `at most ${pluralise(value, 'item')}`],
  ['maxProperties', (value) => `at most ${pluralise(value, 'field')}`],
];

function limitsOf(schema: Json): string[] {
  const limits = limitPhrases
    .filter(([keyword]) => typeof schema[keyword] === 'number')
    // The largest integer means no limit.
    .filter(([keyword]) => schema[keyword] !== Number.MAX_SAFE_INTEGER)
    .map(([keyword, words]) => words(Number(schema[keyword])));
  // Some descriptions state the default.
  const isDescribed = /\bDefault: /.test(textAt(schema, 'description'));
  return 'default' in schema && !isDescribed
    ? [...limits, `${JSON.stringify(schema.default)} by default`]
    : limits;
}
