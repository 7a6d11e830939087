import { prepared, type Tx } from '../../db/transaction.ts';

/** The manual collections outside the trash that contain each of these images, by name. */
export async function collectionsOfImages(
  tx: Tx,
  projectId: string,
  imageIds: readonly string[],
): Promise<Map<string, { id: string; name: string }[]>> {
  const rows = await prepared<{ imageId: string; id: string; name: string }>(
    tx,
    `SELECT m.resource_id AS "imageId", c.id, c.name FROM collection_member m
     JOIN collection c ON c.project_id = m.project_id AND c.id = m.collection_id
     WHERE m.project_id = $1 AND m.resource_type = 'image' AND m.resource_id = ANY($2)
       AND m.hidden = false AND c.state = 'available'
     ORDER BY c.name, c.id`,
    [projectId, imageIds],
  );
  const byImage = new Map<string, { id: string; name: string }[]>(imageIds.map((id) => [id, []]));
  for (const { imageId, id, name } of rows) byImage.get(imageId)?.push({ id, name });
  return byImage;
}
