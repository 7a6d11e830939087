import { type Static, Type } from 'typebox';
import { auditEvent, changedFields, strictOptions } from './event-type.ts';

const policyFacts = Type.Object(
  { name: Type.String(), mode: Type.Enum(['enforce', 'audit', 'disabled']) },
  strictOptions,
);
const policyExample: Static<typeof policyFacts> = { name: 'No executables', mode: 'enforce' };
const denialFacts = Type.Object(
  {
    action: Type.String(),
    rule_type: Type.String(),
    resource_id: Type.Union([Type.String(), Type.Null()]),
    // Uploads only. Null if unknown.
    filename: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    sha256: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  strictOptions,
);
const denialExample: Static<typeof denialFacts> = {
  action: 'download',
  rule_type: 'require_signed_url',
  resource_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
};

/** Security policies, and the actions that they denied. */
export const policyEvents = {
  'dam.policy.created': auditEvent('policy', 'A policy was created.', policyFacts, policyExample),
  'dam.policy.updated': auditEvent('policy', 'Fields of a policy changed.', changedFields, {
    changed: ['mode'],
  }),
  'dam.policy.deleted': auditEvent('policy', 'A policy was deleted.', policyFacts, policyExample),
  'dam.policy.denied': auditEvent(
    'policy',
    'A policy in enforce mode denied an action: one event per denial and rule. Denied uploads have `filename` and `sha256`, if known.',
    denialFacts,
    denialExample,
  ),
  'dam.policy.denial_observed': auditEvent(
    'policy',
    'A policy in audit mode would have denied an action. Recorded at most once per key, rule and minute.',
    denialFacts,
    denialExample,
  ),
} as const;
