import type { JobWarning } from '@scriptorium/contracts/jobs';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { LeftOut, LeftOutReason } from './find.ts';
import type { RedactedEmbedded } from './redact.ts';

const reasons: Readonly<Record<LeftOutReason, string>> = {
  format: 'of a type that is not read, such as vector pictures',
  damaged: 'damaged or unreadable',
  too_large: 'with more than 50 megapixels',
  too_many: 'beyond the number of files, pages and pixels, or the time, for one file',
  not_verified: 'with a redaction that failed its checks',
};

/**
 * The warnings about embedded files that are not in the output.
 * @param replaced the number of pictures that were replaced or removed
 */
export function embeddedWarnings(
  replaced: number,
  { leftOut, pagesEmpty }: Pick<RedactedEmbedded, 'leftOut' | 'pagesEmpty'>,
): JobWarning[] {
  const warnings: JobWarning[] = [];
  if (replaced > 0) {
    const subject = replaced === 1 ? '1 picture was' : `${replaced} pictures were`;
    warnings.push({
      code: 'pictures_replaced',
      message: `${subject} replaced or removed, because ${replaced === 1 ? 'it' : 'they'} could not be redacted.${filesLeftOut(leftOut)}`,
    });
  } else if (leftOut.size > 0) {
    warnings.push({
      code: 'attachments_left_out',
      message: `Some attachments are not in the output, because ${replaced === 1 ? 'it' : 'they'} could not be redacted.${filesLeftOut(leftOut)}`,
    });
  }
  if (pagesEmpty > 0) {
    warnings.push({
      code: 'page_left_empty',
      message: `${pluralise(pagesEmpty, 'page')} of attached files could not be redacted and ${pagesEmpty === 1 ? 'is' : 'are'} empty.`,
    });
  }
  return warnings;
}

function filesLeftOut(leftOut: LeftOut): string {
  if (leftOut.size === 0) return '';
  const counts = [...leftOut].map(([reason, count]) => `${count} ${reasons[reason]}`);
  return ` Different files that are left out: ${counts.join('; ')}.`;
}
