import {
  isRedactableUnpaged,
  type RedactableUnpagedKind,
  sources,
} from '@scriptorium/contracts/documents/sources';
import type { JobWarning } from '@scriptorium/contracts/jobs';
import { operations } from '@scriptorium/contracts/operations';
import type { RedactedInKind } from '@scriptorium/documents';
import type { Sought } from '@scriptorium/documents/redact/matcher';
import { createSeeker } from '@scriptorium/documents/redact/values/seek';
import { createUsage } from '@scriptorium/documents/redact/values/usage';
import type { DonePage } from '../../pages/outcome.ts';
import { callOf } from '../calls.ts';
import { contentNotRead } from '../content-not-read.ts';
import type { Assembly, StepWork } from '../operation.ts';
import { countByType, detectorOptionsOf, shownText } from './find.ts';
import { decidedInKind, readDifferently } from './in-kind-reviewed.ts';
import { languageWarnings } from './languages.ts';
import { redactedName } from './name.ts';
import { coverageOf, keptByReviewCheck, profileOf, sumUpChecks } from './result.ts';
import { toWords } from './stored.ts';
import { unverified } from './unverified.ts';

type Work = StepWork<'redact_pii'>;

/** The time limit for a file of the maximum size. */
const inKindMs = 800_000;

const extensions: Record<RedactableUnpagedKind, string> = {
  docx: 'docx',
  xlsx: 'xlsx',
  html: 'html',
  markdown: 'md',
  text: 'txt',
  csv: 'csv',
};

/** Redacts a file without pages in its own format. A failed check fails the operation. */
export async function redactWhole(work: Work): Promise<Assembly> {
  const { engines, source, options, signal, newFile, decisions } = work;
  const { mime } = source;
  const { kind } = sources[mime];
  if (!isRedactableUnpaged(kind))
    throw new Error(`A ${kind} cannot be redacted in its own format.`);
  const path = await newFile();
  const made = await engines.redactInKind(
    {
      path: source.path,
      mime,
      options: detectorOptionsOf(options),
      style: options.style,
      outPath: path,
      decided: await decidedInKind(work, decisions),
    },
    callOf(source, inKindMs, signal),
  );
  const failed = made.checks.filter(({ passed }) => !passed);
  if (failed.some(({ name }) => name === 'reviewed_text')) throw readDifferently();
  if (failed.length > 0) throw unverified(failed.map(({ name }) => name));
  if (made.checks.length === 0) throw unverified(['look_at_file']);
  const languages = languagesOf(made);
  return {
    outputs: [
      {
        kind: operations.redact_pii.outputs[1],
        path,
        mime,
        suffix: `.redacted.${mime === 'text/tab-separated-values' ? 'tsv' : extensions[kind]}`,
        namedAfter: redactedName(source.filename, goneFrom(made)),
        verifiedRedaction: languages.length === 0 ? coverageOf(options) : undefined,
      },
    ],
    result: {
      profile: profileOf(options),
      entities_by_type: countByType(made.removals),
      regions: made.removals.length,
      verified: true,
      checks: [...sumUpChecks(made.checks), ...keptByReviewCheck(decisions)],
      pages_burned: 0,
      pages_empty: 0,
    },
    pages: made.pages.map((text, at) => pageOf(made, at + 1, text)),
    warnings: [...picturesOf(made), ...contentNotRead(made.dropped), ...languages],
  };
}

/** The removed values, and the parts of removed names. */
function goneFrom({ removals }: RedactedInKind): readonly Sought[] {
  return [...removals, ...createSeeker(removals, createUsage(removals)).claims];
}

/** Returns a warning if pictures were removed: in files without pages, they are not recognised. */
function picturesOf({ picturesReplaced }: RedactedInKind): JobWarning[] {
  if (picturesReplaced === 0) return [];
  const what = picturesReplaced === 1 ? '1 picture was' : `${picturesReplaced} pictures were`;
  return [
    {
      code: 'pictures_replaced',
      message: `${what} replaced or removed: their content is not recognised.`,
    },
  ];
}

function languagesOf({ notCovered }: RedactedInKind): JobWarning[] {
  return languageWarnings(notCovered.map((languages, at) => ({ page: at + 1, languages })));
}

/** The result of a page. Values found outside any page are counted on the first. */
function pageOf({ removals }: RedactedInKind, page: number, text: string): DonePage {
  const found = removals
    .filter((one) => (one.page ?? 1) === page)
    .map(({ type, value, score }) => ({ type, score, value, boxes: [] }));
  return {
    page,
    state: 'succeeded',
    result: { entities_by_type: countByType(found), regions: found.length },
    text: shownText(text),
    words: toWords(found),
  };
}
