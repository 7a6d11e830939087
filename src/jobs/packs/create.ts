import { withDefaults } from '@scriptorium/contracts/helpers/validator';
import { newId } from '@scriptorium/contracts/ids';
import { isTerminal } from '@scriptorium/contracts/jobs';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem, referenceNotFound, validationFailed } from '@scriptorium/contracts/problems';
import { packOptions } from '@scriptorium/contracts/wire/pack-options';
import type { NewPack } from '@scriptorium/contracts/wire/packs';
import { sendInsert } from '../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import { Pack } from '../../entities/packs/pack.ts';
import { PackDocument } from '../../entities/packs/pack-document.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { optionFaults } from '../creating/check.ts';
import { documentsOf } from './documents.ts';
import { findPack } from './load.ts';
import { chunkingOf, packOperations } from './operations.ts';

/**
 * Creates a pack with its documents, its event and its first task, in the caller's transaction.
 * @param readsImages whether the words of a filter are also searched in images
 * @returns its identifier
 * @throws Problem 409, 429, 422 for an invalid source, option or reference
 */
export async function createPack(
  tx: Tx,
  origin: Origin,
  newPack: NewPack,
  readsImages: boolean,
): Promise<string> {
  const options = withDefaults(packOptions, newPack.options ?? {});
  const [normalize] = packOperations(options).toReversed();
  const faults = optionFaults('normalize_for_llm', normalize!.options, '/options');
  if (options.review !== 'none' && options.redact === null) {
    const detail = 'It requires `redact`: only findings of a redaction are reviewed.';
    faults.push({ pointer: '/options/review', code: 'redact_required', detail });
  }
  if (faults.length > 0) throw validationFailed(faults);
  const { refreshes = null } = newPack;
  await Promise.all([
    requireCapacity(tx, origin),
    refreshes === null ? null : requireArchive(tx, origin, refreshes),
  ]);
  const { collection_id, object_ids, filter } = newPack.source;
  const documents = await documentsOf(tx, { ...origin, readsImages }, newPack.source);
  const source = {
    collection_id: collection_id ?? null,
    filter: filter ?? null,
    object_count: object_ids?.length ?? null,
  };
  const id = insertPack(tx, origin, {
    name: newPack.name,
    source,
    options,
    refreshes,
    retryOf: null,
  });
  send(
    tx,
    `INSERT INTO pack_document (project_id, pack_id, position, object_id, filename, sha256, mime,
       pages, citation_key)
     SELECT $1, $2, row_number() OVER (ORDER BY o.filename COLLATE "C", o.id), o.id, o.filename,
       o.sha256, o.mime, o.pages,
       left(encode(sha256(convert_to(o.sha256 || $4, 'UTF8')), 'hex'), 24)
     FROM object o WHERE o.project_id = $1 AND o.id = ANY($3)`,
    [origin.projectId, id, documents, chunkingOf(options)],
  );
  await startPack(tx, origin, id, { name: newPack.name, total: documents.length, refreshes });
  return id;
}

/**
 * Retries a pack as a new one with the same documents. Those that succeeded are not processed again.
 * @throws Problem 409 unless it has ended without all of its documents
 */
export async function retryPack(tx: Tx, origin: Origin, pack: Pack): Promise<string> {
  if (!isTerminal(pack.state) || pack.state === 'succeeded') {
    const detail = `Pack '${pack.id}' is ${pack.state}; only packs that ended without all of their documents can be retried.`;
    throw new Problem('state_conflict', detail);
  }
  await requireCapacity(tx, origin);
  const { name, source, options, refreshes } = pack;
  const id = insertPack(tx, origin, { name, source, options, refreshes, retryOf: pack.id });
  send(
    tx,
    `INSERT INTO pack_document (project_id, pack_id, position, object_id, filename, sha256, mime,
       pages, citation_key)
     SELECT project_id, $3, position, object_id, filename, sha256, mime, pages, citation_key
     FROM pack_document WHERE project_id = $1 AND pack_id = $2`,
    [origin.projectId, pack.id, id],
  );
  const total = await tx.countBy(PackDocument, { projectId: origin.projectId, packId: id });
  await startPack(tx, origin, id, { name, total, refreshes, retryOf: pack.id });
  return id;
}

/**
 * Requires that the project does not have too many packs in progress: each has a row for every
 * document, and is polled continually.
 * @throws Problem 429 `rate_limited`
 */
async function requireCapacity(tx: Tx, { projectId }: Origin): Promise<void> {
  const [row] = await prepared<{ n: number }>(
    tx,
    `SELECT count(*)::integer AS n FROM (
       SELECT FROM pack WHERE project_id = $1 AND finished_at IS NULL
       LIMIT ${limits.packs_in_progress}) open`,
    [projectId],
  );
  if (row!.n < limits.packs_in_progress) return;
  const detail = `${limits.packs_in_progress} packs of the project are in progress, which is the maximum. Retry when one has ended, or cancel one.`;
  throw new Problem('rate_limited', detail, { headers: { 'Retry-After': '60' } });
}

async function requireArchive(tx: Tx, origin: Origin, id: string): Promise<void> {
  const refreshedPack = await findPack(tx, origin.projectId, id);
  if (!refreshedPack) throw referenceNotFound('/refreshes', id);
  if (refreshedPack.state === 'succeeded' || refreshedPack.state === 'partially_succeeded') return;
  throw new Problem('state_conflict', `Pack '${id}' is ${refreshedPack.state}; it has no archive.`);
}

function insertPack(
  tx: Tx,
  { projectId, actor, address, requestId }: Origin,
  pack: Pick<Pack, 'name' | 'source' | 'options' | 'refreshes' | 'retryOf'>,
): string {
  const id = newId('pack');
  sendInsert(tx, Pack, { ...pack, projectId, id, origin: { actor, address, requestId } });
  return id;
}

async function startPack(
  tx: Tx,
  origin: Origin,
  id: string,
  {
    name,
    total,
    refreshes,
    retryOf = null,
  }: { name: string; total: number; refreshes: string | null; retryOf?: string | null },
): Promise<void> {
  await record(tx, origin, {
    type: 'documents.pack.created',
    resourceId: id,
    data: { name, documents_total: total, refreshes, retry_of: retryOf },
  });
  await schedule(tx, origin.projectId, id, { kind: 'pack.advance', payload: { pack_id: id } });
}
