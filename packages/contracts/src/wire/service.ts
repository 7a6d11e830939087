import { type Static, Type } from 'typebox';
import { type QuotaName, quotaNames, quotas } from '../quotas.ts';
import { Nullable } from './common.ts';
import { PresetOperation } from './operations.ts';
import { strictObject } from './shapes.ts';

const ProfileRecord = strictObject(
  {
    profile: Type.String(),
    description: Type.String(),
    source: Type.String({ description: 'The rules that the choice of types follows.' }),
    entities: Type.Array(Type.String()),
    narrowed: Type.Array(strictObject({ entity: Type.String(), description: Type.String() }), {
      description: 'The types that are removed only in part.',
    }),
  },
  { title: 'RedactionProfile' },
);

/** The capabilities of document jobs: `GET /v1/capabilities`. */
export const Capabilities = strictObject(
  {
    operations: Type.Array(
      strictObject({
        op: Type.String(),
        maturity: Type.Enum(['stable', 'expanding']),
        summary: Type.String(),
        options: Type.Record(Type.String(), Type.Unknown(), {
          description: 'The JSON Schema of the options, with defaults.',
        }),
        outputs: Type.Array(Type.String()),
        sources: Type.Array(
          Type.String({ description: 'A media type that the operation can read.' }),
        ),
        labels: Nullable(
          Type.Array(strictObject({ label: Type.String(), description: Type.String() }), {
            description: 'The labels of `classify`. Null for other operations.',
          }),
        ),
        profiles: Nullable(
          Type.Array(ProfileRecord, {
            description:
              'The profiles that `entities` of `redact_pii` accepts. Null for other operations.',
          }),
        ),
        entities: Nullable(
          Type.Array(strictObject({ entity: Type.String(), description: Type.String() }), {
            description: 'The types that `redact_pii` finds. Null for other operations.',
          }),
        ),
      }),
    ),
    features: Type.Array(
      strictObject({
        feature: Type.String(),
        maturity: Type.Enum(['stable', 'expanding']),
        summary: Type.String(),
      }),
      { description: 'Features for documents beyond single operations.' },
    ),
    presets: Type.Array(
      strictObject({
        name: Type.String(),
        description: Type.String(),
        operations: Type.Array(PresetOperation),
      }),
      {
        description:
          'Lists of operations to start with. Those of the project are in `GET /v1/documents/presets`.',
      },
    ),
    ocr_languages: Nullable(
      Type.Array(Type.String(), {
        description: 'The installed OCR languages. Null if unknown.',
      }),
    ),
  },
  { title: 'Capabilities' },
);
export type Capabilities = Static<typeof Capabilities>;

const QuotaUse = (name: QuotaName) =>
  strictObject(
    {
      used: Type.Integer({ minimum: 0 }),
      quota: Type.Integer({ minimum: 0 }),
    },
    { description: quotas[name].counts },
  );

const UsageDay = strictObject(
  {
    day: Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: 'In UTC, such as `2026-11-27`.',
    }),
    storage_bytes: Nullable(
      Type.Integer({
        minimum: 0,
        description:
          'The bytes that counted at the end of the day, or count now. Null for days before they were recorded.',
      }),
    ),
    requests: strictObject(
      {
        succeeded: Type.Integer({ minimum: 0, description: 'Requests with a status below 400.' }),
        failed: Type.Integer({ minimum: 0, description: 'Requests with a status of 400 or more.' }),
      },
      {
        description:
          'The requests of the day with a key, in the portal, or through a shared link. They are added within 10 seconds.',
      },
    ),
    embeddings: strictObject(
      {
        requests: Type.Integer({ minimum: 0 }),
        tokens: Type.Integer({ minimum: 0, description: 'As the endpoint reported them.' }),
      },
      { description: 'The requests to the embedding endpoint that succeeded.' },
    ),
  },
  { title: 'UsageDay' },
);
export type UsageDay = Static<typeof UsageDay>;

export const UsageRecord = strictObject(
  {
    ...(Object.fromEntries(quotaNames.map((name) => [name, QuotaUse(name)])) as Record<
      QuotaName,
      ReturnType<typeof QuotaUse>
    >),
    days: Type.Optional(
      Type.Array(UsageDay, { description: 'The last days, oldest first. Only with `days`.' }),
    ),
  },
  { title: 'Usage' },
);
export type UsageRecord = Static<typeof UsageRecord>;
