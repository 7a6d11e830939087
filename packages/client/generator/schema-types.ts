/**
 * Converts JSON Schema, as used in the OpenAPI document, to TypeScript. Supports only the keywords
 * that these schemas use; any other keyword is an error, so that no type is silently wider than its
 * schema.
 */

/** The part of a schema that determines its type. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
}

/** The type of the values that a schema allows. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  // Keywords beside variants (a discriminator, the names of all fields) are for validators.
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return [...new Set(variants.map(typeOf))].join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  }
  switch (schema.type) {
    case undefined:
      return 'unknown';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${schema.items ? typeOf(schema.items) : 'unknown'})[]`;
    case 'object':
      return objectType(schema);
    default:
      throw new Error(`The generator does not know the type '${schema.type}'.`);
  }
}

/** The fields of an object, in braces; with an index signature if names are arbitrary. */
export function objectType(schema: Schema): string {
  if (schema.properties) {
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties).map(([name, field]) =>
      fieldOf(name, typeOf(field), { optional: !required.has(name), doc: field.description }),
    );
    return fields.length > 0 ? `{\n${fields.join('\n')}\n}` : 'Record<string, never>';
  }
  const values = [
    ...Object.values(schema.patternProperties ?? {}),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  const types = values.length > 0 ? [...new Set(values.map(typeOf))] : ['unknown'];
  return `Record<string, ${types.join(' | ')}>`;
}

/** One field of a type; an optional field may also be undefined. */
export function fieldOf(
  name: string,
  type: string,
  { optional = false, doc }: { optional?: boolean; doc?: string | undefined } = {},
): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  return `${docComment(doc)}${key}${optional ? `?: ${type} | undefined` : `: ${type}`};`;
}

/** A doc comment with a description; empty without one. */
export function docComment(text: string | undefined): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
