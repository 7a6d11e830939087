import { type Static, Type } from 'typebox';
import { erasureModes, erasureResourceStates, erasureStates } from '../erasures.ts';
import { limits } from '../limits.ts';
import { signatureField } from './certificates.ts';
import { Id, Nullable, Time } from './common.ts';
import { listSchema, strictObject } from './shapes.ts';

const actor = strictObject({ type: Type.String(), id: Nullable(Type.String()) });

/** Begins and ends with a letter or digit, apart from other characters around. */
export const valuePattern = '[\\p{L}\\p{N}].*[\\p{L}\\p{N}]';

export const ErasureCreate = strictObject({
  values: Type.Array(Type.String({ minLength: 2, maxLength: 200, pattern: valuePattern }), {
    minItems: 1,
    maxItems: limits.values_per_erasure,
    uniqueItems: true,
    description:
      'Matched as whole values, regardless of case and of the white space and punctuation between words.',
  }),
  objects: Type.Enum([...erasureModes], {
    default: 'purge',
    description:
      '`purge`: objects that contain a value are deleted for good, with the objects made from them and packs with them. `text`: their bytes stay; what was read from them is deleted, and the value is removed from their details.',
  }),
});
export type ErasureCreate = Static<typeof ErasureCreate>;

export const ErasureConfirm = strictObject({
  whole_values: Type.Optional(
    Type.Boolean({
      description:
        'Confirms that every occurrence is to be erased, although a value is a single word. Required if `ordinary_words` is not empty.',
    }),
  ),
});

const counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 1 }), { description });

const keptResource = strictObject({
  resource_type: Type.String(),
  resource_id: Type.String(),
  policy_id: Type.String(),
  rule_type: Type.String(),
});

/** What was erased, signed with the certificate key of the project. No values. */
export const ErasureReport = strictObject(
  {
    report: strictObject({
      version: Type.Integer({ minimum: 1, description: 'The version of this format.' }),
      erasure_id: Id('erasure'),
      project_id: Id('project'),
      value_count: Type.Integer({ minimum: 1 }),
      objects: Type.Enum([...erasureModes]),
      requested_by: actor,
      confirmed_by: actor,
      requested_at: Time,
      finished_at: Time,
      erased: counts('Resources from which values were erased, by type.'),
      kept: Type.Array(keptResource, { description: 'Objects that policies keep, unchanged.' }),
    }),
    signature: signatureField('report'),
  },
  { title: 'ErasureReport' },
);
export type ErasureReport = Static<typeof ErasureReport>;

export const ErasureRecord = strictObject(
  {
    id: Id('erasure'),
    project_id: Id('project'),
    state: Type.Enum([...erasureStates]),
    percent: Type.Integer({ minimum: 0, maximum: 100 }),
    value_count: Type.Integer({ minimum: 1 }),
    objects: Type.Enum([...erasureModes]),
    found: counts('Resources that contain a value, by type.'),
    ordinary_words: Type.Array(
      strictObject({
        value_index: Type.Integer({ minimum: 0 }),
        resources: Type.Integer({ minimum: 0 }),
      }),
      {
        description:
          'Values that are single words, which may occur in other meanings, with the number of resources that contain them.',
      },
    ),
    requested_by: actor,
    confirmed_by: Nullable(actor),
    created_at: Time,
    finished_at: Nullable(Time),
    report: Nullable(ErasureReport),
    version: Type.Integer({ minimum: 1 }),
  },
  { title: 'Erasure' },
);
export type ErasureRecord = Static<typeof ErasureRecord>;
export const ErasureList = listSchema(ErasureRecord);

export const ErasureResourceRecord = strictObject(
  {
    resource_type: Type.String(),
    resource_id: Type.String(),
    fields: Type.Array(Type.String()),
    value_indexes: Type.Array(Type.Integer({ minimum: 0 })),
    state: Type.Enum([...erasureResourceStates]),
    kept_by: Nullable(strictObject({ policy_id: Type.String(), rule_type: Type.String() })),
  },
  { title: 'ErasureResource' },
);
export type ErasureResourceRecord = Static<typeof ErasureResourceRecord>;
export const ErasureResourceList = listSchema(ErasureResourceRecord);
