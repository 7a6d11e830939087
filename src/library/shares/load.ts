import { presentActor } from '@scriptorium/contracts/origin';
import { grants, type Scope } from '@scriptorium/contracts/scopes';
import type {
  ShareKind,
  ShareRecord,
  ShareState,
} from '@scriptorium/contracts/wire/library/shares';
import { type FindOptionsWhere, In, LessThan } from 'typeorm';
import { currentProject } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Share } from '../../entities/library/share.ts';

/**
 * The scopes that a link partly grants to its visitors. Its creator must have them when creating the link
 * and at each use, and only callers with these scopes see the link.
 */
export function scopesOfShare({
  kind,
  collectionId,
  allowDownload,
}: Pick<Share, 'kind' | 'collectionId' | 'allowDownload'>): Scope[] {
  if (kind === 'upload') {
    return ['objects:write', ...(collectionId ? (['collections:write'] as const) : [])];
  }
  return [
    'objects:read',
    'images:read',
    ...(collectionId ? (['collections:read'] as const) : []),
    ...(allowDownload ? (['objects:download'] as const) : []),
  ];
}

/** Whether these scopes include all that a link grants. */
export function coversShare(scopes: readonly Scope[], share: Share): boolean {
  return scopesOfShare(share).every((scope) => grants(scopes, scope));
}

/** The share of the current project, or null. */
export function findShare(tx: Tx, id: string): Promise<Share | null> {
  return tx.findOneBy(Share, { projectId: currentProject, id });
}

/** The share of the current project, locked until the transaction ends, or null. */
export function lockShare(tx: Tx, id: string): Promise<Share | null> {
  const where = { projectId: currentProject, id };
  return tx.findOne(Share, { where, lock: { mode: 'for_no_key_update' } });
}

/** The filters of a list of shares; each accepts any of its values. */
export interface ShareFilters {
  state?: readonly ShareState[] | undefined;
  kind?: readonly ShareKind[] | undefined;
  objectId?: readonly string[] | undefined;
  collectionId?: readonly string[] | undefined;
}

/** Up to `limit` shares, newest first. */
export function listShares(
  tx: Tx,
  { before, limit, ...filters }: ShareFilters & { before?: string | undefined; limit: number },
): Promise<Share[]> {
  const where = {
    ...shareConditions(filters),
    ...(before !== undefined && { id: LessThan(before) }),
  };
  return tx.find(Share, { where, order: { id: 'DESC' }, take: limit });
}

/** The exact number of shares. */
export function countShares(tx: Tx, filters: ShareFilters): Promise<number> {
  return tx.countBy(Share, shareConditions(filters));
}

function shareConditions({
  state,
  kind,
  objectId,
  collectionId,
}: ShareFilters): FindOptionsWhere<Share> {
  return {
    projectId: currentProject,
    ...(state && { state: In(state) }),
    ...(kind && { kind: In(kind) }),
    ...(objectId && { objectId: In(objectId) }),
    ...(collectionId && { collectionId: In(collectionId) }),
  };
}

/** A share as the API shows it, with its link or null. */
export function presentShare(share: Share, url: string | null): ShareRecord {
  return {
    id: share.id,
    project_id: share.projectId,
    kind: share.kind,
    state: share.state,
    object_id: share.objectId,
    collection_id: share.collectionId,
    url,
    title: share.title,
    message: share.message,
    expires_at: share.expiresAt?.toISOString() ?? null,
    allow_download: share.allowDownload,
    max_views: share.maxViews,
    max_downloads: share.maxDownloads,
    accept: share.accept,
    max_bytes: share.maxBytes,
    max_files: share.maxFiles,
    has_password: share.passwordHash !== null,
    views: share.views,
    downloads: share.downloads,
    uploads: share.uploads,
    last_used_at: share.lastUsedAt?.toISOString() ?? null,
    created_by: presentActor(share.createdBy),
    revoked_at: share.revokedAt?.toISOString() ?? null,
    created_at: share.createdAt.toISOString(),
    updated_at: share.updatedAt.toISOString(),
    version: share.version,
  };
}

/** The data of a share in events. */
export function eventDataOf(
  share: Pick<
    Share,
    'kind' | 'objectId' | 'collectionId' | 'allowDownload' | 'passwordHash' | 'expiresAt'
  >,
) {
  return {
    kind: share.kind,
    object_id: share.objectId,
    collection_id: share.collectionId,
    allow_download: share.allowDownload,
    has_password: share.passwordHash !== null,
    expires_at: share.expiresAt?.toISOString() ?? null,
  };
}
