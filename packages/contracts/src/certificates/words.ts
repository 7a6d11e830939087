import { entityTypes } from '../documents/entities.ts';
import { pluralise } from '../pluralise.ts';
import { roles } from '../roles.ts';
import type { Certificate } from '../wire/certificates.ts';

/**
 * The contents of certificates in words, for readers who do not know the service. The PDF and the
 * page that verifies certificates say the same.
 */

type Contents = Certificate['certificate'];
type Check = Contents['result']['checks'][number];
type Reviewed = NonNullable<Contents['reviewed']>;

/** A kind of personal data: "Names of people". */
function kindInWords(type: string): string {
  const summary = Object.entries(entityTypes).find(([name]) => name === type)?.[1].summary;
  if (summary) return summary.replace(/\.$/, '');
  return type.startsWith('CUSTOM_') ? `Custom pattern “${type.slice('CUSTOM_'.length)}”` : type;
}

/** Counts by kind, the largest first. */
export function countsInWords(
  counts: Readonly<Record<string, number>>,
): { kind: string; places: string }[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([type, count]) => ({ kind: kindInWords(type), places: pluralise(count, 'place') }));
}

/** What each check proves if it has passed. */
const passedChecks: Readonly<Record<string, string>> = {
  barcodes: 'The pages were searched for barcodes again. None that had to be removed is left.',
  detector: 'The finished file was searched for personal data again. None was left to remove.',
  faces: 'The pages were searched for faces again. None that had to be removed is left.',
  ocr_regions: 'Text recognition read the redacted pages again and found none of the removed data.',
  occlusion: 'Nothing lies beneath the boxes: the content was removed, not covered.',
  picture_metadata:
    'The data stored in pictures beside their pixels was examined. No removed data is in it.',
  pictures:
    'The pictures were examined. Parts that showed removed data are painted over, or the picture is gone.',
  reopened: 'The finished file was opened and read again from the start.',
  streams: 'The stored bytes of the file were searched for every removed value. None was found.',
  strings:
    'All text of the file, visible or hidden, was searched for every removed value. None was found.',
  structure:
    'Every part of the file was examined. It has no hidden content and no earlier version.',
  text_pdfium: 'A program read the text of every page and found none of the removed data.',
  text_pdfjs:
    'A second, independent program read the text of every page and found none of the removed data.',
  unread_text: 'The pages were searched for writing that no program could read. None is uncovered.',
};

/** The checks whose detail is already such a sentence. */
const describedChecks: ReadonlySet<string> = new Set([
  'external_recogniser',
  'kept_by_review',
  'kept_places',
]);

/** A check as a sentence, and the scope of the check. */
export function checkInWords({ name, passed, detail }: Check): { text: string; detail: string } {
  const sentence = passedChecks[name];
  if (passed && describedChecks.has(name)) return { text: detail, detail: '' };
  if (passed && sentence) return { text: sentence, detail };
  return { text: `The check “${name}” ${passed ? 'passed' : 'did not pass'}.`, detail };
}

/** Whether a check has a sentence of its own. */
export function isDescribedCheck(name: string): boolean {
  return name in passedChecks || describedChecks.has(name);
}

/** A reviewer: "Ada Okafor, reviewer", or the key that acted. */
export function reviewerInWords({ type, id, name, role }: Reviewed['by'][number]): string {
  if (type === 'api_key') return `API key ${id}`;
  const known = role !== undefined && role !== null && role in roles;
  return `${name ?? id ?? type}${known ? `, ${role}` : ''}`;
}

/** The decisions of a review. */
export function decisionsInWords({ accepted, rejected, added }: Reviewed): string {
  return `${pluralise(accepted, 'finding')} accepted, ${rejected} rejected, ${added} added by people.`;
}

/** Whether the redaction passed its checks. */
export function resultInWords({ result, state }: Contents): string {
  const isSearched = result.checks.every(
    ({ name, passed }) => passed || name !== 'external_recogniser',
  );
  if (!isSearched) return 'An external recogniser did not search the whole file.';
  if (!result.verified) {
    return 'Parts of the file could not be verified; those pages were left empty.';
  }
  const failed = result.checks.filter(({ passed }) => !passed).length;
  if (failed > 0) return `${pluralise(failed, 'check')} did not pass.`;
  const passed = `All ${pluralise(result.checks.length, 'check')} passed.`;
  return state === 'succeeded' ? passed : `${passed} Some pages were left out.`;
}

/** A time with its zone: "30 November 2026, 20:11:05 UTC". */
export function timeInWords(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  return `${timeFormat.format(at).replace(' at ', ', ')} UTC`;
}

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});
