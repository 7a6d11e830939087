import { inParallel } from '@scriptorium/contracts/helpers/in-parallel';
import type { PagePlan, PlannedPage } from '@scriptorium/documents';
import type {
  EmbeddedMime,
  EmbeddedRedaction,
} from '@scriptorium/documents/redact/contract/embedded';
import type { PlannedRemoval } from '@scriptorium/documents/redact/contract/plan';
import { type RemovalReport, valuesOf } from '@scriptorium/documents/redact/contract/report';
import { finalFailure } from '@scriptorium/sandbox/errors';
import { callOptionsOf } from '../../calls.ts';
import type { StepWork } from '../../operation.ts';
import { OperationFailed } from '../../operation-failed.ts';
import { readAllPlans, spreadMs } from '../plans.ts';
import { type Proof, redactAndProve } from '../prove.ts';
import {
  addLeftOut,
  type EmbeddedFile,
  type FoundEmbedded,
  isOver,
  type LeftOut,
  workOn,
} from './find.ts';

type Work = StepWork<'redact_pii'>;

/** Maximum number of embedded files in work at once, so that one job does not occupy all children. */
const maxConcurrent = 4;

/** In a picture that fails more often, what was covered would leave little of use. */
const maxPictureRounds = 3;

/** The redactions of the files inside the source. */
export interface RedactedEmbedded {
  /** Those that passed all checks. */
  redactions: EmbeddedRedaction[];
  leftOut: LeftOut;
  /** What was removed from them. */
  removals: PlannedRemoval[];
  /** The number of covered regions. */
  regions: number;
  /** The languages of their text in which names were not searched for. */
  notCovered: string[];
  /** Whether another recogniser searched their pages, if it was asked. */
  external: NonNullable<PagePlan['external']>[];
  pagesBurned: number;
  pagesEmpty: number;
}

/**
 * Redacts the files inside the source, each as a source of its own, and checks them. A value found
 * in one of them or in the text is removed from all. Files that fail a check are left out.
 */
export async function redactEmbedded(work: Work, found: FoundEmbedded): Promise<RedactedEmbedded> {
  const result: RedactedEmbedded = {
    redactions: [],
    leftOut: new Map(found.leftOut),
    removals: [],
    regions: 0,
    notCovered: [],
    external: [],
    pagesBurned: 0,
    pagesEmpty: 0,
  };
  const { files, plansFile } = found;
  if (plansFile === undefined || files.length === 0) return result;
  const pages = files.flatMap(({ planned }) => planned).length;
  const planned = await spreadOverFiles(work, plansFile, pages);
  const values = valuesOf(planned);
  let next = 1;
  const withValues = files.map((file): EmbeddedFile => {
    const from = next;
    next += file.planned.length;
    const own = planned.slice(from, next);
    return { ...file, planned: own.map((plan, at) => ({ ...plan, page: at + 1 })) };
  });
  const proofs = await inParallel(withValues, maxConcurrent, async (file) => ({
    file,
    proof: isOver(found)
      ? ('too_many' as const)
      : await proveFile(workOn(work, file), file, values),
  }));
  for (const { file, proof } of proofs) {
    if (typeof proof === 'string') addLeftOut(result.leftOut, proof, 1);
    else addProof(result, file, proof);
  }
  return result;
}

/** The plans of the text and of all pages of embedded files, each with the values of the others. */
async function spreadOverFiles(
  { engines, source, options, signal, newFile }: Work,
  plansFile: string,
  pages: number,
): Promise<PlannedPage[]> {
  const outPath = await newFile();
  await engines.spreadValues(
    { plansFile, outPath, allowList: options.allow_list },
    callOptionsOf(source, spreadMs.document + spreadMs.page * pages, signal),
  );
  return readAllPlans(
    outPath,
    Array.from({ length: pages + 1 }, (_, page) => page),
  );
}

const outputMimeOf = ({ mime }: EmbeddedFile): EmbeddedMime =>
  mime === 'image/tiff' ? 'application/pdf' : mime;

/** Redacts and checks a file; the reason if it could not be proved. */
async function proveFile(
  work: Work,
  file: EmbeddedFile,
  values: RemovalReport['values'],
): Promise<Proof | 'not_verified'> {
  const maxRounds = file.mime.startsWith('image/') ? maxPictureRounds : undefined;
  try {
    return await redactAndProve(work, file.planned, outputMimeOf(file), {
      elsewhere: values,
      ...(maxRounds === undefined ? {} : { maxRounds }),
    });
  } catch (error) {
    if (error instanceof OperationFailed || finalFailure(error, true)) return 'not_verified';
    throw error;
  }
}

function addProof(
  result: RedactedEmbedded,
  file: EmbeddedFile,
  { path, report, planned }: Proof,
): void {
  const isChanged = report.pages.some(
    ({ treatment, regions }) => treatment !== 'copied' || regions.length > 0,
  );
  result.redactions.push({ digest: file.digest, mime: outputMimeOf(file), path, isChanged });
  const plans = planned.flatMap((plan): PagePlan[] => (plan.state === 'planned' ? [plan] : []));
  result.removals.push(...plans.flatMap(({ removals }) => removals));
  result.regions += report.pages.reduce((sum, { regions }) => sum + regions.length, 0);
  result.external.push(...plans.flatMap(({ external }) => external ?? []));
  const languages = plans.flatMap(({ notCovered }) => notCovered ?? []);
  result.notCovered = [...new Set([...result.notCovered, ...languages])].sort();
  result.pagesBurned += report.pages.filter(({ treatment }) => treatment === 'burned').length;
  result.pagesEmpty += report.pages.filter(({ treatment }) => treatment === 'empty').length;
}
