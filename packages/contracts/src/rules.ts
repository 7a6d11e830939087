import { type Static, type TObject, Type } from 'typebox';
import { profileNames } from './documents/profiles.ts';
import { limits } from './limits.ts';
import { reviewableOperations } from './operations.ts';
import { stripFields } from './variants.ts';

/** The actions that policies cover. */
export const policyActions = ['upload', 'read', 'download', 'sign', 'process', 'delete'] as const;
export type PolicyAction = (typeof policyActions)[number];

export const policyModes = ['enforce', 'audit', 'disabled'] as const;
export type PolicyMode = (typeof policyModes)[number];

/** Properties of a file beyond its type, detected from its bytes. */
export const traits = ['executable', 'scripted'] as const;
export type Trait = (typeof traits)[number];
/** The type of a file; traits are null if unknown. */
export interface FileType {
  mime: string;
  traits: readonly Trait[] | null;
}

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

const token = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*';

export const mimeRulePattern = `^(?:\\*/\\*|${token}/(?:\\*|${token}))(?:;(?:${traits.join('|')}))?$`;

/**
 * A media type in a policy: `image/png`, `image/*`, `*` + `/*`. `;executable` or `;scripted` limits
 * it to such files.
 */
export const MimePattern = Type.String({
  maxLength: 140,
  pattern: mimeRulePattern,
  description:
    'A media type (`image/png`), a family (`image/*`) or all types (`*/*`), compared with the type detected from the bytes. `;executable` narrows it to programs, `;scripted` to files with scripts or macros.',
});

const Cidrs = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 100,
  description: 'IP address ranges in CIDR notation, such as `192.0.2.0/24` or `2001:db8::/32`.',
});
const Label = Type.String({ minLength: 1, maxLength: 100 });
export const clockPattern = '^(?:[01]\\d|2[0-3]):[0-5]\\d$';

export const entityPattern = '^[A-Za-z][A-Za-z0-9_]{0,63}$';

/** Types of personal data: a profile of `redact_pii`, or a list of names. */
export const Entities = Type.Union([
  Type.Enum(profileNames),
  Type.Array(Type.String({ pattern: entityPattern }), {
    minItems: 1,
    maxItems: 100,
  }),
]);
export type Entities = Static<typeof Entities>;

/** The data that a redaction is verified to have removed. */
export interface RedactionCoverage {
  /** The removed types, except those of findings that people rejected. */
  entities: Entities;
  /** The requested types, including those of rejected findings. */
  asked: Entities;
  /** Whether a person submitted the review of the redaction. */
  reviewed: boolean;
  /** Whether the reviewer had to differ from the requester. */
  fourEyes: boolean;
}

/** The names in a list, including names of profiles; null for all types. */
export function entityList(entities: Entities): readonly string[] | null {
  if (entities === 'all') return null;
  return typeof entities === 'string' ? [entities] : entities;
}

interface RuleType {
  parameters: TObject;
  /** The actions that the rule applies to. */
  actions: readonly PolicyAction[];
  /**
   * A resource that was once covered stays covered, even if it loses the tag or leaves the
   * collection.
   */
  sticky: boolean;
  summary: string;
}

const contentActions = ['upload', 'read', 'download', 'sign', 'process'] as const;
const displayActions = ['read', 'download', 'sign'] as const;

/**
 * Every type of rule: its parameters, and the actions it applies to. A new type is one entry here;
 * `policies/decision/rules.ts` then does not compile until it has a decision function.
 */
