import { operationNames } from '@scriptorium/contracts/operations';
import { pluralise } from '@scriptorium/contracts/pluralise';
import {
  type Entities,
  entityList,
  type PolicyAction,
  type RedactionCoverage,
  type RuleName,
  type RuleParameters,
} from '@scriptorium/contracts/rules';
import type { Violation } from '@scriptorium/contracts/wire/policy-decisions';
import ipaddr from 'ipaddr.js';
import type { Fact, FactName, Facts } from './fact-table.ts';
import { matchesAny } from './mime-pattern.ts';
import { isInWindow } from './time-window.ts';
import { type Truth, truth } from './truth.ts';

export type Remedy = Violation['remedy'];

/** The verdict of a rule for one set of facts. */
export type RuleVerdict =
  | { kind: 'pass' }
  | { kind: 'deny'; code: string; detail: string; remedy: Remedy }
  /** The verdict depends on an unknown fact. */
  | { kind: 'unknown'; fact: FactName; remedy: Remedy }
  | { kind: 'strip'; fields: RuleParameters<'strip_metadata'>['fields'] }
  | { kind: 'external'; rule: RuleParameters<'external'> }
  /** Passes if redactions of these objects can be delivered instead. */
  | {
      kind: 'serve_redacted';
      rule: RuleParameters<'require_redaction'>;
      otherwise: RuleVerdict & { kind: 'deny' };
    };

/** The facts of the current action that a rule can use. */
export interface FactView {
  action: PolicyAction;
  /** The stored object, for remedies. */
  objectId: string | null;
  /** Whether a redaction can be delivered instead of the object. */
  replaceable: boolean;
  get<N extends FactName>(name: N): Facts[N];
}

type Judge<R extends RuleName> = (parameters: RuleParameters<R>, view: FactView) => RuleVerdict;

const pass: RuleVerdict = { kind: 'pass' };

function deny(code: string, detail: string, remedy: Remedy = null): RuleVerdict & { kind: 'deny' } {
  return { kind: 'deny', code, detail, remedy };
}

/** The decision function of each type of rule; a missing one does not compile. */
export const judges: { [R in RuleName]: Judge<R> } = {
  allowed_mime_types: ({ include, exclude }, view) => {
    const match = (patterns: readonly string[]): Truth =>
      matchesAny(patterns, view.get('mime'), view.get('traits'));
    const included = include ? match(include) : true;
    const excluded = exclude ? match(exclude) : false;
    const allowed = truth.and(included, truth.not(excluded));
    if (allowed === true) return pass;
    if (allowed === false) {
      return deny('mime_not_allowed', `${typeOf(view)} is not allowed.`);
    }
    const fact = view.get('mime').state === 'unknown' ? 'mime' : 'traits';
    return { kind: 'unknown', fact, remedy: null };
  },
  max_bytes: ({ bytes }, view) =>
    checkMaximum(
      view,
      'bytes',
      bytes,
      'too_many_bytes',
      `The maximum file size is ${pluralise(bytes, 'byte')}.`,
    ),
  max_pixels: ({ pixels }, view) =>
    checkMaximum(
      view,
      'pixels',
      pixels,
      'too_many_pixels',
      `The maximum size of an image is ${pluralise(pixels, 'pixel')}.`,
    ),
  max_pages: ({ pages }, view) =>
    checkMaximum(
      view,
      'pages',
      pages,
      'too_many_pages',
      `The maximum length of a document is ${pluralise(pages, 'page')}.`,
    ),
  require_signed_url: ({ max_ttl_seconds }, view) =>
    ifKnown(view.get('signing'), 'signing', (signing) => {
      const remedy = view.objectId
        ? {
            method: 'POST',
            path: `/v1/objects/${view.objectId}/signed-urls`,
            body: { ttl_seconds: Math.min(max_ttl_seconds ?? 3600, 3600) },
          }
        : null;
      if (!signing.signed) {
        return deny(
          'signed_url_required',
          'The bytes of the object are available only through a signed URL.',
          remedy,
        );
      }
      if (max_ttl_seconds === undefined || signing.ttlSeconds <= max_ttl_seconds) return pass;
      const detail = `A signed URL may be valid for at most ${pluralise(max_ttl_seconds, 'second')}.`;
      return deny('signed_url_ttl_too_long', detail, remedy);
    }),
  ip_allow: ({ cidrs }, view) =>
    ifKnown(view.get('address'), 'address', (address) =>
      isWithin(address, cidrs)
        ? pass
        : deny('address_not_allowed', 'The IP address is not in an allowed range.'),
    ),
  ip_deny: ({ cidrs }, view) =>
    ifKnown(view.get('address'), 'address', (address) =>
      isWithin(address, cidrs) ? deny('address_denied', 'The IP address is not allowed.') : pass,
    ),
  time_window: (window, view) =>
    ifKnown(view.get('time'), 'time', (time) =>
      isInWindow(window, time)
        ? pass
        : deny(
            'outside_time_window',
            `This is allowed only from ${window.from} to ${window.to} in ${window.time_zone}.`,
          ),
    ),
  strip_metadata: ({ fields }, view) =>
    ifKnown(view.get('mime'), 'mime', (mime) =>
      mime.startsWith('image/') ? { kind: 'strip', fields } : pass,
    ),
  require_redaction: (rule, view) =>
    ifKnown(view.get('redactions'), 'redactions', ({ covers }) => {
      if (covers.some((cover) => satisfiesRule(cover, rule))) return pass;
      const { reviewed, four_eyes: fourEyes } = rule;
      const review = {
        ...(reviewed || fourEyes ? { review: 'required' } : {}),
        ...(fourEyes ? { reviewers: 'not_requester' } : {}),
      };
      const remedy = jobRemedy(view, 'redact_pii', '/v1/documents/redact', review);
      const denial = deny('redaction_required', redactionDetail(rule), remedy);
      return rule.fallback === 'serve_redacted' && view.replaceable
        ? { kind: 'serve_redacted', rule, otherwise: denial }
        : denial;
    }),
  require_review: ({ ops }, view) =>
    ifKnown(view.get('unreviewed'), 'unreviewed', (unreviewed) => {
      const missing = ops.filter((op) => unreviewed.includes(op));
      if (missing.length === 0) return pass;
      return deny('review_required', `A person must review ${missing.join(' and ')} first.`);
    }),
  deny_labels: ({ labels, require_labels: required = true }, view) => {
    const labelsFact = view.get('labels');
    const judge = (given: readonly string[]): RuleVerdict =>
      given.some((label) => labels.includes(label))
        ? deny('label_denied', 'The classification of the object is not allowed.')
        : pass;
    if (labelsFact.state === 'unknown') {
      const verdict = judge(labelsFact.atLeast ?? []);
      if (verdict.kind === 'deny' || !required) return verdict;
    }
    const remedy = jobRemedy(view, 'classify', '/v1/documents/classify');
    return ifKnown(labelsFact, 'labels', judge, remedy);
  },
  external: (rule) => ({ kind: 'external', rule }),
  retention: ({ min_days: days }, view) =>
    ifKnown(view.get('ageDays'), 'ageDays', (age) =>
      age >= days
        ? pass
        : deny(
            'retention_running',
            `The object must be kept for ${pluralise(days, 'day')} after its creation.`,
          ),
    ),
  legal_hold: ({ reason }) => deny('legal_hold', `The object is under a legal hold (${reason}).`),
};

