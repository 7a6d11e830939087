import { deflateSync, inflateSync } from 'node:zlib';
import type { SealedContext } from '@scriptorium/contracts/documents/sealed';
import type { TextPiece } from '@scriptorium/contracts/documents/shown-text';
import { columnsOf, selectListOf } from '../../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import type { Review } from '../../../entities/reviews/review.ts';
import { ReviewText } from '../../../entities/reviews/review-text.ts';
import type { PageSeal } from '../../sealing/page-content.ts';

/** A piece of text as it is stored. */
export type SealedPiece = Omit<ReviewText, 'projectId' | 'reviewId'>;

interface TextContext {
  projectId: string;
  sourceObjectId: string;
  reviewId: string;
}

/** The sealed part of a piece. */
type SealedContent = Pick<TextPiece, 'text' | 'name' | 'parts'>;

function sealContextOf(
  { projectId, sourceObjectId, reviewId }: TextContext,
  { page, piece }: Pick<TextPiece, 'page' | 'piece'>,
): SealedContext {
  return ['review_text', projectId, sourceObjectId, reviewId, page, piece];
}

/** Seals a piece for storing. */
export function sealPiece(
  { seal }: Pick<PageSeal, 'seal'>,
  context: TextContext,
  { text, name, parts, start, line, ...rest }: TextPiece,
): SealedPiece {
  const content: SealedContent = { text, name, parts };
  const packed = deflateSync(JSON.stringify(content)).toString('base64');
  return {
    ...rest,
    start,
    length: text.length,
    firstLine: line,
    content: seal(packed, sealContextOf(context, rest)),
  };
}

/** Opens a stored piece. */
export function openPiece(
  { unseal }: Pick<PageSeal, 'unseal'>,
  { sourceObjectId }: Pick<Review, 'sourceObjectId'>,
  { projectId, reviewId, content, ...stored }: ReviewText,
): TextPiece {
  const { page, piece, layout, start, firstLine, lines } = stored;
  const packed = unseal(content, sealContextOf({ projectId, sourceObjectId, reviewId }, stored));
  // GCM authenticates that `sealPiece` sealed it.
  const opened = JSON.parse(inflateSync(Buffer.from(packed, 'base64')).toString()) as SealedContent;
  return { page, piece, layout, start, line: firstLine, lines, ...opened };
}

/** Pieces per statement, a few megabytes. */
const piecesPerStatement = 500;

/** Sends the text of a review. */
export function insertText(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
  pieces: readonly SealedPiece[],
): void {
  for (let from = 0; from < pieces.length; from += piecesPerStatement) {
    const rows = pieces
      .slice(from, from + piecesPerStatement)
      .map((piece) => [
        piece.page,
        piece.piece,
        piece.layout,
        piece.start,
        piece.length,
        piece.firstLine,
        piece.lines,
        piece.content,
      ]);
    send(
      tx,
      `INSERT INTO review_text (project_id, review_id, page, piece, layout, start_at, length,
         first_line, lines, content)
       SELECT $1, $2, t.* FROM unnest($3::integer[], $4::integer[], $5::text[], $6::integer[],
         $7::integer[], $8::integer[], $9::integer[], $10::text[]) AS t`,
      [projectId, id, ...columnsOf<unknown>(rows, 8)],
    );
  }
}

type ReviewKey = Pick<Review, 'projectId' | 'id'>;

/** Text is not read without its source: no policy would decide who may read it. */
const sourceExists = `EXISTS (
  SELECT FROM review r JOIN object o ON o.project_id = r.project_id AND o.id = r.source_object_id
  WHERE r.project_id = $1 AND r.id = $2)`;

/** Pieces of a review after a position, in order; of one page, if given. */
export async function readPieces(
  tx: Tx,
  { projectId, id }: ReviewKey,
  {
    page = null,
    after,
    limit,
  }: { page?: number | null; after: readonly [number, number]; limit: number },
): Promise<ReviewText[]> {
  return prepared<ReviewText>(
    tx,
    `SELECT ${selectListOf(tx, ReviewText)} FROM review_text
     WHERE project_id = $1 AND review_id = $2 AND ($3::integer IS NULL OR page = $3)
       AND ${sourceExists}
       AND (page, piece) > ($4, $5)
     ORDER BY page, piece LIMIT $6`,
    [projectId, id, page, ...after, limit],
  );
}

/** The number of pieces of a review; of one page, if given. */
export async function countPieces(
  tx: Tx,
  { projectId, id }: ReviewKey,
  { page }: { page: number | null },
): Promise<number> {
  const [row] = await prepared<{ n: number }>(
    tx,
    `SELECT count(*)::integer AS n FROM review_text
     WHERE project_id = $1 AND review_id = $2 AND ($3::integer IS NULL OR page = $3)
       AND ${sourceExists}`,
    [projectId, id, page],
  );
  return row!.n;
}

/** The pieces of a page that overlap a range, in order. */
export async function readRange(
  tx: Tx,
  { projectId, id }: ReviewKey,
  { page, start, end }: { page: number; start: number; end: number },
): Promise<ReviewText[]> {
  return prepared<ReviewText>(
    tx,
    `SELECT ${selectListOf(tx, ReviewText)} FROM review_text
     WHERE project_id = $1 AND review_id = $2 AND page = $3 AND ${sourceExists}
       AND start_at < $5 AND start_at + length > $4
     ORDER BY piece`,
    [projectId, id, page, start, end],
  );
}
