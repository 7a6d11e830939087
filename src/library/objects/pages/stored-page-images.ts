import { prepared, type Tx } from '../../../db/transaction.ts';
import type { ReceivedBytes } from '../../../storage/storage.ts';
import { retainBytes } from '../../bytes/retain.ts';
import { type PageView, pageVariant } from './page-image.ts';

/** A picture of a page that is in storage. */
export interface PageImage {
  sha256: string;
  bytes: number;
}

/** The existing pictures of an object's pages, by the name of the variant. */
export async function findPageImages(
  tx: Tx,
  projectId: string,
  objectId: string,
  views: readonly PageView[],
): Promise<Map<string, PageImage>> {
  const rows = await prepared<PageImage & { variant: string }>(
    tx,
    `SELECT variant, sha256, bytes FROM object_variant
     WHERE project_id = $1 AND object_id = $2 AND variant = ANY($3) AND sha256 IS NOT NULL`,
    [projectId, objectId, views.map(pageVariant)],
  );
  return new Map(rows.map(({ variant, sha256, bytes }) => [variant, { sha256, bytes }]));
}

/** Stores a picture that was drawn without a task, unless its object was purged. */
export async function storePageImage(
  tx: Tx,
  projectId: string,
  objectId: string,
  view: PageView,
  received: ReceivedBytes,
): Promise<void> {
  const { sha256, bytes } = await retainBytes(tx, projectId, received);
  await prepared(
    tx,
    `INSERT INTO object_variant (project_id, object_id, variant, sha256, bytes)
     SELECT $1, id, $3, $4, $5 FROM object WHERE project_id = $1 AND id = $2 FOR KEY SHARE
     ON CONFLICT (project_id, object_id, variant) DO UPDATE
       SET sha256 = excluded.sha256, bytes = excluded.bytes, error = NULL`,
    [projectId, objectId, pageVariant(view), sha256, bytes],
  );
}
