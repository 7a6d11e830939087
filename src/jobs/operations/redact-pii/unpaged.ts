import { isUnpaged, sources, type UnpagedKind } from '@scriptorium/contracts/documents/sources';
import type { JobWarning } from '@scriptorium/contracts/jobs';
import { operations } from '@scriptorium/contracts/operations';
import type { KnownValue, RedactedInKind } from '@scriptorium/documents';
import type { SoughtValue } from '@scriptorium/documents/redact/matcher';
import { createValueSearch } from '@scriptorium/documents/redact/values/seek';
import { createUsage } from '@scriptorium/documents/redact/values/usage';
import type { ProcessedPage } from '../../pages/outcome.ts';
import { callOptionsOf } from '../calls.ts';
import { contentNotReadWarnings } from '../content-not-read.ts';
import type { Assembly, StepWork } from '../operation.ts';
import { detectorOptionsOf } from './detector-options.ts';
import { findEmbedded } from './embedded/find.ts';
import { type RedactedEmbedded, redactEmbedded } from './embedded/redact.ts';
import { embeddedWarnings } from './embedded/warnings.ts';
import { externalChecks, externalWarnings } from './external/report.ts';
import { externalSearch, placesFor } from './external/unpaged.ts';
import { countByType, storableText } from './find.ts';
import { languageWarnings } from './languages.ts';
import { nameOfOutput } from './redacted-name.ts';
import { combineChecks, coverageOf, keptByReviewCheck, profileOf } from './result.ts';
import { toWords } from './stored.ts';
import { decisionsFor, reviewOutdated } from './unpaged-reviewed.ts';
import { verificationFailure } from './unverified.ts';

type Work = StepWork<'redact_pii'>;

/** The time limit for a file of the maximum size. */
const inKindMs = 800_000;

const extensions: Record<UnpagedKind, string> = {
  docx: 'docx',
  xlsx: 'xlsx',
  pptx: 'pptx',
  epub: 'epub',
  odt: 'odt',
  ods: 'ods',
  odp: 'odp',
  html: 'html',
  markdown: 'md',
  text: 'txt',
  csv: 'csv',
  json: 'json',
  xml: 'xml',
  svg: 'svg',
  mail: 'eml',
  rtf: 'rtf',
};

/** Redacts a file without pages in its own format. A failed check fails the operation. */
export async function redactUnpaged(work: Work): Promise<Assembly> {
  const { engines, source, options, signal, newFile, decisions } = work;
  const { mime } = source;
  if (!isUnpaged(mime)) throw new Error(`A file of type ${mime} has pages.`);
  const { kind } = sources[mime];
  const path = await newFile();
  const search = await externalSearch(work);
  const decided = await decisionsFor(work, decisions);
  const external = decided ? undefined : await placesFor(work, search);
  const found = await findEmbedded(work, { external, decided });
  const embedded = await redactEmbedded(work, found);
  const redacted = await engines.redactInKind(
    {
      path: source.path,
      mime,
      options: detectorOptionsOf(options),
      keepRecipients: options.mail_recipients === 'keep',
      style: options.style,
      outPath: path,
      external,
      decided,
      embedded: embedded.redactions,
      embeddedPlans: found.plansFile,
    },
    callOptionsOf(source, inKindMs, signal),
  );
  const failed = redacted.checks.filter(({ passed }) => !passed);
  if (failed.some(({ name }) => name === 'reviewed_text')) throw reviewOutdated();
  if (failed.length > 0) throw verificationFailure(failed.map(({ name }) => name));
  if (redacted.checks.length === 0) throw verificationFailure(['look_at_file']);
  const uncovered = uncoveredWarnings(redacted, embedded.notCovered);
  const removals = [...redacted.removals, ...embedded.removals];
  const states = [...(search ? [search.external] : []), ...embedded.external];
  const verified = !states.includes('unavailable');
  const [searched] = verified ? states : ['unavailable' as const];
  const searches = searched ? [{ page: 1, external: searched }] : [];
  const isComplete = verified && uncovered.length === 0;
  return {
    outputs: [
      {
        kind: operations.redact_pii.outputs[1],
        path,
        mime,
        suffix: `.redacted.${mime === 'text/tab-separated-values' ? 'tsv' : extensions[kind]}`,
        namedAfter: await nameOfOutput(work, removedValues(removals)),
        verifiedRedaction: isComplete ? coverageOf(options) : undefined,
      },
    ],
    result: {
      profile: profileOf(options),
      entities_by_type: countByType(removals),
      regions: redacted.removals.length + embedded.regions,
      verified,
      checks: [
        ...combineChecks(redacted.checks),
        ...keptByReviewCheck(decisions),
        ...externalChecks(searches),
      ],
      pages_burned: embedded.pagesBurned,
      pages_empty: embedded.pagesEmpty,
      embedded_redacted: redacted.embedded.redacted,
      embedded_kept: redacted.embedded.kept,
      pictures_replaced: redacted.picturesReplaced,
    },
    pages: redacted.pages.map((text, at) => pageOf(redacted, embedded, at + 1, text)),
    warnings: [
      ...embeddedWarnings(redacted.picturesReplaced, embedded),
      ...contentNotReadWarnings(redacted.dropped),
      ...uncovered,
      ...externalWarnings(searches),
    ],
  };
}

/** The removed values, and the parts of removed names. */
function removedValues(removals: readonly KnownValue[]): readonly SoughtValue[] {
  return [...removals, ...createValueSearch(removals, createUsage(removals)).claims];
}

/** Warnings about languages. Those of embedded files are named with the first page. */
function uncoveredWarnings(
  { notCovered }: RedactedInKind,
  ofEmbedded: readonly string[],
): JobWarning[] {
  return languageWarnings(
    notCovered.map((languages, at) => ({
      page: at + 1,
      languages: at === 0 ? [...languages, ...ofEmbedded] : languages,
    })),
  );
}

/** The result of a page. Values found outside any page are counted on the first. */
function pageOf(
  redacted: RedactedInKind,
  embedded: RedactedEmbedded,
  page: number,
  text: string,
): ProcessedPage {
  const found = [
    ...redacted.removals.filter((removal) => (removal.page ?? 1) === page),
    ...(page === 1 ? embedded.removals : []),
  ].map(({ type, value, score }) => ({ type, score, value, boxes: [] }));
  return {
    page,
    state: 'succeeded',
    result: { entities_by_type: countByType(found), regions: found.length },
    text: storableText(text),
    words: toWords(found),
  };
}
