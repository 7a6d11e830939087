import { type Static, type TSchema, Type } from 'typebox';
import { idPattern } from '../ids.ts';
import { limits } from '../limits.ts';
import {
  Entities,
  MimePattern,
  type PolicyRule,
  policyActions,
  policyModes,
  ruleNames,
  rules,
  traits,
} from '../rules.ts';
import { stripFields } from '../variants.ts';
import { Id, Nullable, Tags, Time } from './common.ts';
import { strictObject, taggedUnion } from './shapes.ts';

const Name = Type.String({ minLength: 1, maxLength: 200 });

const RuleUnion = taggedUnion(
  'type',
  ruleNames.map((type) => {
    const { parameters, summary } = rules[type];
    const properties: Record<string, TSchema> = parameters.properties;
    return strictObject({ type: Type.Literal(type), ...properties }, { description: summary });
  }),
  { title: 'Rule' },
);
/** A rule: its type and the parameters of that type. */
const Rule = Type.Unsafe<PolicyRule>(RuleUnion);

export const PolicyScope = taggedUnion(
  'type',
  [
    strictObject({ type: Type.Literal('project') }),
    strictObject({
      type: Type.Literal('tag'),
      tags: Type.Array(Type.String({ minLength: 1, maxLength: limits.tag_characters }), {
        minItems: 1,
        maxItems: 100,
        description:
          'Resources with one of these tags (case-sensitive), and what is derived from them.',
      }),
    }),
    strictObject({
      type: Type.Literal('collection'),
      ids: Type.Array(Id('collection'), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'Members of these collections or of collections nested in them, and what is derived from them.',
      }),
    }),
  ],
  {
    title: 'PolicyScope',
    description:
      'The resources that the policy covers. Collections must be manual; members of a trashed collection stay in scope. A resource that loses the tag or leaves the collection also leaves the scope: only `legal_hold` and `retention` continue to apply. Use the type `project` for rules that must not be evaded.',
  },
);
export type PolicyScope = Static<typeof PolicyScope>;

const conditions = {
  mime: Type.Array(MimePattern, { minItems: 1, maxItems: 100 }),
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 100 }),
};

export const PolicyWhen = strictObject(
  { mime: Type.Optional(conditions.mime), labels: Type.Optional(conditions.labels) },
  {
    description:
      'Narrows the scope to files of these types and with one of these labels. Both must match. Unclassified objects count as having the label, except for `upload` and `process`.',
  },
);
export type PolicyWhen = Static<typeof PolicyWhen>;

const Actions = Type.Array(Type.Enum([...policyActions]), {
  minItems: 1,
  uniqueItems: true,
  description:
    '`read`: content derived from the bytes (renditions, page text, words). `download`: the bytes, also through a signed URL. `sign`: creating a signed URL. `process`: document jobs. `delete`: trash and purge.',
});
const Rules = Type.Array(Rule, { minItems: 1, maxItems: limits.rules_per_policy });
const Mode = Type.Enum([...policyModes], {
  description:
    '`enforce` denies violations. `audit` allows them and records an event. `disabled` does nothing.',
});

const draft = {
  name: Name,
  mode: Mode,
  scope: PolicyScope,
  actions: Actions,
  when: Type.Optional(Nullable(PolicyWhen)),
  rules: Rules,
};

export const PolicyCreate = strictObject(draft, { title: 'PolicyCreate' });
export type PolicyCreate = Static<typeof PolicyCreate>;

export const PolicyPatch = strictObject(
  {
    name: Type.Optional(Name),
    mode: Type.Optional(Mode),
    scope: Type.Optional(PolicyScope),
    actions: Type.Optional(Actions),
    when: Type.Optional(
      Nullable(
        strictObject({
          mime: Type.Optional(Nullable(conditions.mime)),
          labels: Type.Optional(Nullable(conditions.labels)),
        }),
      ),
    ),
    rules: Type.Optional(Rules),
  },
  { title: 'PolicyPatch' },
);
export type PolicyPatch = Static<typeof PolicyPatch>;

export const PolicyRecord = strictObject(
  {
    id: Id('policy'),
    project_id: Id('project'),
    name: Type.String(),
    mode: Mode,
    scope: PolicyScope,
    actions: Actions,
    when: Nullable(PolicyWhen),
    rules: Rules,
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { title: 'Policy' },
);
export type PolicyRecord = Static<typeof PolicyRecord>;

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

/** The violation for a resource that the project does not have. No policy or rule is involved. */
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
      description: 'What must be done on delivery if the action is allowed.',
    }),
    denials_observed: Type.Array(Violation, {
      description: 'What policies in audit mode would deny.',
    }),
  },
  { title: 'Decision' },
);
export type Decision = Static<typeof Decision>;

/** The response of evaluate: a decision, also for a resource that does not exist. */
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

const Unknown = 'Fields that are left out are unknown.';

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
  { description: `A hypothetical file. ${Unknown}` },
);
export type Candidate = Static<typeof Candidate>;

/** An unsaved policy, or a changed version of a saved one. */
export const PolicyDraft = strictObject(
  {
    id: Type.Optional(
      Type.String({
        pattern: idPattern('policy'),
        description: 'The saved policy that the draft replaces.',
      }),
    ),
    ...draft,
  },
  { title: 'PolicyDraft' },
);
export type PolicyDraft = Static<typeof PolicyDraft>;

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
      address: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'The IP address of the request. Default: the address of the caller.',
        }),
      ),
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
