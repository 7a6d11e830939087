import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import type { SharePatch } from '@scriptorium/contracts/wire/library/shares';
import {
  clockTime,
  nextVersion,
  sendUpdate,
  transactionTime,
  type Values,
} from '../../db/statements/rows.ts';
import { commitWith, type Tx } from '../../db/transaction.ts';
import { Share } from '../../entities/library/share.ts';
import { record } from '../../outbox/record.ts';
import { findObject } from '../objects/load.ts';
import { rejectInvalidFields } from './fields.ts';
import { eventDataOf } from './load.ts';
import { chooseSharedObject } from './policies.ts';

/**
 * Changes fields of a locked share. A patch that changes nothing records nothing.
 * @param passwordHash the hash of the new password; null removes the password, undefined keeps it
 * @throws Problem 403 if a policy does not let the object be shared that long, 409 for a revoked share,
 *   422 for invalid fields
 */
export async function updateShare(
  tx: Tx,
  origin: Origin,
  share: Share,
  patch: SharePatch,
  passwordHash: string | null | undefined,
): Promise<Share> {
  if (share.state === 'revoked') {
    throw new Problem('state_conflict', 'A revoked share cannot be changed. Create a new one.');
  }
  rejectInvalidFields(share.kind, patch, [], {
    allow_download: share.allowDownload,
    max_downloads: share.maxDownloads,
  });
  const values: { [Field in keyof Share]?: Share[Field] | undefined } = {
    title: patch.title,
    message: patch.message,
    passwordHash,
    allowDownload: patch.allow_download,
    maxViews: patch.max_views,
    maxDownloads: patch.max_downloads,
    accept: patch.accept,
    maxBytes: patch.max_bytes,
    maxFiles: patch.max_files,
    expiresAt: parseTime(patch.expires_at),
  };
  const changes = Object.entries(values).filter(
    ([field, value]) =>
      value !== undefined &&
      JSON.stringify(value) !== JSON.stringify(share[field as keyof Share] ?? null),
  );
  if (changes.length === 0) return share;
  const change: Values<Share> = Object.fromEntries(changes);
  if (share.objectId && 'expiresAt' in change) {
    const { createdAt } = share;
    const expiresAt = values.expiresAt ?? null;
    const object = await findObject(tx, share.projectId, share.objectId);
    // Purging an object purges its shares.
    if (object) await chooseSharedObject(tx, origin, object, { createdAt, expiresAt });
  }
  const where = { projectId: share.projectId, id: share.id };
  sendUpdate(tx, Share, where, { ...change, updatedAt: transactionTime, version: nextVersion });
  await record(tx, origin, {
    type: 'dam.share.updated',
    resourceId: share.id,
    data: { changed: changes.map(([field]) => apiNameOf(field)) },
  });
  return commitWith(tx, () => tx.findOneByOrFail(Share, where));
}

function parseTime(text: string | null | undefined): Date | null | undefined {
  return typeof text === 'string' ? new Date(text) : text;
}

/** The name of a field in the API. */
function apiNameOf(field: string): string {
  if (field === 'passwordHash') return 'password';
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Revokes a locked share. A share that is already revoked is left unchanged. */
export async function revokeShare(tx: Tx, origin: Origin, share: Share): Promise<void> {
  if (share.state === 'revoked') return;
  const { projectId, id } = share;
  sendUpdate(
    tx,
    Share,
    { projectId, id },
    { revokedAt: clockTime, updatedAt: transactionTime, version: nextVersion },
  );
  await record(tx, origin, { type: 'dam.share.revoked', resourceId: id, data: eventDataOf(share) });
}
