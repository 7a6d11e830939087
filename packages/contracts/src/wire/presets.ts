import { type Static, Type } from 'typebox';
import { ActorRecord, Id, Nullable, Time } from './common.ts';
import { OperationList, PresetOperation } from './operations.ts';
import { listSchema, strictObject } from './shapes.ts';

/** Must not be only white space. */
export const presetNamePattern = '\\S';
const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: presetNamePattern,
  description: 'Unique in the project, regardless of case.',
});
const description = Nullable(Type.String({ maxLength: 500 }));

export const PresetCreate = strictObject({
  name,
  description: Type.Optional(description),
  operations: OperationList,
});
export type PresetCreate = Static<typeof PresetCreate>;

export const PresetPatch = strictObject(
  {
    name: Type.Optional(name),
    description: Type.Optional(description),
    operations: Type.Optional(OperationList),
  },
  { minProperties: 1 },
);
export type PresetPatch = Static<typeof PresetPatch>;

export const PresetRecord = Type.Object(
  {
    id: Id('preset'),
    project_id: Id('project'),
    name: Type.String(),
    description: Nullable(Type.String()),
    operations: Type.Array(PresetOperation, {
      description:
        'With all options. Without the `pii:read` scope, every `pattern` in `custom_patterns` is null, and `allow_list` is null with its length in `allow_list_count`.',
    }),
    created_by: ActorRecord,
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false, title: 'Preset' },
);
export type PresetRecord = Static<typeof PresetRecord>;

export const PresetList = listSchema(PresetRecord);
