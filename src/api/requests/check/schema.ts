/** A JSON Schema of requests, limited to these keywords. */
export interface Shape {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  const?: string | number | boolean;
  enum?: readonly (string | number | boolean)[];
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
  /** Text that represents a list: one item, or items separated by commas. */
  'x-text-as-list'?: 'one' | 'commas';
  /** The other types that a value may have; set by `prepare`. */
  'x-or'?: readonly string[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** Keywords that `explain` can describe, and those that check nothing. */
const supportedKeywords: ReadonlySet<string> = new Set(
  `type const enum default anyOf oneOf discriminator title description properties required
  additionalProperties patternProperties minProperties maxProperties items minItems maxItems
  uniqueItems minLength maxLength pattern format minimum maximum explode x-text-as-list x-ignored
  x-coerced-maximum`.split(/\s+/),
);

/**
 * Returns a schema after checking its keywords.
 * @throws Error for a keyword that is not supported
 */
export function checkKeywords(schema: object): Shape {
  const unknown = Object.keys(schema).find((keyword) => !supportedKeywords.has(keyword));
  if (unknown !== undefined) throw new Error(`The keyword '${unknown}' is not supported.`);
  return schema;
}

/** The JSON types that a schema allows; empty for any. */
export function jsonTypes(shape: Shape): string[] {
  if (shape.anyOf) return [...new Set(shape.anyOf.flatMap(jsonTypes))];
  if (shape.type) return [shape.type];
  return [...new Set((shape.enum ?? []).map((value) => typeof value))];
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
