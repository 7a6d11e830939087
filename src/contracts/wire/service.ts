import { type Static, Type } from 'typebox';
import { type QuotaName, quotaNames, quotas } from '../quotas.ts';
import { Nullable } from './common.ts';
import { strictObject } from './shapes.ts';

/** What document jobs can do here: `GET /v1/capabilities`. */
export const Capabilities = strictObject(
  {
    operations: Type.Array(
      strictObject({
        op: Type.String(),
        maturity: Type.Enum(['stable', 'expanding']),
        summary: Type.String(),
        options: Type.Record(Type.String(), Type.Unknown(), {
          description: 'JSON Schema of its options; each has a default there.',
        }),
        outputs: Type.Array(Type.String()),
        sources: Type.Array(Type.String({ description: 'A type of object that it can read.' })),
        labels: Nullable(
          Type.Array(strictObject({ label: Type.String(), description: Type.String() }), {
            description: 'What `classify` can take a document for; null of other operations.',
          }),
        ),
      }),
    ),
    ocr_languages: Nullable(
      Type.Array(Type.String(), {
        description: 'What `ocr` can be told to expect, by what is installed; null: not known.',
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

export const UsageRecord = strictObject(
  Object.fromEntries(quotaNames.map((name) => [name, QuotaUse(name)])) as Record<
    QuotaName,
    ReturnType<typeof QuotaUse>
  >,
  { title: 'Usage' },
);
