import type { FoundType } from '@scriptorium/contracts/documents/entities';
import { hiddenPage, type TextPiece } from '@scriptorium/contracts/documents/shown-text';
import { readJsonLines, writeJsonLines } from '@scriptorium/documents/files/json-lines';
import { isFoundPlace, isTextPiece } from '@scriptorium/documents/redact/contract/guards';
import type {
  DecidedInKind,
  DecidedPlace,
  FoundPlace,
} from '@scriptorium/documents/redact/contract/requests';
import type {
  DecidedFinding,
  Decisions,
  Detected,
  DetectedFinding,
} from '../../reviews/findings.ts';
import { callOptionsOf, fileOf } from '../calls.ts';
import type { StepWork } from '../operation.ts';
import { OperationFailed } from '../operation-failed.ts';
import { detectorOptionsOf } from './detector-options.ts';
import { findEmbedded } from './embedded/find.ts';
import { externalSearch, placesFor } from './external/unpaged.ts';

type Work = StepWork<'redact_pii'>;

/** The time limit for a file of the maximum size. */
const findMs = 600_000;

/** The findings to decide in a file without pages, and the text that contains them. */
export async function detectInUnpaged(work: Work): Promise<Detected> {
  const { engines, source, options, signal } = work;
  // What is found in pictures is removed from them in any case, and to be decided in the text.
  const external = await placesFor(work, await externalSearch(work));
  const { plansFile } = await findEmbedded(work, { external });
  const [textFile, findingsFile] = [await work.newFile(), await work.newFile()];
  const { digest } = await engines.findInKind(
    {
      ...fileOf(source),
      options: detectorOptionsOf(options),
      keepRecipients: options.mail_recipients === 'keep',
      external,
      textFile,
      findingsFile,
      embeddedPlans: plansFile,
    },
    callOptionsOf(source, findMs, signal),
  );
  const findings: DetectedFinding[] = [];
  for await (const place of readJsonLines(findingsFile, isFoundPlace))
    findings.push(findingOf(place));
  const pieces: TextPiece[] = [];
  for await (const piece of readJsonLines(textFile, isTextPiece)) pieces.push(piece);
  return { findings, text: { digest, pieces } };
}

function findingOf({
  page,
  type,
  score,
  value,
  start,
  end,
  location,
}: FoundPlace): DetectedFinding {
  return {
    type,
    score,
    removal: [],
    range: { start, end },
    page: page === hiddenPage ? null : page,
    content: { text: value, boxes: [], location },
  };
}

/** People's decisions about a file without pages, for the engine; undefined without a review. */
export async function decisionsFor(
  work: Work,
  decisions: Decisions | null,
): Promise<DecidedInKind | undefined> {
  if (!decisions) return undefined;
  const { findings, textDigest: digest } = decisions;
  if (digest === null) throw new Error('The review of a file without pages has no text.');
  const decisionsFile = await work.newFile();
  await writeJsonLines(decisionsFile, findings.map(decidedPlaceOf));
  return { decisionsFile, digest };
}

function decidedPlaceOf({ page, type, score, decision, range }: DecidedFinding): DecidedPlace {
  if (!range) throw new Error('A finding in a file without pages has no range.');
  return {
    ...range,
    page: page ?? hiddenPage,
    score: score ?? 1,
    // Types are those of the detector, or were validated.
    type: type as FoundType,
    goes: decision === 'accepted',
  };
}

/** The failure of an operation whose source is now read differently than during the review. */
export function reviewOutdated(): OperationFailed {
  return new OperationFailed({
    code: 'review_outdated',
    message:
      'The service was updated after the review and now reads the file differently. Start a new job.',
    retryable: false,
  });
}
