import { sourceMimes } from '@scriptorium/contracts/documents/sources';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import type { Signer } from '../../access/signer.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { listCollections } from '../../library/collections/list.ts';
import type { CollectionWithPath } from '../../library/collections/load.ts';
import {
  listPositionedMembers,
  type MemberPosition,
} from '../../library/collections/members/placed.ts';
import { loadSharedFiles, type SharedFile } from '../../library/shares/contents.ts';
import { chooseEachShownByShare } from '../../library/shares/policies.ts';

const filesPerPage = 60;
const collectionsPerPage = 100;
const cursorPurpose = 'share_cursor';

/** A file as visitors see it. */
export interface VisibleFile {
  id: string;
  filename: string;
  title: string | null;
  altText: string | null;
  mime: string;
  bytes: number;
  hasPreview: boolean;
}

/** A page of a shared collection. */
export interface VisibleCollection {
  collection: CollectionWithPath;
  /** From the shared collection down to this one. */
  path: { id: string; name: string }[];
  collections: { id: string; name: string }[];
  nextCollections: string | null;
  files: VisibleFile[];
  /** The number of files on this page that policies hide. */
  hiddenCount: number;
  /** The start of this page, null for the first. */
  cursor: string | null;
  nextCursor: string | null;
}

/** Presents a file, in place of which `delivered` may be shown to visitors. */
export function presentFile(file: SharedFile, delivered: StoredObject): VisibleFile {
  const { object, imageId, title, altText } = file;
  const isOriginal = delivered.id === object.id;
  return {
    id: object.id,
    filename: delivered.filename,
    title: isOriginal ? title : null,
    altText: isOriginal ? altText : null,
    mime: delivered.mime,
    bytes: delivered.bytes,
    hasPreview:
      (isOriginal && imageId !== null) || sourceMimes.some((mime) => mime === delivered.mime),
  };
}

/** Reads a page of the current contents of a collection that policies let visitors see. */
export async function readCollection(
  tx: Tx,
  signer: Signer,
  { share, origin }: { share: Share; origin: Origin },
  collection: CollectionWithPath,
  from: { cursor: string | null; collections: string | null },
): Promise<VisibleCollection> {
  const { files, hiddenCount, nextCursor } = await readFiles(
    tx,
    signer,
    { share, origin },
    collection,
    {
      cursor: from.cursor,
      limit: filesPerPage,
    },
  );
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
    hiddenCount,
    cursor: from.cursor,
    nextCursor,
  };
}

/** Returns up to `limit` files of a collection that visitors may see, starting at a cursor. */
export async function readFiles(
  tx: Tx,
  signer: Signer,
  { share, origin }: { share: Share; origin: Origin },
  collection: CollectionWithPath,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ files: VisibleFile[]; hiddenCount: number; nextCursor: string | null }> {
  const after = readCursor(signer, share, collection.id, cursor);
  const members = await listPositionedMembers(tx, collection, after, limit + 1).catch(
    (error: unknown) => {
      // The members were reordered in the meantime, so the list starts again.
      if (!(error instanceof Problem) || error.code !== 'cursor_expired') throw error;
      return listPositionedMembers(tx, collection, null, limit + 1);
    },
  );
  const page = members.slice(0, limit);
  const refs = page.map(({ member }) => member);
  const sharedFiles = await loadSharedFiles(tx, share.projectId, refs);
  const objects = sharedFiles.map(({ object }) => object);
  const visibleObjects = await chooseEachShownByShare(tx, origin, share, objects);
  const files = sharedFiles.flatMap((file) => {
    const visibleObject = visibleObjects.get(file.object.id);
    return visibleObject ? [presentFile(file, visibleObject)] : [];
  });
  const last = members.length > limit ? page.at(-1) : undefined;
  return {
    files,
    hiddenCount: sharedFiles.length - files.length,
    nextCursor: last ? writeCursor(signer, share, collection.id, last.position) : null,
  };
}

function writeCursor(
  signer: Signer,
  share: Share,
  listKey: string,
  position: MemberPosition,
): string {
  return signer.sign(cursorPurpose, JSON.stringify([share.id, listKey, position]));
}

/** The position of a cursor; null without a cursor, or for a cursor of another list. */
function readCursor(
  signer: Signer,
  share: Share,
  listKey: string,
  cursor: string | null,
): MemberPosition | null {
  const payload = cursor === null ? null : signer.verify(cursorPurpose, cursor);
  if (payload === null) return null;
  // The signature proves that this service wrote the payload.
  const [id, cursorListKey, position] = JSON.parse(payload) as [string, string, MemberPosition];
  return id === share.id && cursorListKey === listKey ? position : null;
}
