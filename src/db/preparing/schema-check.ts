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
interface ValueLocation {
  value: string;
  path: string;
  /** The end of its fault messages: whether null is also allowed. */
  suffix: string;
  /** The number of arrays that it is nested in. */
  depth: number;
}

/**
 * The SQL of a function `name(type text, data jsonb) RETURNS text[]` that returns the faults in the data
 * of a type, each with its path (`data.progress must be <= 100`). It rejects exactly the data that ajv
 * rejects, and fails for an unknown type. It needs `json_number`.
 * @throws Error for a schema with keywords that have no check
 */
export function checkFunctionSql(name: string, schemas: Record<string, TSchema>): string {
  const cases = Object.entries(schemas).map(([type, schema]) => {
    const location = { value: 'data', path: `'data'`, suffix: '', depth: 0 };
    return `WHEN ${literal(type)} THEN\n${check(schema, location) || 'NULL;\n'}`;
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
function check(schema: Schema, location: ValueLocation): string {
  const form = schema.type ?? (schema.enum ? 'enum' : 'anyOf');
  const knownKeywords: readonly string[] = [...(keywords[form] ?? []), ...annotations];
  const unknownKeyword = Object.keys(schema).find((keyword) => !knownKeywords.includes(keyword));
  if (unknownKeyword !== undefined) throw unsupported(schema, `'${unknownKeyword}'`);
  switch (form) {
    case 'object':
      return checkObject(schema, location);
    case 'array':
      return checkArray(schema, location);
    case 'number':
    case 'integer':
      return checkNumber(schema, location);
    case 'enum':
      return checkEnum(schema, location);
    case 'anyOf':
      return checkNullable(schema, location);
    case 'string':
    case 'boolean':
    case 'null':
      return faultUnless(
        `jsonb_typeof(${location.value}) = ${literal(form)}`,
        location,
        `must be ${form}`,
      );
    default:
      throw unsupported(schema, `the type '${form}'`);
  }
}

function checkObject(schema: Schema, location: ValueLocation): string {
  const { properties = {}, required = [] } = schema;
  if (schema.additionalProperties !== false) throw unsupported(schema, 'open objects');
  const undescribed = required.find((name) => !(name in properties));
  if (undescribed !== undefined) throw unsupported(schema, `'${undescribed}' without a schema`);
  const names = Object.keys(properties);
  const propertyChecks = Object.entries(properties).map(([name, property]) => {
    const path = `${location.path} || ${literal(`.${name}`)}`;
    const value = `${location.value} -> ${literal(name)}`;
    const present = check(property, { ...location, value, path, suffix: '' });
    const absent = required.includes(name) ? `ELSE\n${fault(path, 'is missing')}` : '';
    return `IF ${location.value} ? ${literal(name)} THEN\n${present}${absent}END IF;\n`;
  });
  return `IF jsonb_typeof(${location.value}) <> 'object' THEN
${fault(location.path, `must be object${location.suffix}`)}ELSE
faults := faults || ARRAY(SELECT ${location.path} || '.' || left(key, 100) || ' is not known'
FROM jsonb_object_keys(${location.value}) AS key WHERE key <> ALL (ARRAY[${names.map(literal).join(', ')}]::text[]));
${propertyChecks.join('')}END IF;
`;
}

function checkArray(schema: Schema, location: ValueLocation): string {
  if (!schema.items) throw unsupported(schema, 'arrays of anything');
  const item = `item${location.depth}`;
  const itemCheck = check(schema.items, {
    value: `${item}.value`,
    path: `${location.path} || '[' || ${item}.at || ']'`,
    suffix: '',
    depth: location.depth + 1,
  });
  return `IF jsonb_typeof(${location.value}) <> 'array' THEN
${fault(location.path, `must be array${location.suffix}`)}ELSE
DECLARE ${item} record;
BEGIN
FOR ${item} IN SELECT e.value, e.ordinality - 1 AS at
FROM jsonb_array_elements(${location.value}) WITH ORDINALITY AS e LOOP
${itemCheck}END LOOP;
END;
END IF;
`;
}

function checkNumber(schema: Schema, location: ValueLocation): string {
  const number = `json_number(${location.value})`;
  const integer = schema.type === 'integer';
  return [
    faultUnless(
      integer ? `coalesce(${number} = trunc(${number}), false)` : `${number} IS NOT NULL`,
      location,
      `must be ${schema.type}`,
    ),
    schema.minimum === undefined
      ? ''
      : faultUnless(
          `${number} >= ${doubleLiteral(schema.minimum)}`,
          location,
          `must be >= ${schema.minimum}`,
        ),
    schema.maximum === undefined
      ? ''
      : faultUnless(
          `${number} <= ${doubleLiteral(schema.maximum)}`,
          location,
          `must be <= ${schema.maximum}`,
        ),
  ].join('');
}

function checkEnum(schema: Schema, location: ValueLocation): string {
  const values = (schema.enum ?? []).map((value) => {
    if (typeof value !== 'string') throw unsupported(schema, 'an enum of anything but strings');
    return value;
  });
  const list = values.map((value) => `${literal(JSON.stringify(value))}::jsonb`).join(', ');
  return faultUnless(
    `${location.value} IN (${list})`,
    location,
    `must be one of ${values.join(', ')}`,
  );
}

/** A union of one schema and null. */
function checkNullable(schema: Schema, location: ValueLocation): string {
  const [either, or, ...rest] = schema.anyOf ?? [];
  if (!either) throw unsupported(schema, 'anything');
  if (or?.type !== 'null' || rest.length > 0) {
    throw unsupported(schema, 'a union other than of one schema and null, in this order');
  }
  const valueCheck = check(either, { ...location, suffix: ' or null' });
  return `IF jsonb_typeof(${location.value}) <> 'null' THEN\n${valueCheck}END IF;\n`;
}

function faultUnless(condition: string, location: ValueLocation, text: string): string {
  return `IF NOT ${condition} THEN\n${fault(location.path, text + location.suffix)}END IF;\n`;
}

function fault(path: string, text: string): string {
  return `faults := faults || (${path} || ${literal(` ${text}`)});\n`;
}

function doubleLiteral(value: number): string {
  return `'${value}'::double precision`;
}

function literal(text: string): string {
  return pg.escapeLiteral(text);
}

function unsupported(schema: Schema, subject: string): Error {
  return new Error(
    `No SQL check is known for ${subject}, in ${JSON.stringify(schema)}. Add it to db/preparing/schema-check.ts.`,
  );
}
