import { plainName } from '@scriptorium/contracts/helpers/plain-text';
import type { Origin } from '@scriptorium/contracts/origin';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';

/** The origin of a visitor's actions. */
export function visitorOrigin(
  { projectId, id, title }: Share,
  request: Pick<Origin, 'address' | 'requestId'>,
): Origin {
  const plainTitle = title === null ? null : plainName(title);
  return { projectId, actor: { type: 'share', id, name: plainTitle }, ...request };
}

/** The counter, and the condition that keeps it within the limits. */
const useLimits = {
  views: `(max_views IS NULL OR views < max_views)
    AND (max_downloads IS NULL OR downloads < max_downloads)`,
  downloads: '(max_downloads IS NULL OR downloads < max_downloads)',
  uploads: '(max_files IS NULL OR uploads < max_files)',
} as const;

/**
 * Counts a use of a share, unless it has ended or its limit is reached: exact, even with many
 * concurrent visitors.
 * @returns whether the use is allowed
 */
export async function countUse(
  tx: Tx,
  { projectId, id }: Pick<Share, 'projectId' | 'id'>,
  use: keyof typeof useLimits,
): Promise<boolean> {
  const rows = await prepared(
    tx,
    `UPDATE share SET ${use} = ${use} + 1, last_used_at = clock_timestamp()
     WHERE project_id = $1 AND id = $2 AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > clock_timestamp()) AND ${useLimits[use]}
     RETURNING id`,
    [projectId, id],
  );
  return rows.length > 0;
}
