import type { PackDocumentState, PackState } from '@scriptorium/contracts/packs';
import type { PackDocumentRecord, PackRecord, PackSort } from '@scriptorium/contracts/wire/packs';
import { Conditions } from '../../db/statements/conditions.ts';
import {
  keysetOf,
  type Position,
  type Positioned,
  type Sort,
  type SortKeys,
} from '../../db/statements/keyset.ts';
import { selectListOf } from '../../db/statements/rows.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { Pack } from '../../entities/packs/pack.ts';
import { PackDocument } from '../../entities/packs/pack-document.ts';
import type { PositionedRow } from '../reading/jobs.ts';

/** A row of `pack` with additional values. */
type PackRow = Pack & {
  output: PackRecord['output'];
};

const sortKeys: SortKeys<PackSort> = {
  created_at: { column: 'pack.created_at', type: 'timestamptz' },
  name: { column: 'lower(pack.name)', type: 'text' },
  state: { column: 'pack.state', type: 'text' },
};

/** The columns of `pack`, and additional values that the API shows. */
function selectedColumns(tx: Tx): string {
  return `${selectListOf(tx, Pack)},
    (SELECT jsonb_build_object('object_id', o.id, 'mime', o.mime, 'bytes', o.bytes, 'sha256', o.sha256)
     FROM object o WHERE o.project_id = pack.project_id AND o.id = pack.object_id) AS output`;
}

/** A pack of the project as the API shows it, or null. */
export async function readPack(tx: Tx, projectId: string, id: string): Promise<PackRecord | null> {
  const [row] = await prepared<PackRow>(
    tx,
    `SELECT ${selectedColumns(tx)} FROM pack WHERE pack.project_id = $1 AND pack.id = $2`,
    [projectId, id],
  );
  return row ? presentPack(row) : null;
}

/** The filters of a list of packs. */
interface PackFilters {
  ids?: readonly string[] | undefined;
  state?: readonly PackState[] | undefined;
}

/** The project's packs after a position, sorted. */
export async function listPacks(
  tx: Tx,
  projectId: string,
  filters: PackFilters,
  page: { sort: Sort<PackSort>; after: Position | null; limit: number },
): Promise<PositionedRow<PackRecord>[]> {
  const where = packConditions(projectId, filters);
  const keyset = keysetOf(sortKeys, page.sort, 'pack');
  keyset.startAfter(where, page.after);
  const rows = await query<PackRow & Positioned>(
    tx,
    `SELECT ${selectedColumns(tx)}, ${keyset.position} FROM pack WHERE ${where.sql()}
     ORDER BY ${keyset.order} LIMIT ${page.limit}`,
    where.values,
  );
  return rows.map((row) => ({ row: presentPack(row), position: keyset.positionOf(row) }));
}

export async function countPacks(tx: Tx, projectId: string, filters: PackFilters): Promise<number> {
  const where = packConditions(projectId, filters);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*)::integer AS n FROM pack WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

function packConditions(projectId: string, { ids, state }: PackFilters): Conditions {
  const where = new Conditions();
  where.add('pack.project_id = ?', projectId);
  if (ids) where.add('pack.id = ANY(?::text[])', ids);
  if (state) where.add('pack.state = ANY(?)', state);
  return where;
}

/** The documents of a pack after a position, in order. */
export function listPackDocuments(
  tx: Tx,
  projectId: string,
  packId: string,
  state: readonly PackDocumentState[] | undefined,
  page: { after: number; limit: number },
): Promise<PackDocument[]> {
  const where = documentConditions(projectId, packId, state);
  where.add('position > ?', page.after);
  return query<PackDocument>(
    tx,
    `SELECT ${selectListOf(tx, PackDocument)} FROM pack_document WHERE ${where.sql()}
     ORDER BY position LIMIT ${page.limit}`,
    where.values,
  );
}

export async function countPackDocuments(
  tx: Tx,
  projectId: string,
  packId: string,
  state: readonly PackDocumentState[] | undefined,
): Promise<number> {
  const where = documentConditions(projectId, packId, state);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*)::integer AS n FROM pack_document WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

function documentConditions(
  projectId: string,
  packId: string,
  state: readonly PackDocumentState[] | undefined,
): Conditions {
  const where = new Conditions();
  where.add('project_id = ? AND pack_id = ?', projectId, packId);
  if (state) where.add('state = ANY(?)', state);
  return where;
}

/** A document as the API shows it. */
export function presentPackDocument(
  { options }: Pick<Pack, 'options'>,
  document: PackDocument,
): PackDocumentRecord {
  const { position, filename, sha256, mime, state, reused, pages, chunks, tokens, error } =
    document;
  const { redact } = options;
  const isRedacted = state === 'succeeded' && redact !== null;
  return {
    position,
    object_id: document.objectId,
    filename,
    sha256,
    mime,
    state,
    job_id: document.jobId,
    reused,
    pages,
    chunks,
    tokens,
    redaction: isRedacted ? redactionOf(redact, document) : null,
    error,
    finished_at: document.finishedAt?.toISOString() ?? null,
  };
}

function redactionOf(profile: string, { verified, reviewed }: PackDocument) {
  return { profile, verified: verified === true, reviewed: reviewed === true };
}

function presentPack(pack: PackRow): PackRecord {
  return {
    id: pack.id,
    project_id: pack.projectId,
    name: pack.name,
    state: pack.state,
    source: pack.source,
    options: pack.options,
    refreshes: pack.refreshes,
    retry_of: pack.retryOf,
    progress: {
      percent: pack.percent,
      documents_total: pack.documentsTotal,
      documents_completed: pack.documentsCompleted,
      documents_failed: pack.documentsFailed,
      documents_withheld: pack.documentsWithheld,
      documents_reused: pack.documentsReused,
      pages_total: pack.pagesTotal,
      pages_completed: pack.pagesCompleted,
    },
    output: pack.output,
    error: pack.error,
    created_at: pack.createdAt.toISOString(),
    started_at: pack.startedAt?.toISOString() ?? null,
    finished_at: pack.finishedAt?.toISOString() ?? null,
    version: pack.version,
  };
}
