import { operations } from '../../../contracts/operations.ts';
import { type SourceKind, sources } from '../../../contracts/sources.ts';
import type { PagePlan, RedactedInKind } from '../../../engines/index.ts';
import type { PageOutcome } from '../../finish-pages.ts';
import type { Assembly, StepWork } from '../../operation-work.ts';
import { callOf, fileOf } from '../calls.ts';
import { countByType, detectorOptionsOf, outcomeOf, shownText } from './find.ts';
import { unverified } from './prove.ts';
import { coverageOf, sumUpChecks } from './result.ts';

type Work = StepWork<'redact_pii'>;

/** A file of the largest size a job takes, at the pace of the detector. */
const inKindMs = 800_000;

const extensions: Record<Exclude<SourceKind, 'pdf' | 'image'>, string> = {
  docx: 'docx',
  xlsx: 'xlsx',
  html: 'html',
  markdown: 'md',
  text: 'txt',
  csv: 'csv',
};

/** What is found in a file without pages, which is one page here. The file itself is thrown away. */
export async function findInKind(work: Work): Promise<PageOutcome> {
  const made = await redact(work, await work.newFile());
  return outcomeOf(planOf(made));
}

/** Redacts a file in its own kind: whatever does not hold, there is no output. */
export async function redactWhole(work: Work): Promise<Assembly> {
  const path = await work.newFile();
  const made = await redact(work, path);
  const failed = made.checks.filter(({ passed }) => !passed);
  if (failed.length > 0) throw unverified(failed.map(({ name }) => name));
  if (made.checks.length === 0) throw unverified(['look_at_file']);
  const plan = planOf(made);
  const { mime } = work.source;
  const { kind } = sources[mime];
  if (kind === 'pdf' || kind === 'image') throw new Error(`A ${kind} is redacted by its pages.`);
  return {
    outputs: [
      {
        kind: operations.redact_pii.outputs[1],
        path,
        mime,
        suffix: `.redacted.${extensions[kind]}`,
        verifiedRedaction: coverageOf(work.options),
      },
    ],
    result: {
      entities_by_type: countByType([plan]),
      regions: plan.removals.length,
      verified: true,
      checks: sumUpChecks(made.checks),
      pages_burned: 0,
      pages_empty: 0,
    },
    pages: [{ ...outcomeOf(plan), text: shownText(plan) }],
  };
}

async function redact(work: Work, outPath: string): Promise<RedactedInKind> {
  const { engines, source, options, signal } = work;
  return engines.redactInKind(
    {
      ...fileOf(source),
      options: detectorOptionsOf(options),
      style: options.style,
      outPath,
    },
    callOf(source, inKindMs, signal),
  );
}

/** The same as of a page: what has no pages has no places on them either. */
function planOf({ removals, pages }: RedactedInKind): PagePlan {
  return {
    page: 1,
    widthPt: 0,
    heightPt: 0,
    removals: removals.map(({ type, score, value }) => {
      return { type, score, value, boxes: [], source: 'pdf' };
    }),
    redactedText: pages.join('\n'),
  };
}
