import pg from 'pg';
import type { TSchema } from 'typebox';

/**
 * The keywords of JSON Schema that are checked here; `minimum` and `maximum` are both inclusive.
 */
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
}

/** The keywords of each form of schema. Others are rejected, because they would not be checked. */
const keywords: Record<string, readonly (keyof Schema)[]> = {
  object: ['type', 'properties', 'required', 'additionalProperties'],
  array: ['type', 'items'],
  string: ['type'],
  number: ['type', 'minimum', 'maximum'],
  integer: ['type', 'minimum', 'maximum'],
  boolean: ['type'],
  null: ['type'],
  enum: ['enum'],
  anyOf: ['anyOf'],
};
/** Keywords for readers, which checks ignore. */
const annotations = ['title', 'description', 'examples'];

/** A value within the data: its SQL expression, and its path as an SQL expression. */
interface Place {
  value: string;
  path: string;
  /** The end of its fault messages: whether null is also allowed. */
  suffix: string;
  /** The number of arrays that it is nested in. */
  depth: number;
}

/**
 * A function in SQL, `name(type text, data jsonb) RETURNS text[]`, that returns the faults in the data of
 * a type, each with its path (`data.progress must be <= 100`), and rejects exactly the data that ajv
 * rejects. For an unknown type it fails. It needs `json_number`.
 * @throws Error for a schema with keywords that have no check
 */
export function checkingFunction(name: string, schemas: Record<string, TSchema>): string {
  const cases = Object.entries(schemas).map(([type, schema]) => {
    const place = { value: 'data', path: `'data'`, suffix: '', depth: 0 };
    return `WHEN ${literal(type)} THEN\n${check(schema, place) || 'NULL;\n'}`;
  });
  const body = `DECLARE
faults text[] := '{}';
BEGIN
CASE type
${cases.join('')}END CASE;
RETURN faults;
END`;
  return `CREATE OR REPLACE FUNCTION ${name}(type text, data jsonb) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS ${literal(body)}`;
}

/** Statements that add the faults of a value to `faults`. */
function check(schema: Schema, place: Place): string {
  const form = schema.type ?? (schema.enum ? 'enum' : 'anyOf');
  const known: readonly string[] = [...(keywords[form] ?? []), ...annotations];
  const unknown = Object.keys(schema).find((keyword) => !known.includes(keyword));
  if (unknown !== undefined) throw unsupported(schema, `'${unknown}'`);
  switch (form) {
    case 'object':
      return checkObject(schema, place);
    case 'array':
      return checkArray(schema, place);
    case 'number':
    case 'integer':
      return checkNumber(schema, place);
    case 'enum':
      return checkEnum(schema, place);
    case 'anyOf':
      return checkNullable(schema, place);
    case 'string':
    case 'boolean':
    case 'null':
      return unless(`jsonb_typeof(${place.value}) = ${literal(form)}`, place, `must be ${form}`);
    default:
      throw unsupported(schema, `the type '${form}'`);
  }
}

function checkObject(schema: Schema, place: Place): string {
  const { properties = {}, required = [] } = schema;
  if (schema.additionalProperties !== false) throw unsupported(schema, 'open objects');
  const undescribed = required.find((name) => !(name in properties));
  if (undescribed !== undefined) throw unsupported(schema, `'${undescribed}' without a schema`);
  const names = Object.keys(properties);
  const inside = Object.entries(properties).map(([name, property]) => {
    const path = `${place.path} || ${literal(`.${name}`)}`;
    const value = `${place.value} -> ${literal(name)}`;
    const present = check(property, { ...place, value, path, suffix: '' });
    const absent = required.includes(name) ? `ELSE\n${fault(path, 'is missing')}` : '';
    return `IF ${place.value} ? ${literal(name)} THEN\n${present}${absent}END IF;\n`;
  });
  return `IF jsonb_typeof(${place.value}) <> 'object' THEN
${fault(place.path, `must be object${place.suffix}`)}ELSE
faults := faults || ARRAY(SELECT ${place.path} || '.' || left(key, 100) || ' is not known'
FROM jsonb_object_keys(${place.value}) AS key WHERE key <> ALL (ARRAY[${names.map(literal).join(', ')}]::text[]));
${inside.join('')}END IF;
`;
}

function checkArray(schema: Schema, place: Place): string {
  if (!schema.items) throw unsupported(schema, 'arrays of anything');
  const item = `item${place.depth}`;
  const inside = check(schema.items, {
    value: `${item}.value`,
    path: `${place.path} || '[' || ${item}.at || ']'`,
    suffix: '',
    depth: place.depth + 1,
  });
  return `IF jsonb_typeof(${place.value}) <> 'array' THEN
${fault(place.path, `must be array${place.suffix}`)}ELSE
DECLARE ${item} record;
BEGIN
FOR ${item} IN SELECT e.value, e.ordinality - 1 AS at
FROM jsonb_array_elements(${place.value}) WITH ORDINALITY AS e LOOP
${inside}END LOOP;
END;
END IF;
`;
}

function checkNumber(schema: Schema, place: Place): string {
  const number = `json_number(${place.value})`;
  const integer = schema.type === 'integer';
  return [
    unless(
      integer ? `coalesce(${number} = trunc(${number}), false)` : `${number} IS NOT NULL`,
      place,
      `must be ${schema.type}`,
    ),
    schema.minimum === undefined
      ? ''
      : unless(`${number} >= ${double(schema.minimum)}`, place, `must be >= ${schema.minimum}`),
    schema.maximum === undefined
      ? ''
      : unless(`${number} <= ${double(schema.maximum)}`, place, `must be <= ${schema.maximum}`),
  ].join('');
}

function checkEnum(schema: Schema, place: Place): string {
  const values = (schema.enum ?? []).map((value) => {
    if (typeof value !== 'string') throw unsupported(schema, 'an enum of anything but strings');
    return value;
  });
  const list = values.map((value) => `${literal(JSON.stringify(value))}::jsonb`).join(', ');
  return unless(`${place.value} IN (${list})`, place, `must be one of ${values.join(', ')}`);
}

/** A union of one schema and null. */
function checkNullable(schema: Schema, place: Place): string {
  const [either, or, ...rest] = schema.anyOf ?? [];
  if (!either) throw unsupported(schema, 'anything');
  if (or?.type !== 'null' || rest.length > 0) {
    throw unsupported(schema, 'a union other than of one schema and null, in this order');
  }
  const inside = check(either, { ...place, suffix: ' or null' });
  return `IF jsonb_typeof(${place.value}) <> 'null' THEN\n${inside}END IF;\n`;
}

function unless(condition: string, place: Place, text: string): string {
  return `IF NOT ${condition} THEN\n${fault(place.path, text + place.suffix)}END IF;\n`;
}

function fault(path: string, text: string): string {
  return `faults := faults || (${path} || ${literal(` ${text}`)});\n`;
}

function double(value: number): string {
  return `'${value}'::double precision`;
}

function literal(text: string): string {
  return pg.escapeLiteral(text);
}

function unsupported(schema: Schema, what: string): Error {
  return new Error(
    `No SQL check is known for ${what}, in ${JSON.stringify(schema)}. Add it to db/preparing/schema-check.ts.`,
  );
}
