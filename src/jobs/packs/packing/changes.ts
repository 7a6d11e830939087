import { query, type Tx } from '../../../db/transaction.ts';
import type { PackedDocument } from './contents.ts';

/** A document of the pack that is refreshed. */
export interface FormerDocument {
  objectId: string;
  filename: string;
  sha256: string;
  citationKey: string;
}

/** The documents that were in a pack, in order. */
export function readFormer(tx: Tx, projectId: string, packId: string): Promise<FormerDocument[]> {
  return query<FormerDocument>(
    tx,
    `SELECT object_id AS "objectId", filename, sha256, citation_key AS "citationKey"
     FROM pack_document WHERE project_id = $1 AND pack_id = $2 AND state = 'succeeded'
     ORDER BY position`,
    [projectId, packId],
  );
}

/**
 * What is different since the pack before: a document is the same if its name and what determines its
 * chunks are. One with the same name only has changed.
 */
export function changesSince(
  before: readonly FormerDocument[],
  now: readonly PackedDocument[],
): { added: object[]; changed: object[]; removed: object[]; unchanged: number } {
  const left = new Map<string, FormerDocument[]>();
  const keep = (key: string, one: FormerDocument) => left.set(key, [...(left.get(key) ?? []), one]);
  for (const one of before) keep(JSON.stringify([one.filename, one.citationKey]), one);
  const others = now.filter((one) => {
    const same = left.get(JSON.stringify([one.filename, one.citationKey]));
    return same?.shift() === undefined;
  });
  const unmatched = [...left.values()].flat();
  const changed: object[] = [];
  const added = others.filter(({ filename, objectId, sha256 }) => {
    const at = unmatched.findIndex((former) => former.filename === filename);
    if (at < 0) return true;
    const [former] = unmatched.splice(at, 1);
    changed.push({
      ...{ filename, object_id: objectId, sha256 },
      before: { object_id: former!.objectId, sha256: former!.sha256 },
    });
    return false;
  });
  const told = ({ filename, objectId, sha256 }: FormerDocument) => {
    return { filename, object_id: objectId, sha256 };
  };
  return {
    added: added.map(told),
    changed,
    removed: unmatched.map(told),
    unchanged: now.length - others.length,
  };
}
