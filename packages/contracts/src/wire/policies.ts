import { type Static, type TSchema, Type } from 'typebox';
import { idPattern } from '../ids.ts';
import { limits } from '../limits.ts';
import {
  MimePattern,
  type PolicyRule,
  policyActions,
  policyModes,
  ruleNames,
  rules,
} from '../rules.ts';
import { Id, Nullable, Time } from './common.ts';
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

/** The sort keys of policies. */
export const policySorts = ['created_at', 'updated_at', 'name', 'mode'] as const;
export type PolicySort = (typeof policySorts)[number];
