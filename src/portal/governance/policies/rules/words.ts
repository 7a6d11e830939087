import type {
  PolicyAction,
  PolicyMode,
  PolicyRule,
  RuleName,
  RuleParameters,
  Weekday,
} from '../../../../contracts/rules.ts';
import type { StripFields } from '../../../../contracts/variants.ts';
import type { Obligation, PolicyScope, PolicyWhen } from '../../../../contracts/wire/policies.ts';
import { formatBytes, formatCount } from '../../../kit/values.tsx';

/** Every action that policies speak about. */
export const actionWords: Record<PolicyAction, { title: string; verb: string; hint: string }> = {
  upload: { title: 'Upload', verb: 'upload', hint: 'Storing a file.' },
  read: {
    title: 'Read',
    verb: 'look at',
    hint: 'What is shown out of the bytes: renditions, page text, words, highlights.',
  },
  download: {
    title: 'Download',
    verb: 'download',
    hint: 'The bytes themselves, through a signed URL too.',
  },
  sign: { title: 'Sign', verb: 'make a signed URL of', hint: 'Making a signed URL.' },
  process: { title: 'Process', verb: 'process', hint: 'Document jobs: OCR, redaction and so on.' },
  delete: { title: 'Delete', verb: 'delete', hint: 'Moving to the trash, and purging.' },
};
export const actionNames = Object.keys(actionWords) as PolicyAction[];

export const modeWords: Record<PolicyMode, { title: string; hint: string }> = {
  enforce: { title: 'Enforce', hint: 'What breaks a rule is refused, and recorded in Audit.' },
  audit: {
    title: 'Audit',
    hint: 'Everything passes. What enforce would refuse is recorded in Audit: the way to try a policy out.',
  },
  disabled: { title: 'Disabled', hint: 'It says nothing, and holds that it laid end.' },
};
export const modeNames = Object.keys(modeWords) as PolicyMode[];

export const ruleTitles: Record<RuleName, string> = {
  allowed_mime_types: 'Allowed types',
  max_bytes: 'Largest file',
  max_pixels: 'Largest image',
  max_pages: 'Longest document',
  require_signed_url: 'Signed URLs only',
  ip_allow: 'Only from addresses',
  ip_deny: 'Not from addresses',
  time_window: 'Only at times',
  strip_metadata: 'Strip metadata',
  require_redaction: 'Redaction required',
  deny_labels: 'Labels refused',
  retention: 'Retention',
  legal_hold: 'Legal hold',
};
export const ruleNames = Object.keys(ruleTitles) as RuleName[];

export const dayWords: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

export const stripWords: Record<StripFields, string> = {
  gps: 'any trace of where they were taken',
  all: 'any words about them',
};

type Words<R extends RuleName> = (parameters: RuleParameters<R>) => string;

const ruleSentences: { [R in RuleName]: Words<R> } = {
  allowed_mime_types: ({ include, exclude }) =>
    [
      include && `Only ${anyOf(include.map(typeWords))}.`,
      exclude && `No ${anyOf(exclude.map(typeWords))}.`,
    ]
      .filter(Boolean)
      .join(' '),
  max_bytes: ({ bytes }) => `Files of at most ${formatBytes(bytes)}.`,
  max_pixels: ({ pixels }) => `Images of at most ${formatPixels(pixels)}.`,
  max_pages: ({ pages }) => `Documents of at most ${formatCount(pages)} ${plural(pages, 'page')}.`,
  require_signed_url: ({ max_ttl_seconds: longest }) =>
    longest === undefined
      ? 'Bytes leave through signed URLs only.'
      : `Bytes leave through signed URLs only, each good for at most ${formatDuration(longest)}.`,
  ip_allow: ({ cidrs }) => `Only from ${anyOf(cidrs)}.`,
  ip_deny: ({ cidrs }) => `Not from ${anyOf(cidrs)}.`,
  time_window: ({ days, from, to, time_zone }) =>
    `Only from ${from} to ${to} (${time_zone})${
      days
        ? ` on ${anyOf(
            days.map((day) => dayWords[day]),
            'and',
          )}`
        : ' every day'
    }.`,
  strip_metadata: ({ fields }) =>
    `Images are delivered without ${anyOf(
      fields.map((field) => stripWords[field]),
      'and',
    )}.`,
  require_redaction: ({ entities, fallback }) =>
    `Only when ${entities === 'all' ? 'all personal data is' : `${anyOf(entities, 'and')} are`} redacted${
      fallback === 'serve_redacted'
        ? '; downloads get the newest verified redaction instead'
        : '; otherwise it is refused'
    }.`,
  deny_labels: ({ labels, require_labels: required = true }) =>
    `Nothing classified as ${anyOf(labels)}${required ? ', nor what nobody has classified' : ''}.`,
  retention: ({ min_days: days }) =>
    `Kept for ${formatCount(days)} ${plural(days, 'day')} from its creation.`,
  legal_hold: ({ reason }) => `Kept until this hold is lifted: ${reason}`,
};

