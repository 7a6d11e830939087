import type { TextLocation, TextPiece } from '@scriptorium/contracts/documents/shown-text';
import type { ReviewableOperation } from '@scriptorium/contracts/operations';
import type { Actor } from '@scriptorium/contracts/origin';
import type { FindingDecision, FindingSource } from '@scriptorium/contracts/reviews';
import type { Box, Quarter } from '@scriptorium/documents/results';
import type { PageSeal } from '../sealing/page-content.ts';

/** What is sealed of a finding: the value, where it is, and what removal needs to know. */
export interface FindingContent {
  /** As it was read; null for a label, and for an area in which nothing was read. */
  text: string | null;
  /** In points of the page as displayed. */
  boxes: Box[];
  readFrom?: 'pdf' | 'ocr';
  direction?: Quarter;
  /** Its value may rightly stand in other places. */
  here?: boolean;
  /** Parts of it that may occur nowhere in the output either. */
  parts?: string[];
  /** Where it is in a file without pages. */
  location?: TextLocation;
}

/** A range of the text of a page, in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/** What an operation found in a source, for people to decide about. */
export interface Detected {
  findings: DetectedFinding[];
  /** The text of a file without pages, which ranges refer to. */
  text?: DetectedText;
}

interface DetectedText {
  digest: string;
  pieces: TextPiece[];
}

/** What an operation found, for a person to decide about. */
export interface DetectedFinding {
  page: number | null;
  type: string;
  score: number;
  content: FindingContent;
  /** What would be painted over; null until it is computed. */
  removal: Box[] | null;
  /** Where it is in the text of a file without pages. */
  range?: TextRange;
}

/** A finding with its decision. */
export interface DecidedFinding {
  id: string;
  page: number | null;
  type: string;
  score: number | null;
  source: FindingSource;
  decision: FindingDecision;
  content: FindingContent;
  range: TextRange | null;
}

/** A submitted review, for the operation to continue with. */
export interface Decisions {
  /** In the order of pages. */
  findings: DecidedFinding[];
  by: Actor[];
  at: Date;
  accepted: number;
  rejected: number;
  added: number;
  /** How many findings of each detected type were rejected. */
  rejectedByType: Record<string, number>;
  /** The types that these findings were detected as, or changed to. */
  rejectedTypes: string[];
  /** Whether someone other than the requester had to submit it. */
  fourEyes: boolean;
  /** The chosen label, for `classify`. */
  label: string | null;
  /** The digest of the text that ranges refer to; null for pages and labels. */
  textDigest: string | null;
}

/** The row that a finding belongs to. It names the source, which its content is deleted with. */
export interface ReviewPlace {
  projectId: string;
  sourceObjectId: string;
  op: ReviewableOperation;
}

/** Seals the content of a finding for storing. */
export function sealFinding(
  { seal }: Pick<PageSeal, 'seal'>,
  { projectId, sourceObjectId }: Omit<ReviewPlace, 'op'>,
  id: string,
  content: FindingContent,
): string {
  return seal(JSON.stringify(content), ['finding', projectId, sourceObjectId, id]);
}

/** Opens the content of a stored finding. */
export function openFinding(
  { unseal }: Pick<PageSeal, 'unseal'>,
  { projectId, sourceObjectId }: Omit<ReviewPlace, 'op'>,
  id: string,
  content: string,
): FindingContent {
  // GCM authenticates that `sealFinding` sealed it.
  return JSON.parse(unseal(content, ['finding', projectId, sourceObjectId, id])) as FindingContent;
}

/** Seals why something was decided so; one text for all findings of a request. */
export function sealReason(
  { seal }: Pick<PageSeal, 'seal'>,
  review: { projectId: string; sourceObjectId: string; id: string },
  reason: string,
): string {
  return seal(reason, ['review_reason', review.projectId, review.sourceObjectId, review.id]);
}

/** Opens what `sealReason` sealed. */
export function openReason(
  { unseal }: Pick<PageSeal, 'unseal'>,
  review: { projectId: string; sourceObjectId: string; id: string },
  reason: string,
): string {
  return unseal(reason, ['review_reason', review.projectId, review.sourceObjectId, review.id]);
}

/** Findings by the page that they are on. */
export function byPage<One extends { page: number | null }>(
  findings: readonly One[],
): Map<number | null, One[]> {
  const pages = new Map<number | null, One[]>();
  for (const finding of findings) {
    const same = pages.get(finding.page);
    if (same) same.push(finding);
    else pages.set(finding.page, [finding]);
  }
  return pages;
}
