/** A JSON Schema of requests, limited to these keywords. */
export interface Shape {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  const?: string | number | boolean;
  enum?: readonly (string | number)[];
  default?: unknown;
  anyOf?: readonly Shape[];
  oneOf?: readonly Shape[];
  discriminator?: { propertyName: string };
  properties?: Record<string, Shape>;
  required?: readonly string[];
  additionalProperties?: boolean | Shape;
  patternProperties?: Record<string, Shape>;
  minProperties?: number;
  maxProperties?: number;
  items?: Shape;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  explode?: boolean;
  /** A text stands for a list: of one item, or of those between commas. */
  'x-text-as-list'?: 'one' | 'commas';
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

const known: Record<string, readonly string[]> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'minProperties',
    'maxProperties',
    'discriminator',
    'oneOf',
  ],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems', 'explode'],
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const', 'x-ignored'],
  number: ['minimum', 'maximum', 'enum', 'const'],
  integer: ['minimum', 'maximum', 'enum', 'const', 'x-coerced-maximum'],
  boolean: ['const'],
  null: [],
  any: ['anyOf', 'enum', 'x-text-as-list'],
};
const everywhere = ['type', 'title', 'description', 'default'];

/**
 * The keywords of a schema.
 * @throws Error for a keyword that is not supported
 */
export function shapeOf(schema: object): Shape {
  const shape: Shape = schema;
  const kind = shape.type ?? 'any';
  const words = known[kind];
  if (!words) throw new Error(`The type '${kind}' is not supported.`);
  for (const keyword of Object.keys(schema)) {
    if (everywhere.includes(keyword) || words.includes(keyword)) continue;
    throw new Error(`The keyword '${keyword}' is not supported for ${kind}.`);
  }
  return shape;
}

/** The JSON types that a schema allows; empty for any. */
export function jsonTypes(shape: Shape): string[] {
  if (shape.anyOf) return [...new Set(shape.anyOf.flatMap(jsonTypes))];
  if (shape.type) return [shape.type];
  return [...new Set((shape.enum ?? []).map((value) => typeof value))];
}

/** Whether a value has a JSON type. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    default:
      // `string` and `boolean` have the same name in JSON and JavaScript.
      return typeof value === type;
  }
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