/** Describes the type of the file, with its traits, at the start of a sentence. */
function typeOf(view: FactView): string {
  const mime = view.get('mime');
  const traits = view.get('traits');
  if (mime.state !== 'known') return 'This file type';
  const hasTraits = traits.state === 'known' && traits.value.length > 0;
  return `The file type ${mime.value}${hasTraits ? ` (${traits.value.join(', ')})` : ''}`;
}

/** Continues with the fact if it is known; passes if it does not apply. */
function ifKnown<T>(
  fact: Fact<T>,
  name: FactName,
  decide: (value: T) => RuleVerdict,
  remedy: Remedy = null,
): RuleVerdict {
  switch (fact.state) {
    case 'known':
      return decide(fact.value);
    case 'unknown':
      return { kind: 'unknown', fact: name, remedy };
    case 'not_applicable':
      return pass;
  }
}

function checkMaximum(
  view: FactView,
  name: 'bytes' | 'pixels' | 'pages',
  max: number,
  code: string,
  detail: string,
): RuleVerdict {
  const remedy = name === 'pages' ? jobRemedy(view, 'ocr', '/v1/documents/ocr') : null;
  return ifKnown(view.get(name), name, (n) => (n <= max ? pass : deny(code, detail)), remedy);
}

/** The request for a job that would provide the missing fact, if the service supports the operation. */
function jobRemedy(view: FactView, operation: string, path: string, options: object = {}): Remedy {
  const isSupported = operationNames.some((name) => name === operation);
  if (!view.objectId || !isSupported) return null;
  return { method: 'POST', path, body: { source_object_id: view.objectId, ...options } };
}

function redactionDetail({ reviewed, four_eyes: fourEyes }: RuleParameters<'require_redaction'>) {
  if (fourEyes) {
    return 'The object must be redacted first, with a review by someone other than the requester.';
  }
  return reviewed
    ? 'The object must be redacted first, with a review by a person.'
    : 'The object must be redacted first.';
}

/** Whether a redaction meets the requirement of a rule. */
export function satisfiesRule(
  { entities, asked, reviewed, fourEyes }: RedactionCoverage,
  rule: RuleParameters<'require_redaction'>,
): boolean {
  if (rule.reviewed && !reviewed) return false;
  if (rule.four_eyes && !(reviewed && fourEyes)) return false;
  return coversAll(rule.accept_rejections ? asked : entities, rule.entities);
}

/** Whether an object that is free of `covered` is also free of `required`. */
function coversAll(covered: Entities, required: Entities): boolean {
  const [coveredNames, names] = [entityList(covered), entityList(required)];
  return coveredNames === null || (names?.every((name) => coveredNames.includes(name)) ?? false);
}

/** The union of both sets of kinds of personal data. */
export function uniteEntities(first: Entities, second: Entities): Entities {
  const [names, others] = [entityList(first), entityList(second)];
  return names && others ? [...new Set([...names, ...others])].sort() : 'all';
}

function isWithin(address: string, cidrs: readonly string[]): boolean {
  const parsed = ipaddr.process(address);
  return cidrs.some((cidr) => {
    const [range, bits] = ipaddr.parseCIDR(cidr);
    // An IPv4 range written as IPv6 must match IPv4 addresses.
    if (parsed instanceof ipaddr.IPv4 && range instanceof ipaddr.IPv6) {
      return range.isIPv4MappedAddress() && parsed.toIPv4MappedAddress().match(range, bits);
    }
    return range.kind() === parsed.kind() && parsed.match(range, bits);
  });
}
