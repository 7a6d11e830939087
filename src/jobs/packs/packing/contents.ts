import type { PackDocumentState } from '@scriptorium/contracts/packs';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { query, type Tx } from '../../../db/transaction.ts';
import type { Pack } from '../../../entities/packs/pack.ts';

/** Stored bytes of an output. */
interface PackedOutput {
  objectId: string;
  filename: string;
  sha256: string;
  bytes: number;
  mime: string;
}

/** A document of a pack with all data for its entries. */
export interface PackedDocument {
  position: number;
  objectId: string;
  filename: string;
  sha256: string;
  mime: string;
  pages: number | null;
  chunks: number | null;
  tokens: number | null;
  verified: boolean | null;
  reviewed: boolean | null;
  citationKey: string;
  state: PackDocumentState;
  error: Failure | null;
  /** The current state of its object; null if it was purged. */
  sourceState: string | null;
  labels: string[];
  outputs: Partial<Record<OutputName, PackedOutput>>;
}

const outputNames = ['markdown', 'json', 'chunks', 'redacted_pdf', 'redacted_file'] as const;
type OutputName = (typeof outputNames)[number];

/** The next documents of a pack after a position, in order. */
export function readDocuments(
  tx: Tx,
  { projectId, id }: Pack,
  after: number,
  limit: number,
): Promise<PackedDocument[]> {
  return query<PackedDocument>(
    tx,
    `SELECT d.position, d.object_id AS "objectId", d.filename, d.sha256, d.mime, d.pages, d.chunks,
       d.tokens, d.verified, d.reviewed, d.citation_key AS "citationKey", d.state, d.error,
       source.state AS "sourceState",
       ARRAY(SELECT l->>'label' FROM jsonb_array_elements(coalesce(source.labels, '[]')) l) AS labels,
       coalesce((SELECT jsonb_object_agg(u.kind, jsonb_build_object('objectId', made.id,
           'filename', made.filename, 'sha256', made.sha256, 'bytes', made.bytes, 'mime', made.mime))
         FROM job_output u JOIN object made ON made.project_id = $1 AND made.id = u.object_id
         WHERE u.project_id = $1 AND u.job_id = d.job_id AND made.state = 'available'
           AND u.kind = ANY($5)), '{}') AS outputs
     FROM pack_document d
     LEFT JOIN object source ON source.project_id = $1 AND source.id = d.object_id
     WHERE d.project_id = $1 AND d.pack_id = $2 AND d.position > $3
     ORDER BY d.position LIMIT $4`,
    [projectId, id, after, limit, outputNames],
  );
}

/** A file that shows the content of a document. */
export type ShownFile = Pick<PackedDocument, 'objectId' | 'filename' | 'sha256' | 'mime'>;

/**
 * The object that shows the content of a document: itself, or in a redacted pack its redaction, or
 * null if that is no longer available.
 */
export function shownFileOf(
  { options }: Pick<Pack, 'options'>,
  { outputs, objectId, filename, sha256, mime }: PackedDocument,
): ShownFile | null {
  if (options.redact === null) return { objectId, filename, sha256, mime };
  return outputs.redacted_pdf ?? outputs.redacted_file ?? null;
}

/** The objects that show documents, by the objects of the documents. */
export function shownObjectIds(
  pack: Pick<Pack, 'options'>,
  documents: readonly PackedDocument[],
): Map<string, string> {
  const pairs = documents.flatMap((document): [string, string][] => {
    const shown = shownFileOf(pack, document);
    return shown ? [[document.objectId, shown.objectId]] : [];
  });
  return new Map(pairs);
}

/** A document with its filename in the archive. */
export interface NamedDocument extends PackedDocument {
  /**
   * In a redacted pack, null for a document that is left out: only redactions have a name that may
   * be shown.
   */
  name: string | null;
}

/**
 * Names a document after the object that shows it: a source's filename may contain values that its
 * redaction removed.
 */
export function nameDocument(pack: Pick<Pack, 'options'>, document: PackedDocument): NamedDocument {
  const isShown = pack.options.redact === null || document.state === 'succeeded';
  return { ...document, name: isShown ? (shownFileOf(pack, document)?.filename ?? null) : null };
}

/** The stem of the names of a document's files: its number, and its name in ASCII. */
export function stemOf({ position, name }: Pick<NamedDocument, 'position' | 'name'>): string {
  const plain = (name ?? '')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  return `${String(position).padStart(5, '0')}-${plain || 'document'}`;
}

/** The identifier of a chunk. */
export function chunkId(citationKey: string, index: number): string {
  return `chk_${citationKey}_${index}`;
}
