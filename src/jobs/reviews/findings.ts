import type { TextLocation, TextPiece } from '@scriptorium/contracts/documents/shown-text';
import type { ReviewableOperation } from '@scriptorium/contracts/operations';
import type { Actor } from '@scriptorium/contracts/origin';
import type { FindingDecision, FindingSource } from '@scriptorium/contracts/reviews';
import type { Box, Quarter } from '@scriptorium/documents/results';
import type { PageSeal } from '../sealing/page-content.ts';

/** The sealed part of a finding: the value, its position, and other data for its removal. */
export interface FindingContent {
  /** As it was read; null for a label, and for an area without readable text. */
  text: string | null;
  /** In points of the page as displayed. */
  boxes: Box[];
  readFrom?: 'pdf' | 'ocr';
  direction?: Quarter;
  /** The same value may legitimately occur elsewhere. */
  here?: boolean;
  /** Parts of the value that must not occur in the output either. */
  parts?: string[];
  /** Its position in a file without pages. */
  location?: TextLocation;
}

/** A range of the text of a page, in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/** The findings of an operation in a source, for people to decide about. */
export interface Detected {
  findings: DetectedFinding[];
  /** The text of a file without pages, which ranges refer to. */
  text?: DetectedText;
}

interface DetectedText {
  digest: string;
  pieces: TextPiece[];
}

/** A finding of an operation, for a person to decide about. */
export interface DetectedFinding {
  page: number | null;
  type: string;
  score: number;
  content: FindingContent;
  /** The boxes that would be painted; null until they are computed. */
  removal: Box[] | null;
  /** Its range in the text of a file without pages. */
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

/** The decisions of a submitted review, with which the operation continues. */
export interface Decisions {
  /** By page. */
  findings: DecidedFinding[];
  by: Actor[];
  at: Date;
  accepted: number;
  rejected: number;
  added: number;
  /** How many findings of each detected type were rejected. */
  rejectedByType: Record<string, number>;
  /** The types as which these findings were detected, or to which they were changed. */
  rejectedTypes: string[];
  /** Whether someone other than the requester had to submit it. */
  fourEyes: boolean;
  /** The chosen label, for `classify`. */
  label: string | null;
  /** The digest of the text that ranges refer to; null for pages and labels. */
  textDigest: string | null;
}

/** The context in which findings are sealed. Deleting the source also deletes their content. */
export interface FindingContext {
  projectId: string;
  sourceObjectId: string;
  op: ReviewableOperation;
}

/** Seals the content of a finding for storing. */
export function sealFinding(
  { seal }: Pick<PageSeal, 'seal'>,
  { projectId, sourceObjectId }: Omit<FindingContext, 'op'>,
  id: string,
  content: FindingContent,
): string {
  return seal(JSON.stringify(content), ['finding', projectId, sourceObjectId, id]);
}

/** Opens the content of a stored finding. */
export function openFinding(
  { unseal }: Pick<PageSeal, 'unseal'>,
  { projectId, sourceObjectId }: Omit<FindingContext, 'op'>,
  id: string,
  content: string,
): FindingContent {
  // GCM authenticates that `sealFinding` sealed it.
  return JSON.parse(unseal(content, ['finding', projectId, sourceObjectId, id])) as FindingContent;
}

/** Seals the reason of a decision; one text for all findings of a request. */
export function sealReason(
  { seal }: Pick<PageSeal, 'seal'>,
  review: { projectId: string; sourceObjectId: string; id: string },
  reason: string,
): string {
  return seal(reason, ['review_reason', review.projectId, review.sourceObjectId, review.id]);
}

/** Opens a reason sealed by `sealReason`. */
export function openReason(
  { unseal }: Pick<PageSeal, 'unseal'>,
  review: { projectId: string; sourceObjectId: string; id: string },
  reason: string,
): string {
  return unseal(reason, ['review_reason', review.projectId, review.sourceObjectId, review.id]);
}

/** Groups findings by page. */
export function groupByPage<Item extends { page: number | null }>(
  findings: readonly Item[],
): Map<number | null, Item[]> {
  const pages = new Map<number | null, Item[]>();
  for (const finding of findings) {
    const group = pages.get(finding.page);
    if (group) group.push(finding);
    else pages.set(finding.page, [finding]);
  }
  return pages;
}
