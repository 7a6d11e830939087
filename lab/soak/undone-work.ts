import type { System } from '../rolling/system.ts';

/** How long a job may take. */
const maxJobDuration = '10 minutes';

/**
 * Requested work that was not done: jobs that failed or never end, and webhooks that were not
 * received.
 */
export async function findUndoneWork(
  { rows }: Pick<System, 'rows'>,
  receipts: number,
): Promise<string[]> {
  const jobs = await rows<{ what: string; count: number }>(
    `SELECT concat_ws(' ', state, error->>'code') AS what, count(*) AS count FROM job
     WHERE state IN ('failed', 'partially_succeeded')
       OR finished_at IS NULL AND created_at < now() - interval '${maxJobDuration}'
     GROUP BY 1 ORDER BY 1`,
  );
  return [
    ...jobs.map(({ what, count }) => `jobs ${what}: ${count}`),
    ...(receipts === 0 ? ['no webhook was received'] : []),
  ];
}
