import type { Check } from './check-input.ts';

interface Row {
  id: string;
  type: string;
  resource_id: string;
  request_id: string | null;
  project_id: string;
  object_id: string | null;
}

/** Types that only a client's request records, once for each effect. */
const requestedTypes =
  /^(dam\.object\.(created|available|updated|trashed|restored|purged)|dam\.image\.(created|trashed|restored|purged)|dam\.collection\.|dam\.collection_member\.|documents\.job\.created|webhooks\.endpoint\.(created|deleted|paused|enabled|secret_rotated))/;

/**
 * Every accepted request takes effect once: it recorded exactly the events that the model expects,
 * over all its attempts, and rejected requests recorded none.
 */
export const checkEffects: Check = async ({ world, ledger }) => {
  const faults: string[] = [];
  const rows = await world.rows<Row>(
    // The image itself may have been purged.
    `SELECT id, type, resource_id, request_id, project_id,
       CASE WHEN resource_type = 'image' THEN data->>'object_id' END AS object_id
     FROM event ORDER BY ordinal`,
  );
  // Only the server knows which request of a resumable upload was the last.
  const objectEffects = new Map<string, string[]>();
  for (const { effects } of ledger.entries) {
    for (const effect of effects) if (effect.includes(' ')) objectEffects.set(effect, []);
  }
  const recorded = new Map<string, string[]>();
  for (const row of rows) {
    if (!requestedTypes.test(row.type)) continue;
    const object = objectEffects.get(`${row.type} ${row.object_id ?? row.resource_id}`);
    if (object) {
      object.push(row.id);
      continue;
    }
    const entry = row.request_id === null ? undefined : ledger.entryOf(row.request_id);
    if (!entry)
      faults.push(
        `${row.id} ${row.type} of ${row.resource_id} follows from no request (${row.request_id})`,
      );
    else if (entry.project !== row.project_id)
      faults.push(`${row.id} ${row.type} is in another project than its request`);
    // The effects of a job on its source are checked with jobs.
    else if (isOfJob(entry.what) && !row.type.startsWith('documents.')) continue;
    else recorded.set(entry.id, [...(recorded.get(entry.id) ?? []), row.type]);
  }
  for (const [effect, ids] of objectEffects) {
    if (ids.length !== 1)
      faults.push(`${effect} was recorded ${ids.length} times: ${ids.join(' ')}`);
  }
  for (const entry of ledger.entries) {
    // It is unknown whether it took effect; the client has already reported that.
    if (entry.status === null) continue;
    const expected = entry.effects
      .filter((effect) => !effect.includes(' '))
      .sort()
      .join(' ');
    const actual = (recorded.get(entry.id) ?? []).sort().join(' ');
    if (expected !== actual) {
      faults.push(
        `${entry.id} ${entry.what} (${entry.status} after ${entry.attempts} attempts) recorded [${actual}], expected [${expected}]`,
      );
    }
  }
  return faults;
};

const isOfJob = (what: string) => what.startsWith('POST /v1/documents/');
