import type { TSchema } from 'typebox';
import type { Json } from './json.ts';

type Direction = 'input' | 'output';

/**
 * Collects schemas with a title as components, and replaces them by references. Those of responses
 * are collected first, so that they have the plain names.
 */
export class Schemas {
  readonly components: Record<string, unknown> = {};

  use(schema: TSchema, direction: Direction = 'output'): unknown {
    return this.#walk(JSON.parse(JSON.stringify(schema)), direction);
  }

  #walk(value: unknown, direction: Direction): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#walk(item, direction));
    if (!isObject(value)) return value;
    if (isObject(value.discriminator)) return this.#tagged(value, direction);
    const result: Json = Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.#walk(item, direction)]),
    );
    if (direction === 'input') {
      if (isObject(value.properties)) describeInput(result, value.properties);
    } else if (result.additionalProperties === false) {
      // Fields may be added to responses, so clients must not reject unknown ones.
      delete result.additionalProperties;
    }
    // Only parameters have `explode`. Descriptions explain lists that are sent as text.
    delete result.explode;
    delete result['x-text-as-list'];
    const { title } = result;
    if (typeof title !== 'string' || typeof result.type !== 'string') return result;
    return this.#name(title, result, direction);
  }

  /** A tagged union. Each variant becomes a component, since a discriminator refers to names. */
  #tagged(value: Json, direction: Direction): unknown {
    const { title, description, discriminator, oneOf } = value;
    const tag = isObject(discriminator) ? String(discriminator.propertyName) : '';
    if (typeof title !== 'string' || !Array.isArray(oneOf)) {
      throw new Error(`The union with the tag '${tag}' has no title.`);
    }
    const variants = oneOf.map((variant: Json) => {
      const properties = isObject(variant.properties) ? variant.properties : {};
      const is = isObject(properties[tag]) ? String(properties[tag].const) : '';
      const named = this.#walk({ ...variant, title: pascalCase(is) + title }, direction);
      return { is, ref: String(isObject(named) ? named.$ref : '') };
    });
    const union = {
      ...(description ? { description } : {}),
      oneOf: variants.map(({ ref }) => ({ $ref: ref })),
      discriminator: {
        propertyName: tag,
        mapping: Object.fromEntries(variants.map(({ is, ref }) => [is, ref])),
      },
    };
    return this.#name(title, union, direction);
  }

  #name(title: string, schema: Json, direction: Direction): Json {
    const serialised = JSON.stringify(schema);
    // Requests may omit fields that responses have, so one title can need two schemas.
    const names = direction === 'input' ? [title, `${title}Input`] : [title];
    const name = names.find(
      (one) => !this.components[one] || JSON.stringify(this.components[one]) === serialised,
    );
    if (name === undefined) throw new Error(`Two different schemas have the title '${title}'.`);
    this.components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Marks request fields with a default as optional. */
function describeInput(result: Json, fields: Json): void {
  const properties = isObject(result.properties) ? result.properties : {};
  const optional = new Set<unknown>();
  for (const [name, field] of Object.entries(fields)) {
    const property = properties[name];
    if (!isObject(field) || !('default' in field) || !isObject(property)) continue;
    optional.add(name);
    // Client generators assume that a field with a default is always present.
    const { default: defaultValue, description = '', ...rest } = property;
    const descriptionText = String(description);
    const text = /\bDefault: /.test(descriptionText)
      ? descriptionText
      : `${descriptionText} Default: \`${JSON.stringify(defaultValue)}\`.`.trim();
    // Next to a reference, everything except a description is ignored.
    properties[name] = { ...rest, description: text };
  }
  if (Array.isArray(result.required)) {
    result.required = result.required.filter((name) => !optional.has(name));
  }
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object schema; none for other schemas. */
export function propertiesOf(schema: TSchema): Record<string, TSchema> {
  return (schema as { properties?: Record<string, TSchema> }).properties ?? {};
}
