import { type Static, Type } from 'typebox';
import { retentionRuleTypes } from '../retention.ts';
import { Id, Nullable, Time } from './common.ts';
import { listSchema, strictObject, taggedUnion } from './shapes.ts';

const days = Type.Integer({ minimum: 1, maximum: 36_500 });
const until = Type.String({
  format: 'date-time',
  description: 'A time in the future.',
});

const scope = taggedUnion(
  'type',
  [
    strictObject({ type: Type.Literal('project') }),
    strictObject({ type: Type.Literal('collection'), collection_id: Id('collection') }),
  ],
  {
    title: 'RetentionScope',
    description:
      'All objects of the project, or those in a manual collection and the collections in it.',
  },
);
export type RetentionScope = Static<typeof scope>;

const rule = taggedUnion(
  'type',
  [
    strictObject({ type: Type.Literal('delete_after'), days }),
    strictObject({ type: Type.Literal('delete_after_last_job'), days }),
    strictObject({ type: Type.Literal('keep_until'), until }),
  ],
  {
    title: 'RetentionTerm',
    description: Object.entries(retentionRuleTypes)
      .map(([name, summary]) => `\`${name}\`: ${summary}`)
      .join(' '),
  },
);
export type RetentionTerm = Static<typeof rule>;

export const RetentionRuleCreate = strictObject({ scope, rule });
export type RetentionRuleCreate = Static<typeof RetentionRuleCreate>;
export const RetentionRulePatch = strictObject({ rule });

export const RetentionRuleRecord = strictObject(
  {
    id: Id('retention_rule'),
    project_id: Id('project'),
    scope,
    rule,
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { title: 'ProjectRetentionRule' },
);
export type RetentionRuleRecord = Static<typeof RetentionRuleRecord>;
export const RetentionRuleList = listSchema(RetentionRuleRecord);

export const ExpiredObject = strictObject(
  {
    object_id: Id('object'),
    filename: Type.String(),
    bytes: Type.Integer({ minimum: 0 }),
    rule_id: Id('retention_rule'),
    outputs: Type.Integer({
      minimum: 0,
      description: 'The number of objects made from it, which are deleted with it.',
    }),
    kept_by: Nullable(
      strictObject(
        {
          type: Type.Enum(['policy', 'retention_rule']),
          id: Type.String(),
          rule_type: Type.String(),
          object_id: Id('object'),
        },
        {
          description:
            'The policy or rule that keeps the object, or an object made from it. Null: it will be deleted.',
        },
      ),
    ),
  },
  { title: 'ExpiredObject' },
);
export type ExpiredObject = Static<typeof ExpiredObject>;
export const ExpiredObjectList = listSchema(ExpiredObject);
