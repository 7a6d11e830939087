import type { Capabilities } from '@scriptorium/contracts/wire/service';

type OperationCapability = Capabilities['operations'][number];

/** An option of an operation, read from its JSON Schema. */
export interface Option {
  name: string;
  kind: 'flag' | 'number' | 'choice' | 'choices' | 'entities' | 'patterns' | 'texts';
  hint: string;
  defaultValue: unknown;
  /** For `choice`, `choices` and `entities`. */
  values: string[];
  /** The values that `entities` accepts instead of a list. */
  profileNames: string[];
  minimum?: number;
  maximum?: number;
  isInteger: boolean;
}

/** Returns the options of an operation, in the order of `GET /v1/capabilities`. */
export function optionsOf(operation: OperationCapability): Option[] {
  const properties = toRecord(toRecord(operation.options).properties);
  return Object.entries(properties).map(([name, schema]) => optionOf(name, toRecord(schema)));
}

/**
 * Whether an option applies to the chosen values: options of a review apply only if there is one.
 */
export function isApplicable(
  { name }: Pick<Option, 'name'>,
  { review = 'none' }: Readonly<Record<string, unknown>>,
): boolean {
  if (name === 'review_below') return review === 'below';
  if (name === 'reviewers' || name === 'review_expires_in') return review !== 'none';
  return true;
}

function optionOf(name: string, schema: Record<string, unknown>): Option {
  const { description, minimum, maximum } = schema;
  const variants = Array.isArray(schema.anyOf) ? schema.anyOf.map(toRecord) : [];
  const arrayVariant = variants.find(({ type }) => type === 'array');
  const items = toRecord((arrayVariant ?? schema).items);
  return {
    name,
    kind: kindOf(schema, items, arrayVariant !== undefined),
    hint: typeof description === 'string' ? description : '',
    defaultValue: schema.default,
    values: toStrings(schema.enum ?? items.enum),
    profileNames: variants.flatMap((branch) => toStrings(branch.enum)),
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
    isInteger: schema.type === 'integer',
  };
}

function kindOf(
  schema: Record<string, unknown>,
  items: Record<string, unknown>,
  acceptsName: boolean,
): Option['kind'] {
  if (acceptsName) return 'entities';
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (Array.isArray(schema.enum)) return 'choice';
  if (items.type === 'object') return 'patterns';
  return Array.isArray(items.enum) ? 'choices' : 'texts';
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