export const rules = {
  allowed_mime_types: {
    parameters: Type.Object({
      include: Type.Optional(
        Type.Array(MimePattern, {
          minItems: 1,
          maxItems: 100,
          description: 'Only these types are allowed.',
        }),
      ),
      exclude: Type.Optional(
        Type.Array(MimePattern, {
          minItems: 1,
          maxItems: 100,
          description: 'These types are not allowed.',
        }),
      ),
    }),
    actions: contentActions,
    sticky: false,
    summary: 'Allows only certain file types, detected from the bytes.',
  },
  max_bytes: {
    parameters: Type.Object({
      bytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    actions: contentActions,
    sticky: false,
    summary: 'Limits the size of files.',
  },
  max_pixels: {
    parameters: Type.Object({ pixels: Type.Integer({ minimum: 1, maximum: limits.image_pixels }) }),
    actions: contentActions,
    sticky: false,
    summary: 'Limits the pixels of images. Does not apply to other files.',
  },
  max_pages: {
    parameters: Type.Object({ pages: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
    actions: contentActions,
    sticky: false,
    summary: 'Limits the pages of documents. Does not apply to files without pages.',
  },
  require_signed_url: {
    parameters: Type.Object({
      max_ttl_seconds: Type.Optional(
        Type.Integer({
          minimum: limits.signed_url_min_seconds,
          maximum: limits.signed_url_max_seconds,
          description:
            'The longest lifetime of a signed URL, when it is created and when it is used.',
        }),
      ),
    }),
    actions: ['download', 'sign'],
    sticky: false,
    summary: 'Allows downloads through signed URLs only.',
  },
  ip_allow: {
    parameters: Type.Object({ cidrs: Cidrs }),
    actions: policyActions,
    sticky: false,
    summary: 'Allows requests from these IP addresses only.',
  },
  ip_deny: {
    parameters: Type.Object({ cidrs: Cidrs }),
    actions: policyActions,
    sticky: false,
    summary: 'Denies requests from these IP addresses.',
  },
  time_window: {
    parameters: Type.Object({
      time_zone: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A time zone of the IANA database, such as `Europe/Lisbon`.',
      }),
      days: Type.Optional(
        Type.Array(Type.Enum([...weekdays]), {
          minItems: 1,
          uniqueItems: true,
          description: 'The days of the week. Default: every day.',
        }),
      ),
      from: Type.String({ pattern: clockPattern }),
      to: Type.String({
        pattern: clockPattern,
        description:
          'The end of the window, exclusive. A window that ends before it begins runs past midnight and belongs to the day on which it begins. Equal times mean a whole day.',
      }),
    }),
    actions: policyActions,
    sticky: false,
    summary: 'Allows access at certain times only.',
  },
  strip_metadata: {
    parameters: Type.Object({
      fields: Type.Array(Type.Enum([...stripFields]), { minItems: 1, uniqueItems: true }),
    }),
    actions: ['download'],
    sticky: false,
    summary:
      'Removes metadata from images on delivery. Originals are kept, and records still show values read from them, such as the location of an image.',
  },
  require_redaction: {
    parameters: Type.Object({
      entities: Entities,
      fallback: Type.Optional(
        Type.Enum(['deny', 'serve_redacted'], {
          description:
            'What happens to the original. `deny` (default) denies the action. `serve_redacted` allows it on the newest verified redaction of all pages, which is downloaded, shown, signed or shared in place of the original.',
        }),
      ),
      reviewed: Type.Optional(
        Type.Boolean({
          description:
            'Whether only redactions count whose review a person submitted. Default: false.',
        }),
      ),
      four_eyes: Type.Optional(
        Type.Boolean({
          description:
            'Whether only redactions count whose review someone other than the requester had to submit (option `reviewers`: `not_requester`). Default: false.',
        }),
      ),
      accept_rejections: Type.Optional(
        Type.Boolean({
          description:
            'Whether a redaction counts for a type if findings of that type were rejected in its review, and so remain in the file. Default: false.',
        }),
      ),
    }),
    actions: displayActions,
    sticky: false,
    summary: 'Requires a verified redaction before content is shown or delivered.',
  },
  require_review: {
    parameters: Type.Object({
      ops: Type.Array(Type.Enum([...reviewableOperations]), {
        minItems: 1,
        uniqueItems: true,
        description: 'The operations that a person must have reviewed.',
      }),
    }),
    actions: displayActions,
    sticky: false,
    summary:
      'Holds outputs of jobs in which one of these operations was not reviewed. Does not apply to uploads.',
  },
  deny_labels: {
    parameters: Type.Object({
      labels: Type.Array(Label, { minItems: 1, maxItems: 100 }),
      require_labels: Type.Optional(
        Type.Boolean({
          description:
            'Whether to also deny objects that have not been classified where their content would be shown. Default: true.',
        }),
      ),
    }),
    actions: [...displayActions, 'process'],
    sticky: false,
    summary: 'Denies access to objects classified with one of these labels.',
  },
  external: {
    parameters: Type.Object({
      text: Type.Enum(['allowed', 'denied'], {
        description:
          'Whether the text of documents may be sent to the external recogniser of the service while they are redacted. Without a rule, it is not sent. `denied` overrides `allowed`.',
      }),
      if_unavailable: Type.Optional(
        Type.Enum(['fail', 'warn'], {
          description:
            'What happens to pages that the external recogniser could not search. `fail` (default): they fail. `warn`: they are redacted without it, the job gets a warning, and the redaction does not count as verified. `fail` overrides `warn`.',
        }),
      ),
    }),
    actions: ['process'],
    sticky: false,
    summary: 'Allows the external recogniser of the service to read text during redaction.',
  },
  retention: {
    parameters: Type.Object({ min_days: Type.Integer({ minimum: 1, maximum: 36_500 }) }),
    actions: ['delete'],
    sticky: true,
    summary: 'Keeps resources for a number of days after their creation.',
  },
  legal_hold: {
    parameters: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500 }) }),
    actions: ['delete'],
    sticky: true,
    summary: 'Keeps resources until the hold is lifted.',
  },
} as const satisfies Record<string, RuleType>;

export type RuleName = keyof typeof rules;
export const ruleNames = Object.keys(rules) as RuleName[];
export type RuleParameters<R extends RuleName> = Static<(typeof rules)[R]['parameters']>;

/** A rule of any type, with its parameters. */
export type PolicyRule = { [R in RuleName]: { type: R } & RuleParameters<R> }[RuleName];

/** Rules that still apply after the resource has lost the tag or left the collection. */
export const stickyRules: readonly RuleName[] = ruleNames.filter((name) => rules[name].sticky);
