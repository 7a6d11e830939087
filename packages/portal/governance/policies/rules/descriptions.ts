import { profiles } from '@scriptorium/contracts/documents/profiles';
import { formatBytes } from '@scriptorium/contracts/format-bytes';
import type { ReviewableOperation } from '@scriptorium/contracts/operations';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type {
  Entities,
  PolicyAction,
  PolicyMode,
  PolicyRule,
  RuleName,
  RuleParameters,
  Weekday,
} from '@scriptorium/contracts/rules';
import type { StripFields } from '@scriptorium/contracts/variants';
import type { PolicyScope, PolicyWhen } from '@scriptorium/contracts/wire/policies';
import type { Obligation } from '@scriptorium/contracts/wire/policy-decisions';
import { entityTitle } from '../../../kit/entity-titles.ts';

/** The actions that policies control. */
export const actionLabels: Record<PolicyAction, { title: string; verb: string; hint: string }> = {
  upload: { title: 'Upload', verb: 'upload', hint: 'Store a file.' },
  read: {
    title: 'Read',
    verb: 'view',
    hint: 'View content: renditions, page text, words, search highlights.',
  },
  download: {
    title: 'Download',
    verb: 'download',
    hint: 'Download the file, directly or with a signed URL.',
  },
  sign: { title: 'Sign', verb: 'create a signed URL for', hint: 'Create a signed URL.' },
  process: {
    title: 'Process',
    verb: 'process',
    hint: 'Run document jobs, such as OCR or redaction.',
  },
  delete: { title: 'Delete', verb: 'delete', hint: 'Move to trash, or purge.' },
};
export const actionNames = Object.keys(actionLabels) as PolicyAction[];

export const modeLabels: Record<PolicyMode, { title: string; hint: string }> = {
  enforce: { title: 'Enforce', hint: 'Violations are denied and recorded in the audit log.' },
  audit: {
    title: 'Audit',
    hint: 'Violations are allowed, but recorded in the audit log. Use this to test a policy.',
  },
  disabled: { title: 'Disabled', hint: 'The policy has no effect, and its holds are released.' },
};
export const modeNames = Object.keys(modeLabels) as PolicyMode[];

export const ruleTitles: Record<RuleName, string> = {
  allowed_mime_types: 'Allowed types',
  max_bytes: 'Maximum file size',
  max_pixels: 'Maximum image size',
  max_pages: 'Maximum page count',
  require_signed_url: 'Signed URLs only',
  ip_allow: 'Allowed IP addresses',
  ip_deny: 'Denied IP addresses',
  time_window: 'Time window',
  strip_metadata: 'Strip metadata',
  require_redaction: 'Redaction required',
  require_review: 'Review required',
  deny_labels: 'Denied labels',
  external: 'External recogniser',
  retention: 'Retention',
  legal_hold: 'Legal hold',
};
export const ruleNames = Object.keys(ruleTitles) as RuleName[];

/** The operations that people review. */
export const reviewLabels: Record<ReviewableOperation, string> = {
  redact_pii: 'the redaction',
  classify: 'the classification',
};

export const weekdayLabels: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

export const metadataLabels: Record<StripFields, string> = {
  gps: 'location data',
  all: 'any metadata',
};

type RuleDescription<R extends RuleName> = (parameters: RuleParameters<R>) => string;

const ruleDescriptions: { [R in RuleName]: RuleDescription<R> } = {
  allowed_mime_types: ({ include, exclude }) =>
    [
      include && `Only ${joinNames(include.map(describeType))}.`,
      exclude && `No ${joinNames(exclude.map(describeType))}.`,
    ]
      .filter(Boolean)
      .join(' '),
  max_bytes: ({ bytes }) => `Files up to ${formatBytes(bytes)}.`,
  max_pixels: ({ pixels }) => `Images up to ${formatPixels(pixels)}.`,
  max_pages: ({ pages }) => `Documents up to ${pluralise(pages, 'page')}.`,
  require_signed_url: ({ max_ttl_seconds }) =>
    max_ttl_seconds === undefined
      ? 'Downloads require a signed URL.'
      : `Downloads require a signed URL, valid for at most ${formatDuration(max_ttl_seconds)}.`,
  ip_allow: ({ cidrs }) => `Only from ${joinNames(cidrs)}.`,
  ip_deny: ({ cidrs }) => `Never from ${joinNames(cidrs)}.`,
  time_window: ({ days, from, to, time_zone }) => {
    if (from === to && !days) return 'At any time.';
    const names = days?.map((day) => weekdayLabels[day]);
    const on = names ? `on ${joinNames(names, 'and')}` : 'every day';
    return from < to
      ? `Only from ${from} to ${to} (${time_zone}) ${on}.`
      : `Only from ${from} ${on} to ${to} the next day (${time_zone}).`;
  },
  strip_metadata: ({ fields }) =>
    `Images are delivered without ${joinNames(
      fields.map((field) => metadataLabels[field]),
      'and',
    )}.`,
  require_redaction: ({ entities, fallback }) =>
    `Only if ${redactedSubject(entities)} redacted; ${
      fallback === 'serve_redacted'
        ? 'otherwise, downloads return the latest verified redaction'
        : 'otherwise denied'
    }.`,
  require_review: ({ ops }) =>
    `Outputs only after a person has reviewed ${ops.map((op) => reviewLabels[op]).join(' and ')}.`,
  deny_labels: ({ labels, require_labels: required = true }) =>
    `Nothing classified as ${joinNames(labels)}${required ? ', and nothing unclassified' : ''}.`,
  external: ({ text, if_unavailable }) =>
    text === 'denied'
      ? 'Text is never sent to the external recogniser.'
      : `Text may be sent to the external recogniser during redaction; ${
          if_unavailable === 'warn'
            ? 'pages that it cannot search are redacted without it and are not verified'
            : 'pages that it cannot search fail'
        }.`,
  retention: ({ min_days: days }) => `Kept for ${pluralise(days, 'day')} after creation.`,
  legal_hold: ({ reason }) => `Kept until the hold is released. Reason: ${reason}`,
};

