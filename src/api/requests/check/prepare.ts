import { checkKeywords, isRecord, jsonTypes, type Shape } from './schema.ts';

/**
 * Prepares the schema of a request for ajv, so that it reports each fault once at a limited cost:
 * items beyond the maximum of a list or object are not checked, and a value is checked only against
 * the branch of a union with its type.
 * @throws Error for an unknown keyword
 */
export function prepare(schema: object): object {
  const shape = checkKeywords(schema);
  if (shape.discriminator) return prepareTagged(shape);
  if (shape.anyOf) return prepareUnion(shape);
  if (shape.enum) return { enum: shape.enum, ...defaultOf(shape) };
  if (shape.const !== undefined) return { enum: [shape.const], ...defaultOf(shape) };
  if (shape.type === 'object') return prepareObject(shape);
  if (shape.type === 'array') return prepareArray(shape);
  return shape;
}

const defaultOf = (shape: Shape): Shape => ('default' in shape ? { default: shape.default } : {});

function prepareObject(shape: Shape): object {
  const { patternProperties = {}, maxProperties } = shape;
  const [pattern, ...more] = Object.entries(patternProperties);
  // `Type.Record` expresses "any name" as a pattern, which does not match names with a line break.
  if (pattern && (pattern[0] !== '^.*$' || more.length > 0)) {
    throw new Error(`The pattern '${pattern[0]}' for field names is not supported.`);
  }
  const otherFields = pattern?.[1] ?? shape.additionalProperties;
  const { patternProperties: _, properties = {}, additionalProperties: __, ...own } = shape;
  const prepared = Object.entries(properties).map(([name, field]) => [name, prepare(field)]);
  const fields = {
    properties: Object.fromEntries(prepared),
    ...(otherFields === undefined
      ? {}
      : { additionalProperties: isRecord(otherFields) ? prepare(otherFields) : otherFields }),
  };
  return maxProperties === undefined
    ? { ...own, ...fields }
    : // biome-ignore lint/suspicious/noThenProperty: a keyword
      { ...own, if: { maxProperties }, then: fields };
}

function prepareArray(shape: Shape): object {
  const { items, uniqueItems, maxItems, ...own } = shape;
  if (uniqueItems && !(items && jsonTypes(items).every((type) => /string|number/.test(type)))) {
    throw new Error('`uniqueItems` is supported for strings and numbers only.');
  }
  const itemKeywords = {
    ...(items ? { items: prepare(items) } : {}),
    ...(uniqueItems ? { 'x-unique': true } : {}),
  };
  return maxItems === undefined
    ? { ...own, ...itemKeywords }
    : // biome-ignore lint/suspicious/noThenProperty: a keyword
      { ...own, maxItems, if: { maxItems }, then: itemKeywords };
}

/**
 * If the tag is missing or unknown, `explain` reports faults in the fields that all variants have in
 * common.
 */
function prepareTagged({ discriminator, oneOf = [], ...shape }: Shape): object {
  const tag = discriminator?.propertyName ?? '';
  for (const variant of oneOf) {
    if (typeof checkKeywords(variant).properties?.[tag]?.const !== 'string') {
      throw new Error(`A variant has no constant for the tag '${tag}'.`);
    }
  }
  return { type: 'object', discriminator, oneOf: oneOf.map(prepare), ...defaultOf(shape) };
}

function prepareUnion(shape: Shape): object {
  const branches = flatten(shape.anyOf ?? []);
  const types = [...new Set(branches.flatMap(jsonTypes))];
  if (branches.some((branch) => jsonTypes(branch).length === 0)) {
    throw new Error('Every branch of a union must have a type.');
  }
  const allOf = types.map((type) => {
    const matching = branches.filter((branch) => jsonTypes(branch).includes(type));
    const [only = {}, ...more] = matching;
    if (more.length > 0 && type !== 'string') {
      throw new Error('Branches of a union with the same type are supported for strings only.');
    }
    const otherTypes = types.filter((one) => one !== 'null' && one !== type);
    const isLiteral = only.const !== undefined || only.enum !== undefined;
    const then =
      more.length > 0
        ? { anyOf: matching.map(prepare) }
        : { ...prepare(only), ...(isLiteral ? { 'x-or': otherTypes } : {}) };
    return { if: { type }, then };
  });
  const asList = shape['x-text-as-list'];
  return {
    ...(asList ? { 'x-text-as-list': asList } : {}),
    type: types,
    allOf,
    ...defaultOf(shape),
  };
}

function flatten(variants: readonly Shape[]): Shape[] {
  return variants.flatMap((variant) => {
    const shape = checkKeywords(variant);
    return shape.anyOf && !shape['x-text-as-list'] ? flatten(shape.anyOf) : [shape];
  });
}
