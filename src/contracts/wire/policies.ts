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
/** A rule: its type, and beside it the parameters of that type. */
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
        description: 'What has one of these tags, in the same case, and what was made from it.',
      }),
    }),
    strictObject({
      type: Type.Literal('collection'),
      ids: Type.Array(Id('collection'), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'What is in one of these collections or in one nested in it, and what was made from that.',
      }),
    }),
  ],
  {
    title: 'PolicyScope',
    description:
      'Which resources of the project it is about. A collection must be manual; what is in the trash with it stays in scope. Whoever may untag a resource, or take it out of the collection, takes it out of such a scope: only `legal_hold` and `retention` stay with what was once in it. A scope of the project cannot be left.',
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
      'Narrows the scope to files of these types and with one of these labels; both must hold. What nobody has classified counts as having the label, except at upload and process.',
  },
);
export type PolicyWhen = Static<typeof PolicyWhen>;

const Actions = Type.Array(Type.Enum([...policyActions]), {
  minItems: 1,
  uniqueItems: true,
  description:
    'read: what is shown out of the bytes (renditions, page text, words). download: the bytes themselves, through a signed URL too. sign: making one. process: document jobs. delete: trash and purge.',
});
const Rules = Type.Array(Rule, { minItems: 1, maxItems: limits.rules_per_policy });
const Mode = Type.Enum([...policyModes], {
  description: 'audit lets everything pass and records what enforce would refuse.',
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
    policy_id: Type.String({ description: 'A policy, or `draft_1` for the first draft.' }),
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

/** The answer about a resource that the project does not have: no policy and no rule says so. */
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
      description: 'pending: what a rule has to know is not known yet, and nothing refuses so far.',
    }),
    violations: Type.Array(Violation),
    obligations: Type.Array(Obligation, { description: 'What an allowed delivery must do.' }),
    denials_observed: Type.Array(Violation, {
      description: 'What policies in audit mode would refuse.',
    }),
  },
  { title: 'Decision' },
);
export type Decision = Static<typeof Decision>;

/** What evaluate answers: a decision, also on a resource that is not there. */
export const Evaluation = strictObject(
  {
    ...Decision.properties,
    violations: Type.Array(Type.Union([Violation, UnknownResource]), {
      description: 'A resource that the project does not have is denied as `resource_not_found`.',
    }),
  },
  { title: 'Evaluation' },
);
export type Evaluation = Static<typeof Evaluation>;

const Unknown = 'Not known when it is left out.';

export const Candidate = strictObject(
  {
    mime: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9][^\\s/;]*/[^\\s/;]+$', maxLength: 127 }),
    ),
    traits: Type.Optional(Type.Array(Type.Enum([...traits]), { uniqueItems: true })),
    bytes: Type.Optional(Type.Integer({ minimum: 0 })),
    pixels: Type.Optional(Type.Integer({ minimum: 0 })),
    pages: Type.Optional(Type.Integer({ minimum: 0 })),
    labels: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }),
    ),
    tags: Type.Optional(Tags),
  },
  { description: `A file that need not exist. ${Unknown}` },
);
export type Candidate = Static<typeof Candidate>;

/** A policy that is not saved, or a saved one with other contents. */
export const PolicyDraft = strictObject(
  {
    id: Type.Optional(
      Type.String({
        pattern: idPattern('policy'),
        description: 'Stands in for this policy.',
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
        Type.String({ maxLength: 64, description: 'The caller’s own unless said.' }),
      ),
      at: Type.Optional(Time),
      signed_url: Type.Optional(
        Nullable(
          strictObject(
            { ttl_seconds: Type.Integer({ minimum: 1 }) },
            { description: 'At sign, the URL to be made; at download, the one that is used.' },
          ),
        ),
      ),
    }),
  ),
  with: Type.Optional(
    Type.Array(PolicyDraft, { maxItems: 20, description: 'Drafts, as if they were saved.' }),
  ),
});
export type EvaluateRequest = Static<typeof EvaluateRequest>;

export const ImpactRecord = strictObject(
  {
    examined: Type.Integer({ minimum: 0, description: 'How many objects were looked at.' }),
    complete: Type.Boolean({ description: 'False when there are more: the newest were taken.' }),
    actions: Type.Record(
      Type.String(),
      strictObject({
        denied: Type.Integer({ minimum: 0 }),
        pending: Type.Integer({ minimum: 0 }),
        examples: Type.Array(Id('object'), { description: 'A few of those denied.' }),
      }),
    ),
  },
  { title: 'Impact' },
);
export type ImpactRecord = Static<typeof ImpactRecord>;
