import { type Static, type TObject, Type } from 'typebox';
import { limits } from './limits.ts';
import { stripFields } from './variants.ts';

/** What a policy can speak about. */
export const policyActions = ['upload', 'read', 'download', 'sign', 'process', 'delete'] as const;
export type PolicyAction = (typeof policyActions)[number];

export const policyModes = ['enforce', 'audit', 'disabled'] as const;
export type PolicyMode = (typeof policyModes)[number];

/** What a file is beside its type, told from its bytes. */
export const traits = ['executable', 'scripted'] as const;
export type Trait = (typeof traits)[number];

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

const token = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*';

/**
 * A type of file, as policies name it: `image/png`, `image/*`, `*` + `/*`. With `;executable` or
 * `;scripted` behind it, only such files of the type.
 */
export const MimePattern = Type.String({
  maxLength: 140,
  pattern: `^(?:\\*/\\*|${token}/(?:\\*|${token}))(?:;(?:${traits.join('|')}))?$`,
  description:
    'A type (`image/png`), a family (`image/*`) or all (`*/*`), of what the bytes are; with `;executable` or `;scripted` only files that a machine would run, or that hold scripts or macros.',
});

const Cidrs = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Ranges of addresses, such as 192.0.2.0/24 or 2001:db8::/32.',
});
const Label = Type.String({ minLength: 1, maxLength: 100 });
const clock = '^(?:[01]\\d|2[0-3]):[0-5]\\d$';

/** Kinds of personal data: names of them, or all there are. */
export const Entities = Type.Union([
  Type.Literal('all'),
  Type.Array(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }), {
    minItems: 1,
    maxItems: 100,
  }),
]);
export type Entities = Static<typeof Entities>;

interface RuleType {
  parameters: TObject;
  /** The actions it has something to say about; of others it says nothing. */
  actions: readonly PolicyAction[];
  /** A resource that came under it stays under it, whatever tags or collections it leaves. */
  sticky: boolean;
  summary: string;
}

const content = ['upload', 'read', 'download', 'sign', 'process'] as const;
const shown = ['read', 'download', 'sign'] as const;

/**
 * Every type of rule: its parameters, and the actions it speaks about. A new type is one entry here;
 * after that `policies/decision/rules.ts` does not compile until it is decided.
 */
export const rules = {
  allowed_mime_types: {
    parameters: Type.Object({
      include: Type.Optional(
        Type.Array(MimePattern, { minItems: 1, maxItems: 100, description: 'Nothing but these.' }),
      ),
      exclude: Type.Optional(
        Type.Array(MimePattern, { minItems: 1, maxItems: 100, description: 'None of these.' }),
      ),
    }),
    actions: content,
    sticky: false,
    summary: 'Which types of file may pass, told from the bytes.',
  },
  max_bytes: {
    parameters: Type.Object({
      bytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    actions: content,
    sticky: false,
    summary: 'No larger file.',
  },
  max_pixels: {
    parameters: Type.Object({ pixels: Type.Integer({ minimum: 1, maximum: limits.image_pixels }) }),
    actions: content,
    sticky: false,
    summary: 'No larger image; of what is no image it says nothing.',
  },
  max_pages: {
    parameters: Type.Object({ pages: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }),
    actions: content,
    sticky: false,
    summary: 'No longer document; of what has no pages it says nothing.',
  },
  require_signed_url: {
    parameters: Type.Object({
      max_ttl_seconds: Type.Optional(
        Type.Integer({
          minimum: limits.signed_url_min_seconds,
          maximum: limits.signed_url_max_seconds,
          description: 'The longest time a signed URL may be made for, and be used with.',
        }),
      ),
    }),
    actions: ['download', 'sign'],
    sticky: false,
    summary: 'Bytes leave through signed URLs only.',
  },
  ip_allow: {
    parameters: Type.Object({ cidrs: Cidrs }),
    actions: policyActions,
    sticky: false,
    summary: 'Only from these addresses.',
  },
  ip_deny: {
    parameters: Type.Object({ cidrs: Cidrs }),
    actions: policyActions,
    sticky: false,
    summary: 'Not from these addresses.',
  },
  time_window: {
    parameters: Type.Object({
      time_zone: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Of the IANA database, such as Europe/Lisbon.',
      }),
      days: Type.Optional(
        Type.Array(Type.Enum([...weekdays]), {
          minItems: 1,
          uniqueItems: true,
          description: 'On which days; on all unless said.',
        }),
      ),
      from: Type.String({ pattern: clock }),
      to: Type.String({
        pattern: clock,
        description:
          'Exclusive. A window that ends before it begins goes past midnight and belongs to the day it begins on; one that ends where it begins lasts a day.',
      }),
    }),
    actions: policyActions,
    sticky: false,
    summary: 'Only at these times.',
  },
  strip_metadata: {
    parameters: Type.Object({
      fields: Type.Array(Type.Enum([...stripFields]), { minItems: 1, uniqueItems: true }),
    }),
    actions: ['download'],
    sticky: false,
    summary:
      'Images are delivered without these parts of their metadata. Originals are kept, and records still show what was read from them, such as an image’s location.',
  },
  require_redaction: {
    parameters: Type.Object({
      entities: Entities,
      fallback: Type.Optional(
        Type.Enum(['deny', 'serve_redacted'], {
          description:
            'What a download gets instead: a refusal (unless said), or the newest verified redaction of all pages.',
        }),
      ),
    }),
    actions: shown,
    sticky: false,
    summary: 'Shown and delivered only when redacted, and the redaction verified.',
  },
  deny_labels: {
    parameters: Type.Object({
      labels: Type.Array(Label, { minItems: 1, maxItems: 100 }),
      require_labels: Type.Optional(
        Type.Boolean({
          description:
            'Whether what nobody has classified is refused too where it would be shown; true unless said.',
        }),
      ),
    }),
    actions: [...shown, 'process'],
    sticky: false,
    summary: 'Nothing that was classified as one of these.',
  },
  retention: {
    parameters: Type.Object({ min_days: Type.Integer({ minimum: 1, maximum: 36_500 }) }),
    actions: ['delete'],
    sticky: true,
    summary: 'Kept so many days, counted from its creation.',
  },
  legal_hold: {
    parameters: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500 }) }),
    actions: ['delete'],
    sticky: true,
    summary: 'Kept until the hold is lifted.',
  },
} as const satisfies Record<string, RuleType>;

export type RuleName = keyof typeof rules;
export const ruleNames = Object.keys(rules) as RuleName[];
export type RuleParameters<R extends RuleName> = Static<(typeof rules)[R]['parameters']>;

/** A rule of a policy, of any type, with the parameters of that type. */
export type PolicyRule = { [R in RuleName]: { type: R } & RuleParameters<R> }[RuleName];

/** Rules whose effect outlives the membership or the tag that it came through. */
export const stickyRules: readonly RuleName[] = ruleNames.filter((name) => rules[name].sticky);
