import { query, type Tx } from '../../../db/transaction.ts';

/** A document in a pack, by what it is compared with those of another pack. */
export interface ComparedDocument {
  objectId: string;
  filename: string;
  sha256: string;
  citationKey: string;
}

/** A document as changes name it. */
interface NamedDocument {
  filename: string;
  object_id: string;
  sha256: string;
}

/** What is different since the pack before, as in `changes.json`. */
export interface PackChanges {
  added: NamedDocument[];
  changed: (NamedDocument & { before: Omit<NamedDocument, 'filename'> })[];
  removed: NamedDocument[];
  unchanged: number;
}

/** The documents that are in a pack, in order. */
export function readPacked(tx: Tx, projectId: string, packId: string): Promise<ComparedDocument[]> {
  return query<ComparedDocument>(
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
  before: readonly ComparedDocument[],
  now: readonly ComparedDocument[],
): PackChanges {
  const identityOf = ({ filename, citationKey }: ComparedDocument) =>
    JSON.stringify([filename, citationKey]);
  const left = groupBy(before, identityOf);
  const others = now.filter((one) => {
    return left.get(identityOf(one))?.shift() === undefined;
  });
  const unmatched = groupBy([...left.values()].flat(), ({ filename }) => filename);
  const changed: PackChanges['changed'] = [];
  const added = others.filter(({ filename, objectId, sha256 }) => {
    const former = unmatched.get(filename)?.shift();
    if (!former) return true;
    changed.push({
      ...{ filename, object_id: objectId, sha256 },
      before: { object_id: former.objectId, sha256: former.sha256 },
    });
    return false;
  });
  const told = ({ filename, objectId, sha256 }: ComparedDocument) => {
    return { filename, object_id: objectId, sha256 };
  };
  return {
    added: added.map(told),
    changed,
    removed: [...unmatched.values()].flat().map(told),
    unchanged: now.length - others.length,
  };
}

/** Lists by key, in order: for thousands of documents, so that none is searched for in all others. */
function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