/** Returns a rule as a sentence. */
export function describeRule(rule: PolicyRule): string {
  // The type of the map guarantees that each type has a sentence for its own parameters.
  const describe = ruleDescriptions[rule.type] as (parameters: PolicyRule) => string;
  return describe(rule);
}

/** Returns the conditions that narrow the scope as text, or null. */
export function describeConditions(when: PolicyWhen | null | undefined): string | null {
  if (!when) return null;
  const parts = [
    when.mime && `the file is ${joinNames(when.mime.map(describeType))}`,
    when.labels && `it is unclassified or classified as ${joinNames(when.labels)}`,
  ].filter(Boolean);
  return parts.length > 0 ? `Only if ${parts.join(' and ')}` : null;
}

/** Describes which deletions a policy prevents, and until when; null if none. */
export function describeHolds({
  scope,
  rules,
}: {
  scope: PolicyScope;
  rules: readonly PolicyRule[];
}): string | null {
  const holdRules = rules.filter(({ type }) => type === 'legal_hold' || type === 'retention');
  if (holdRules.length === 0) return null;
  if (scope.type === 'project')
    return 'This policy prevents everything in the project from being deleted early.';
  return 'Everything that was ever in scope is held, even if its tags or collections change, until this policy is disabled or deleted, or the rule is removed.';
}

export function describeActions(actions: readonly PolicyAction[]): string {
  if (actions.length === actionNames.length) return 'All actions';
  return actions.map((action) => actionLabels[action].title).join(', ');
}

/** Returns an obligation of an allowed action as text. */
export function describeObligation(obligation: Obligation): string {
  switch (obligation.type) {
    case 'strip_metadata':
      return ruleDescriptions.strip_metadata(obligation);
    case 'serve_redacted':
      return `The verified redaction ${obligation.object_id} is delivered instead.`;
    case 'external':
      return ruleDescriptions.external(obligation);
  }
}

const typeNames: Record<string, string> = {
  '*/*': 'files',
  'image/*': 'images',
  'video/*': 'videos',
  'audio/*': 'audio files',
  'text/*': 'text files',
  'application/pdf': 'PDF',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
  'image/avif': 'AVIF',
  'image/heic': 'HEIC',
  'image/tiff': 'TIFF',
  'image/svg+xml': 'SVG',
  'text/plain': 'plain text',
  'text/csv': 'CSV',
  'text/tab-separated-values': 'TSV',
  'text/markdown': 'Markdown',
  'text/html': 'HTML',
  'application/zip': 'ZIP',
  'video/mp4': 'MP4',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word (DOCX)',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel (XLSX)',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint (PPTX)',
  'application/vnd.oasis.opendocument.text': 'OpenDocument text (ODT)',
  'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument sheet (ODS)',
  'application/vnd.oasis.opendocument.presentation': 'OpenDocument slides (ODP)',
  'application/rtf': 'RTF',
  'application/epub+zip': 'EPUB',
  'message/rfc822': 'e-mail (EML)',
};

/** Returns a media type pattern as text: `image/svg+xml;scripted` as `SVG with scripts`. */
export function describeType(pattern: string): string {
  const [type = '', trait] = pattern.split(';');
  const name = typeNames[type] ?? type;
  if (trait === 'executable') return type === '*/*' ? 'executables' : `executable ${name}`;
  return trait === 'scripted' ? `${name} with scripts` : name;
}

const durations = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** Formats a duration in the largest unit that gives a whole number: 7200 as `2 hours`. */
export function formatDuration(seconds: number): string {
  const [size, unit] = durations.find(([size]) => seconds % size === 0) ?? [1, 'second'];
  return pluralise(seconds / size, unit);
}

export function formatPixels(pixels: number): string {
  return pixels >= 100_000
    ? `${(pixels / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 2 })} megapixels`
    : pluralise(pixels, 'pixel');
}

/** Joins names as `a, b or c`. Of more than six, it names five and counts the others. */
export function joinNames(names: readonly string[], conjunction: 'or' | 'and' = 'or'): string {
  if (names.length > 6)
    return `${names.slice(0, 5).join(', ')} ${conjunction} ${names.length - 5} more`;
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`;
}

function redactedSubject(entities: Entities): string {
  if (entities === 'all') return 'all personal data is';
  if (typeof entities === 'string') return `the profile “${profiles[entities].title}” is`;
  return `${joinNames(entities.map(entityTitle), 'and')} are`;
}
