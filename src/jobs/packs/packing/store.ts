import { newId } from '@scriptorium/contracts/ids';
import { type Cover, type Entities, entityList, type FileType } from '@scriptorium/contracts/rules';
import { sendInsert } from '../../../db/statements/rows.ts';
import type { Tx } from '../../../db/transaction.ts';
import { StoredObject } from '../../../entities/library/stored-object.ts';
import type { Pack } from '../../../entities/packs/pack.ts';
import { InheritedFact } from '../../../entities/policies/inherited-fact.ts';
import type { RetainedBytes } from '../../../library/bytes/retain.ts';
import { cleanFilename } from '../../../library/files/filename.ts';
import { announceAvailable } from '../../../library/objects/arrival/available.ts';
import { record } from '../../../outbox/record.ts';
import type { Hold } from '../../../policies/decision/fact-table.ts';
import { copyHolds } from '../../../policies/facts/holds.ts';
import { listIn, loadShownFacts, typesOf } from '../../../policies/facts/load.ts';
import { packOrigin } from '../load.ts';
import { type PackedDocument, whatShows } from './contents.ts';

const mime = 'application/zip';
const perLook = 500;

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
    ...{ id, projectId, state: 'available', filename, mime, bytes, sha256 },
    ...{ traits: [], sourceKind: 'job' },
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
  let redactions: Cover[] | null = null;
  for (let at = 0; at < documents.length; at += perLook) {
    const some = documents.slice(at, at + perLook);
    const ids = some.map(({ objectId }) => objectId);
    const gathered = await loadShownFacts(tx, pack.projectId, ids, whatShows(pack, some));
    if (gathered.length < some.length) return null;
    for (const one of gathered) {
      const { facts } = one;
      for (const type of typesOf(facts)) types.set(JSON.stringify(type), type);
      for (const tag of listIn(facts.tags)) tags.add(tag);
      for (const label of listIn(facts.labels)) labels.add(label);
      for (const collection of listIn(facts.collections)) collectionIds.add(collection);
      for (const op of listIn(facts.unreviewed)) unreviewed.add(op);
      unclassified ||= facts.labels.state === 'unknown';
      for (const hold of one.holds) holds.set(`${hold.policyId} ${hold.ruleType}`, hold);
      const own = facts.redactions.state === 'known' ? facts.redactions.value : null;
      redactions = inBoth(redactions, own?.covers ?? []);
    }
  }
  return {
    ...{ tags: [...tags], labels: [...labels], collectionIds: [...collectionIds] },
    ...{ types: [...types.values()], unclassified, unreviewed: [...unreviewed] },
    redactions: redactions ?? [],
    holds: [...holds.values()],
  };
}

/**
 * Combines the covers of several parts: for each pair, the data that both are free of; before the
 * first part, the list itself.
 */
function inBoth(before: readonly Cover[] | null, list: readonly Cover[]): Cover[] {
  if (before === null) return [...list];
  const shared = before.flatMap((one) =>
    list.map((other) => ({
      entities: sharedEntities(one.entities, other.entities),
      asked: sharedEntities(one.asked, other.asked),
      reviewed: one.reviewed && other.reviewed,
      fourEyes: one.fourEyes && other.fourEyes,
    })),
  );
  return [...new Map(shared.map((one) => [JSON.stringify(one), one])).values()];
}

function sharedEntities(one: Entities, other: Entities): Entities {
  const [names, others] = [entityList(one), entityList(other)];
  if (!names || !others) return names ? one : other;
  return names.filter((name) => others.includes(name)).sort();
}
