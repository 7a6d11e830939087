import type { Capabilities } from '@scriptorium/contracts/wire/service';

type Described = Capabilities['operations'][number];

/** An option of an operation, read from its JSON Schema. */
export interface Option {
  name: string;
  kind: 'flag' | 'number' | 'choice' | 'choices' | 'entities' | 'patterns' | 'texts';
  hint: string;
  usual: unknown;
  /** For `choice`, `choices` and `entities`. */
  values: string[];
  /** The values that `entities` accepts instead of a list. */
  names: string[];
  minimum?: number;
  maximum?: number;
  whole: boolean;
}

/** Returns the options of an operation, in the order of `GET /v1/capabilities`. */
export function optionsOf(operation: Described): Option[] {
  const properties = fieldsOf(fieldsOf(operation.options).properties);
  return Object.entries(properties).map(([name, schema]) => optionOf(name, fieldsOf(schema)));
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
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf.map(fieldsOf) : [];
  const list = branches.find(({ type }) => type === 'array');
  const items = fieldsOf((list ?? schema).items);
  return {
    name,
    kind: kindOf(schema, items, list !== undefined),
    hint: typeof description === 'string' ? description : '',
    usual: schema.default,
    values: textsOf(schema.enum ?? items.enum),
    names: branches.flatMap((branch) => textsOf(branch.enum)),
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
    whole: schema.type === 'integer',
  };
}

function kindOf(
  schema: Record<string, unknown>,
  items: Record<string, unknown>,
  orName: boolean,
): Option['kind'] {
  if (orName) return 'entities';
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (Array.isArray(schema.enum)) return 'choice';
  if (items.type === 'object') return 'patterns';
  return Array.isArray(items.enum) ? 'choices' : 'texts';
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
