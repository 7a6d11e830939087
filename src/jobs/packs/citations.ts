import { pagedMimes } from '@scriptorium/contracts/documents/sources';
import type { Origin } from '@scriptorium/contracts/origin';
import type { CitationRecord } from '@scriptorium/contracts/wire/packs';
import { prepared, type Tx } from '../../db/transaction.ts';
import { enforce } from '../../policies/enforce.ts';
import type { Storage } from '../../storage/storage.ts';
import { readChunks } from './packing/chunks.ts';

/** A document that has a chunk, and where the chunk's text is stored. */
export interface CitedDocument {
  objectId: string;
  /** The filename of the object that shows it. */
  filename: string;
  sha256: string;
  /** The object that shows its pages: in a redacted pack, its redaction. */
  shownId: string;
  shownMime: string;
  chunksId: string;
  chunksSha256: string;
  index: number;
}

/**
 * The document that contains a chunk, in the newest pack that has it, subject to the policies for
 * reading the object that shows it. Null if no pack has it, or its text was deleted.
 * @throws PolicyDenied (403)
 */
export async function findCitedDocument(
  tx: Tx,
  origin: Origin,
  chunkId: string,
): Promise<CitedDocument | null> {
  const [, key, index] = chunkId.split('_');
  const [found] = await prepared<Omit<CitedDocument, 'index'>>(
    tx,
    `SELECT d.object_id AS "objectId", d.sha256,
       coalesce(redacted.filename, source.filename) AS filename,
       coalesce(redacted.id, source.id) AS "shownId", coalesce(redacted.mime, source.mime) AS "shownMime",
       chunks.id AS "chunksId", chunks.sha256 AS "chunksSha256"
     FROM pack_document d
     JOIN pack p ON p.project_id = $1 AND p.id = d.pack_id
     JOIN object source ON source.project_id = $1 AND source.id = d.object_id
     JOIN job_output c ON c.project_id = $1 AND c.job_id = d.job_id AND c.kind = 'chunks'
     JOIN object chunks ON chunks.project_id = $1 AND chunks.id = c.object_id
     LEFT JOIN job_output r ON r.project_id = $1 AND r.job_id = d.job_id
       AND r.kind IN ('redacted_pdf', 'redacted_file')
     LEFT JOIN object redacted ON redacted.project_id = $1 AND redacted.id = r.object_id
     WHERE d.project_id = $1 AND d.citation_key = $2 AND d.state = 'succeeded'
       AND source.state = 'available' AND chunks.state = 'available'
       AND (p.options->>'redact' IS NULL OR redacted.state = 'available')
     ORDER BY d.pack_id DESC, d.position LIMIT 1`,
    [origin.projectId, key],
  );
  if (!found) return null;
  await enforce(tx, origin, { action: 'read', objectId: found.shownId });
  await enforce(tx, origin, { action: 'read', objectId: found.chunksId });
  return { ...found, index: Number(index) };
}

/** A chunk with its position in the document; null if the document does not contain it. */
export async function readCitation(
  storage: Storage,
  projectId: string,
  chunkId: string,
  cited: CitedDocument,
): Promise<CitationRecord | null> {
  const { objectId, shownId, shownMime, filename, sha256 } = cited;
  for await (const chunk of readChunks(storage, projectId, cited.chunksSha256)) {
    if (chunk.index !== cited.index) continue;
    const { headings, pages, text } = chunk;
    const boxes = chunk.boxes.map(({ page, box }) => ({ page, box }));
    const isPaged = pagedMimes.some((mime) => mime === shownMime);
    const numbers = isPaged ? [...new Set(boxes.map(({ page }) => page))] : [];
    return {
      id: chunkId,
      object_id: objectId,
      shown_object_id: shownId,
      filename,
      sha256,
      headings,
      pages,
      boxes,
      text,
      images: numbers.map((page) => citedImage(shownId, page, boxes)),
    };
  }
  return null;
}

/** Maximum number of boxes marked in a picture: a table with many rows is one box. */
const maxBoxes = 50;

function citedImage(objectId: string, page: number, allBoxes: CitationRecord['boxes']) {
  const boxes = allBoxes
    .filter((box) => box.page === page)
    .slice(0, maxBoxes)
    .map(({ box: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }) =>
      [x0, y0, x1 - x0, y1 - y0]
        .map((coordinate) => Math.max(0, Math.round(coordinate * 10) / 10))
        .join(','),
    )
    .join(';');
  const url = `/v1/objects/${objectId}/pages/${page}/image?boxes=${boxes}`;
  return { page, object_id: objectId, boxes, url };
}
