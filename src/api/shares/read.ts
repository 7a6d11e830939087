import { sourceMimes } from '@scriptorium/contracts/documents/sources';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import type { Signer } from '../../access/signer.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { listCollections } from '../../library/collections/list.ts';
import type { PlacedCollection } from '../../library/collections/load.ts';
import { listPlaced, type MemberPosition } from '../../library/collections/members/placed.ts';
import { describe, type SharedFile } from '../../library/shares/contents.ts';
import { eachShownThrough } from '../../library/shares/policies.ts';

const filesPerPage = 60;
const collectionsPerPage = 100;
const cursorPurpose = 'share_cursor';

/** A file as visitors see it. */
export interface ShownFile {
  id: string;
  filename: string;
  title: string | null;
  altText: string | null;
  mime: string;
  bytes: number;
  hasPreview: boolean;
}

/** A page of a shared collection. */
export interface ShownCollection {
  collection: PlacedCollection;
  /** From the shared collection down to this one. */
  path: { id: string; name: string }[];
  collections: { id: string; name: string }[];
  nextCollections: string | null;
  files: ShownFile[];
  /** How many files of this page policies hide. */
  hidden: number;
  /** The start of this page, null for the first. */
  cursor: string | null;
  next: string | null;
}

/** A file, for which visitors see `shown`. */
export function presentFile(file: SharedFile, shown: StoredObject): ShownFile {
  const { object, imageId, title, altText } = file;
  const isItself = shown.id === object.id;
  return {
    id: object.id,
    filename: shown.filename,
    title: isItself ? title : null,
    altText: isItself ? altText : null,
    mime: shown.mime,
    bytes: shown.bytes,
    hasPreview: (isItself && imageId !== null) || sourceMimes.some((mime) => mime === shown.mime),
  };
}

/** Reads a page of a collection: its current contents, as far as policies let visitors see them. */
export async function readCollection(
  tx: Tx,
  signer: Signer,
  { share, origin }: { share: Share; origin: Origin },
  collection: PlacedCollection,
  from: { cursor: string | null; collections: string | null },
): Promise<ShownCollection> {
  const { files, hidden, next } = await readFiles(tx, signer, { share, origin }, collection, {
    cursor: from.cursor,
    limit: filesPerPage,
  });
  const children = await listCollections(
    tx,
    share.projectId,
    { state: ['available'], parentId: collection.id },
    {
      sort: 'name',
      after: readCursor(signer, share, `in ${collection.id}`, from.collections),
      limit: collectionsPerPage + 1,
    },
  );
  const shownChildren = children.slice(0, collectionsPerPage);
  const last = shownChildren.at(-1);
  return {
    collection,
    path: collection.path.slice(collection.path.findIndex(({ id }) => id === share.collectionId)),
    collections: shownChildren.map(({ id, name }) => ({ id, name })),
    nextCollections:
      last && children.length > collectionsPerPage
        ? writeCursor(signer, share, `in ${collection.id}`, [last.position, last.id])
        : null,
    files,
    hidden,
    cursor: from.cursor,
    next,
  };
}

/** Returns up to `limit` files of a collection that visitors may see, starting at a cursor. */
export async function readFiles(
  tx: Tx,
  signer: Signer,
  { share, origin }: { share: Share; origin: Origin },
  collection: PlacedCollection,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ files: ShownFile[]; hidden: number; next: string | null }> {
  const after = readCursor(signer, share, collection.id, cursor);
  const placed = await listPlaced(tx, collection, after, limit + 1).catch((error: unknown) => {
    // The order was rewritten meanwhile, so it starts again.
    if (!(error instanceof Problem) || error.code !== 'cursor_expired') throw error;
    return listPlaced(tx, collection, null, limit + 1);
  });
  const page = placed.slice(0, limit);
  const refs = page.map(({ member }) => member);
  const found = await describe(tx, share.projectId, refs);
  const objects = found.map(({ object }) => object);
  const shown = await eachShownThrough(tx, origin, share, objects);
  const files = found.flatMap((file) => {
    const seen = shown.get(file.object.id);
    return seen ? [presentFile(file, seen)] : [];
  });
  const last = placed.length > limit ? page.at(-1) : undefined;
  return {
    files,
    hidden: found.length - files.length,
    next: last ? writeCursor(signer, share, collection.id, last.position) : null,
  };
}

function writeCursor(
  signer: Signer,
  share: Share,
  place: string,
  position: MemberPosition,
): string {
  return signer.sign(cursorPurpose, JSON.stringify([share.id, place, position]));
}

/** The position of a cursor; null without one, and for a cursor of another place. */
function readCursor(
  signer: Signer,
  share: Share,
  place: string,
  cursor: string | null,
): MemberPosition | null {
  const payload = cursor === null ? null : signer.verify(cursorPurpose, cursor);
  if (payload === null) return null;
  // The signature proves that this service wrote the payload.
  const [id, of, position] = JSON.parse(payload) as [string, string, MemberPosition];
  return id === share.id && of === place ? position : null;
}
