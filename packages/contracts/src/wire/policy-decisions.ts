import { type Static, Type } from 'typebox';
import { Entities, policyActions, ruleNames, traits } from '../rules.ts';
import { stripFields } from '../variants.ts';
import { Id, Nullable, Tags, Time } from './common.ts';
import { PolicyDraft } from './policies.ts';
import { strictObject, taggedUnion } from './shapes.ts';

export const Violation = strictObject(
  {
    policy_id: Type.String({
      description: 'The identifier of a policy, or `draft_1` for the first draft.',
    }),
    rule_type: Type.Enum(ruleNames),
    code: Type.String(),
    detail: Type.String(),
    parameters: Type.Record(Type.String(), Type.Unknown()),
    remedy: Nullable(
      strictObject({
        method: Type.String(),
        path: Type.String(),
        body: Nullable(Type.Record(Type.String(), Type.Unknown())),
      }),
    ),
  },
  { title: 'Violation' },
);
export type Violation = Static<typeof Violation>;

/**
 * The violation for a resource that does not exist in the project. No policy or rule is involved.
 */
const UnknownResource = strictObject(
  {
    ...Violation.properties,
    policy_id: Type.Null(),
    rule_type: Type.Null(),
    code: Type.Literal('resource_not_found'),
  },
  { title: 'UnknownResource' },
);

export const Obligation = taggedUnion(
  'type',
  [
    strictObject({
      type: Type.Literal('strip_metadata'),
      fields: Type.Array(Type.Enum([...stripFields])),
    }),
    strictObject({
      type: Type.Literal('serve_redacted'),
      entities: Entities,
      object_id: Id('object'),
    }),
    strictObject(
      {
        type: Type.Literal('external'),
        text: Type.Literal('allowed'),
        if_unavailable: Type.Enum(['fail', 'warn']),
      },
      { description: 'The external recogniser may read the text of the object.' },
    ),
  ],
  { title: 'Obligation' },
);
export type Obligation = Static<typeof Obligation>;

export const Decision = strictObject(
  {
    decision: Type.Enum(['allow', 'deny', 'pending'], {
      description:
        '`pending`: a rule depends on facts that are not known yet, and nothing denies the action so far.',
    }),
    violations: Type.Array(Violation),
    obligations: Type.Array(Obligation, {
      description: 'The obligations on delivery and processing if the action is allowed.',
    }),
    denials_observed: Type.Array(Violation, {
      description: 'The violations that policies in audit mode would deny.',
    }),
  },
  { title: 'Decision' },
);
export type Decision = Static<typeof Decision>;

/** The response of evaluate: a decision, even for a resource that does not exist. */
export const Evaluation = strictObject(
  {
    ...Decision.properties,
    violations: Type.Array(Type.Union([Violation, UnknownResource]), {
      description: 'A resource that the project does not have is denied with `resource_not_found`.',
    }),
  },
  { title: 'Evaluation' },
);
export type Evaluation = Static<typeof Evaluation>;

const unknownNote = 'Fields that are left out are unknown.';

export const mimePattern = '^[A-Za-z0-9][^\\s/;]*/[^\\s/;]+$';

export const Candidate = strictObject(
  {
    mime: Type.Optional(Type.String({ pattern: mimePattern, maxLength: 127 })),
    traits: Type.Optional(Type.Array(Type.Enum([...traits]), { uniqueItems: true })),
    bytes: Type.Optional(Type.Integer({ minimum: 0 })),
    pixels: Type.Optional(Type.Integer({ minimum: 0 })),
    pages: Type.Optional(Type.Integer({ minimum: 0 })),
    labels: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }),
    ),
    tags: Type.Optional(Tags),
  },
  { description: `A hypothetical file. ${unknownNote}` },
);
export type Candidate = Static<typeof Candidate>;

/** The IP address of a request, for rules about addresses. */
const addressOf = (description: string) =>
  Type.Optional(Type.String({ maxLength: 64, description }));

export const EvaluateRequest = strictObject({
  action: Type.Enum([...policyActions]),
  resource: Type.Optional(
    taggedUnion(
      'type',
      [
        strictObject({ type: Type.Literal('object'), id: Id('object') }),
        strictObject({ type: Type.Literal('image'), id: Id('image') }),
      ],
      { title: 'PolicyResource' },
    ),
  ),
  candidate: Type.Optional(Candidate),
  context: Type.Optional(
    strictObject({
      address: addressOf('The IP address of the request. Default: the address of the caller.'),
      at: Type.Optional(Time),
      signed_url: Type.Optional(
        Nullable(
          strictObject(
            { ttl_seconds: Type.Integer({ minimum: 1 }) },
            { description: 'For `sign`, the URL to create. For `download`, the URL in use.' },
          ),
        ),
      ),
    }),
  ),
  with: Type.Optional(
    Type.Array(PolicyDraft, {
      maxItems: 20,
      description: 'Policy drafts to evaluate as if they were saved.',
    }),
  ),
});
export type EvaluateRequest = Static<typeof EvaluateRequest>;

export const ImpactContext = strictObject(
  {
    address: addressOf('The IP address of the requests.'),
    at: Type.Optional(Time),
  },
  {
    title: 'ImpactContext',
    description:
      'The requests to count. Without `address`, rules about addresses deny nothing; without `at`, rules about times.',
  },
);
export type ImpactContext = Static<typeof ImpactContext>;

export const ImpactRecord = strictObject(
  {
    examined: Type.Integer({ minimum: 0, description: 'How many objects were examined.' }),
    complete: Type.Boolean({
      description: 'Whether all objects were examined. If false, only the newest were.',
    }),
    actions: Type.Record(
      Type.String(),
      strictObject({
        denied: Type.Integer({ minimum: 0 }),
        pending: Type.Integer({ minimum: 0 }),
        examples: Type.Array(Id('object'), { description: 'Some of the denied objects.' }),
      }),
    ),
  },
  { title: 'Impact' },
);
export type ImpactRecord = Static<typeof ImpactRecord>;
