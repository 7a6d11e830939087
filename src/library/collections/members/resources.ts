import type { ListedMember, MemberRecord } from '@scriptorium/contracts/wire/library/collections';
import { prepared, type Tx } from '../../../db/transaction.ts';
import type { StoredObject } from '../../../entities/library/stored-object.ts';
import { findImages, presentImage } from '../../images/load.ts';
import { objectColumns, presentObject } from '../../objects/load.ts';

/** Members with the records of their resources; null for one that was just purged. */
export async function withResources(
  tx: Tx,
  projectId: string,
  members: readonly MemberRecord[],
): Promise<ListedMember[]> {
  const idsOf = (type: MemberRecord['resource_type']): string[] =>
    members.filter((member) => member.resource_type === type).map((member) => member.resource_id);
  const images = await findImages(tx, projectId, idsOf('image'));
  const objects = await prepared<StoredObject>(
    tx,
    `SELECT ${objectColumns} FROM object WHERE project_id = $1 AND id = ANY($2)`,
    [projectId, idsOf('object')],
  );
  const byId = new Map<string, NonNullable<ListedMember['resource']>>([
    ...images.map((image) => [image.id, presentImage(image)] as const),
    ...objects.map((object) => [object.id, presentObject(object)] as const),
  ]);
  return members.map((member) => ({ ...member, resource: byId.get(member.resource_id) ?? null }));
}
