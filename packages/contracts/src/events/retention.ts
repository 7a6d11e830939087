import { type Static, Type } from 'typebox';
import { retentionRuleTypes } from '../retention.ts';
import { auditEvent, strictOptions } from './event-type.ts';

const ruleFacts = Type.Object(
  {
    type: Type.Enum(Object.keys(retentionRuleTypes)),
    collection_id: Type.Union([Type.String(), Type.Null()]),
    days: Type.Union([Type.Integer(), Type.Null()]),
    until: Type.Union([Type.String(), Type.Null()]),
  },
  strictOptions,
);
const ruleExample: Static<typeof ruleFacts> = {
  type: 'delete_after',
  collection_id: null,
  days: 30,
  until: null,
};

/** Rules that delete objects after a time. */
export const retentionEvents = {
  'dam.retention_rule.created': auditEvent(
    'retention_rule',
    'A retention rule was created.',
    ruleFacts,
    ruleExample,
  ),
  'dam.retention_rule.updated': auditEvent(
    'retention_rule',
    'A retention rule was changed.',
    ruleFacts,
    ruleExample,
  ),
  'dam.retention_rule.deleted': auditEvent(
    'retention_rule',
    'A retention rule was deleted.',
    ruleFacts,
    ruleExample,
  ),
  'dam.object.expired': auditEvent(
    'object',
    'A retention rule deleted an object with the objects made from it. A `dam.object.purged` follows for each.',
    Type.Object({ rule_id: Type.String(), outputs: Type.Integer({ minimum: 0 }) }, strictOptions),
    { rule_id: 'ret_01m7gtek0sx6hv4x5fqk2v9d3e', outputs: 1 },
  ),
} as const;
