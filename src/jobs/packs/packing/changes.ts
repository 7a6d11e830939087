import { query, type Tx } from '../../../db/transaction.ts';

/** A document in a pack, with the data that is compared between packs. */
export interface ComparedDocument<Name extends string | null = string | null> {
  objectId: string;
  filename: string;
  /** Its name in the list of changes; null if it has no name that may be shown. */
  name: Name;
  sha256: string;
  citationKey: string;
}

/** A document as the list of changes describes it. */
interface DocumentChange<Name extends string | null> {
  filename: Name;
  object_id: string;
  sha256: string;
}

/** The changes since the previous pack, as in `changes.json`. */
export interface PackChanges<Name extends string | null> {
  added: DocumentChange<Name>[];
  changed: (DocumentChange<Name> & { before: Omit<DocumentChange<Name>, 'filename'> })[];
  removed: DocumentChange<Name>[];
  unchanged: number;
}

/**
 * The documents that are in a pack, in order.
 * @param redact the profile of the archive that lists them. Only redactions by this profile are
 *   named: another profile may have kept values that this one removes.
 */
export function readPackedDocuments(
  tx: Tx,
  projectId: string,
  packId: string,
  redact: string | null = null,
): Promise<ComparedDocument[]> {
  return query<ComparedDocument>(
    tx,
    `SELECT d.object_id AS "objectId", d.filename, d.sha256, d.citation_key AS "citationKey",
       CASE WHEN $3::text IS NULL THEN d.filename ELSE (
         SELECT made.filename FROM pack p
         JOIN job_output u ON u.project_id = $1 AND u.job_id = d.job_id
           AND u.kind IN ('redacted_pdf', 'redacted_file')
         JOIN object made ON made.project_id = $1 AND made.id = u.object_id
         WHERE p.project_id = $1 AND p.id = $2 AND p.options->>'redact' = $3) END AS name
     FROM pack_document d WHERE d.project_id = $1 AND d.pack_id = $2 AND d.state = 'succeeded'
     ORDER BY d.position`,
    [projectId, packId, redact],
  );
}

/**
 * The changes since the previous pack. A document is unchanged if its filename and the data that
 * determines its chunks are the same. If only the filename is the same, it has changed.
 */
export function changesSince<Name extends string | null>(
  before: readonly ComparedDocument<Name>[],
  now: readonly ComparedDocument<Name>[],
): PackChanges<Name> {
  const identityOf = ({ filename, citationKey }: ComparedDocument) =>
    JSON.stringify([filename, citationKey]);
  const unmatchedByIdentity = groupBy(before, identityOf);
  const notIdentical = now.filter((document) => {
    return unmatchedByIdentity.get(identityOf(document))?.shift() === undefined;
  });
  const unmatchedByFilename = groupBy(
    [...unmatchedByIdentity.values()].flat(),
    ({ filename }) => filename,
  );
  const describe = ({ name, objectId, sha256 }: ComparedDocument<Name>) => {
    return { filename: name, object_id: objectId, sha256 };
  };
  const changed: PackChanges<Name>['changed'] = [];
  const added = notIdentical.filter((document) => {
    const previous = unmatchedByFilename.get(document.filename)?.shift();
    if (!previous) return true;
    changed.push({
      ...describe(document),
      before: { object_id: previous.objectId, sha256: previous.sha256 },
    });
    return false;
  });
  return {
    added: added.map(describe),
    changed,
    removed: [...unmatchedByFilename.values()].flat().map(describe),
    unchanged: now.length - notIdentical.length,
  };
}

/** Groups items by key, in order, so that thousands of documents are matched in linear time. */
function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
