import { type Static, Type } from 'typebox';
import { audit, changes, strict } from './event-type.ts';

const policyFacts = Type.Object(
  { name: Type.String(), mode: Type.Enum(['enforce', 'audit', 'disabled']) },
  strict,
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
  strict,
);
const denialExample: Static<typeof denialFacts> = {
  action: 'download',
  rule_type: 'require_signed_url',
  resource_id: 'obj_01m7gtek0sx6hv4x5fqk2v9d3e',
};

/** Security policies, and the actions that they denied. */
export const policyEvents = {
  'dam.policy.created': audit('policy', 'A policy was created.', policyFacts, policyExample),
  'dam.policy.updated': audit('policy', 'Fields of a policy changed.', changes, {
    changed: ['mode'],
  }),
  'dam.policy.deleted': audit('policy', 'A policy was deleted.', policyFacts, policyExample),
  'dam.policy.denied': audit(
    'policy',
    'A policy in enforce mode denied an action: one event per denial and rule. Denied uploads have `filename` and `sha256`, if known.',
    denialFacts,
    denialExample,
  ),
  'dam.policy.denial_observed': audit(
    'policy',
    'A policy in audit mode would have denied an action. Recorded at most once per key, rule and minute.',
    denialFacts,
    denialExample,
  ),
} as const;
