import { newId } from '@scriptorium/contracts/ids';
import {
  type Entities,
  entityList,
  type FileType,
  type RedactionCoverage,
} from '@scriptorium/contracts/rules';
import { sendInsert } from '../../../db/statements/rows.ts';
import type { Tx } from '../../../db/transaction.ts';
import { StoredObject } from '../../../entities/library/stored-object.ts';
import type { Pack } from '../../../entities/packs/pack.ts';
import { InheritedFact } from '../../../entities/policies/inherited-fact.ts';
import type { RetainedBytes } from '../../../library/bytes/retain.ts';
import { cleanFilename } from '../../../library/files/filename.ts';
import { announceAvailable } from '../../../library/objects/arrival/announce-available.ts';
import { record } from '../../../outbox/record.ts';
import type { Hold } from '../../../policies/decision/fact-table.ts';
import { copyHolds } from '../../../policies/facts/holds.ts';
import { knownItems, loadShownFacts, typesOf } from '../../../policies/facts/load.ts';
import { packOrigin } from '../load.ts';
import { type PackedDocument, shownObjectIds } from './contents.ts';

const mime = 'application/zip';
const batchSize = 500;

/**
 * Creates the object of a pack's archive. It is subject to every policy of its contents: it has
 * their tags, labels, collections and holds, counts as unreviewed or unclassified if one of them
 * does, and is free only of data that all of them are free of.
 * @param facts those of the objects whose content is in the archive, read under a lock on the
 *   scopes
 * @returns its identifier
 */
export async function createArchive(
  tx: Tx,
  pack: Pack,
  { sha256, bytes }: RetainedBytes,
  { holds, ...facts }: StrictestFacts,
): Promise<string> {
  const { projectId } = pack;
  const origin = packOrigin(pack);
  const id = newId('object');
  const filename = cleanFilename(`${pack.name.slice(0, 100)}.zip`, 'pack.zip');
  sendInsert(tx, StoredObject, {
    id,
    projectId,
    state: 'available',
    filename,
    mime,
    bytes,
    sha256,
    traits: [],
    sourceKind: 'job',
  });
  sendInsert(tx, InheritedFact, { projectId, objectId: id, ...facts });
  await copyHolds(tx, projectId, [id], holds);
  const data = { filename, mime, bytes, sha256, derived_from: null };
  await record(tx, origin, { type: 'dam.object.created', resourceId: id, data });
  await announceAvailable(tx, origin, { id, filename, mime, bytes, sha256, derivedFrom: null });
  return id;
}

type StrictestFacts = Omit<InheritedFact, 'projectId' | 'objectId'> & { holds: Hold[] };

/** The facts of an object made from all these documents; null if one of them was purged. */
export async function strictestFacts(
  tx: Tx,
  pack: Pack,
  documents: readonly PackedDocument[],
): Promise<StrictestFacts | null> {
  const types = new Map<string, FileType>();
  const tags = new Set<string>();
  const labels = new Set<string>();
  const collectionIds = new Set<string>();
  const unreviewed = new Set<string>();
  const holds = new Map<string, Hold>();
  let unclassified = false;
  let redactions: RedactionCoverage[] | null = null;
  for (let at = 0; at < documents.length; at += batchSize) {
    const batch = documents.slice(at, at + batchSize);
    const ids = batch.map(({ objectId }) => objectId);
    const shownFacts = await loadShownFacts(tx, pack.projectId, ids, shownObjectIds(pack, batch));
    if (shownFacts.length < batch.length) return null;
    for (const shownFact of shownFacts) {
      const { facts } = shownFact;
      for (const type of typesOf(facts)) types.set(JSON.stringify(type), type);
      for (const tag of knownItems(facts.tags)) tags.add(tag);
      for (const label of knownItems(facts.labels)) labels.add(label);
      for (const collection of knownItems(facts.collections)) collectionIds.add(collection);
      for (const op of knownItems(facts.unreviewed)) unreviewed.add(op);
      unclassified ||= facts.labels.state === 'unknown';
      for (const hold of shownFact.holds) holds.set(`${hold.policyId} ${hold.ruleType}`, hold);
      const redaction = facts.redactions.state === 'known' ? facts.redactions.value : null;
      redactions = intersectCovers(redactions, redaction?.covers ?? []);
    }
  }
  return {
    tags: [...tags],
    labels: [...labels],
    collectionIds: [...collectionIds],
    types: [...types.values()],
    unclassified,
    unreviewed: [...unreviewed],
    redactions: redactions ?? [],
    holds: [...holds.values()],
  };
}

/**
 * Intersects the covers of two parts: for each pair, the data that both are free of. Without an
 * earlier part, the covers of this one.
 */
function intersectCovers(
  before: readonly RedactionCoverage[] | null,
  others: readonly RedactionCoverage[],
): RedactionCoverage[] {
  if (before === null) return [...others];
  const shared = before.flatMap((cover) =>
    others.map((other) => ({
      entities: sharedEntities(cover.entities, other.entities),
      asked: sharedEntities(cover.asked, other.asked),
      reviewed: cover.reviewed && other.reviewed,
      fourEyes: cover.fourEyes && other.fourEyes,
    })),
  );
  return [...new Map(shared.map((cover) => [JSON.stringify(cover), cover])).values()];
}

function sharedEntities(first: Entities, second: Entities): Entities {
  const [names, others] = [entityList(first), entityList(second)];
  if (!names || !others) return names ? first : second;
  return names.filter((name) => others.includes(name)).sort();
}