/** A rule in a sentence. */
export function ruleInWords(rule: PolicyRule): string {
  // The map says that each type has the sentence of its own parameters.
  const sentence = ruleSentences[rule.type] as (parameters: PolicyRule) => string;
  return sentence(rule);
}

/** @param names of collections, as far as they are known */
export function scopeInWords(scope: PolicyScope, names: ReadonlyMap<string, string>): string {
  switch (scope.type) {
    case 'project':
      return 'Everything in the project';
    case 'tag':
      return `What is tagged ${anyOf(scope.tags.map((tag) => `“${tag}”`))}, and what was made from it`;
    case 'collection': {
      const places = scope.ids.map((id) => (names.has(id) ? `“${names.get(id)}”` : id));
      return `What is in ${anyOf(places)} or below, and what was made from it`;
    }
  }
}

/** What narrows the scope; null where nothing does. */
export function whenInWords(when: PolicyWhen | null | undefined): string | null {
  if (!when) return null;
  const parts = [
    when.mime && `the file is ${anyOf(when.mime.map(typeWords))}`,
    when.labels && `it is classified as ${anyOf(when.labels)}, or by nobody`,
  ].filter(Boolean);
  return parts.length > 0 ? `Only when ${parts.join(' and ')}` : null;
}

/** What a policy keeps from being deleted, and until when; null where it keeps nothing. */
export function holdsInWords({
  scope,
  rules,
}: {
  scope: PolicyScope;
  rules: readonly PolicyRule[];
}): string | null {
  const held = rules.filter(({ type }) => type === 'legal_hold' || type === 'retention');
  if (held.length === 0) return null;
  if (scope.type === 'project')
    return 'It keeps everything in the project from being deleted early.';
  return 'What once came under it stays held, whatever tags or collections it leaves, until this policy is disabled, is deleted or loses the rule.';
}

export function actionsInWords(actions: readonly PolicyAction[]): string {
  if (actions.length === actionNames.length) return 'Every action';
  return actions.map((action) => actionWords[action].title).join(', ');
}

/** What an allowed delivery must do. */
export function obligationInWords(obligation: Obligation): string {
  switch (obligation.type) {
    case 'strip_metadata':
      return ruleSentences.strip_metadata(obligation);
    case 'serve_redacted':
      return `Its verified redaction ${obligation.object_id} is delivered in its place.`;
  }
}

const families: Record<string, string> = {
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
  'image/tiff': 'TIFF',
  'image/svg+xml': 'SVG',
  'text/plain': 'plain text',
  'text/csv': 'CSV',
  'text/markdown': 'Markdown',
  'text/html': 'HTML',
  'application/zip': 'ZIP',
  'video/mp4': 'MP4',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word (DOCX)',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel (XLSX)',
};

/** A pattern of types as people say it: `image/svg+xml;scripted` as `SVG with scripts`. */
export function typeWords(pattern: string): string {
  const [type = '', trait] = pattern.split(';');
  const name = families[type] ?? type;
  if (trait === 'executable') return type === '*/*' ? 'executables' : `${name} that is executable`;
  return trait === 'scripted' ? `${name} with scripts` : name;
}

const durations = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** 7200 as `2 hours`: in the largest unit that it is a whole number of. */
export function formatDuration(seconds: number): string {
  const [size, unit] = durations.find(([size]) => seconds % size === 0) ?? [1, 'second'];
  return `${formatCount(seconds / size)} ${plural(seconds / size, unit)}`;
}

export function formatPixels(pixels: number): string {
  return pixels >= 100_000
    ? `${(pixels / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 2 })} megapixels`
    : `${formatCount(pixels)} pixels`;
}

export function plural(n: number, noun: string): string {
  return n === 1 ? noun : `${noun}s`;
}

/** `a, b or c`; of many the first, and how many more. */
function anyOf(names: readonly string[], word: 'or' | 'and' = 'or'): string {
  if (names.length > 6) return `${names.slice(0, 5).join(', ')} ${word} ${names.length - 5} more`;
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
