import type { Check } from './check-input.ts';

interface Row {
  id: string;
  project_id: string;
  category: string;
  sequence: number | null;
  published: boolean;
}

/**
 * Every event has its sequence, without gaps by project and category; every reader received every
 * event in that order; and acknowledged events are published.
 */
export const checkFeed: Check = async ({ world, ledger, readers }) => {
  const faults: string[] = [];
  const rows = await world.rows<Row>(
    `SELECT id, project_id, category, sequence, published_at IS NOT NULL AS published
     FROM event ORDER BY project_id, category, sequence`,
  );
  const last = new Map<string, number>();
  const ids = new Map<string, Row>();
  for (const row of rows) {
    ids.set(row.id, row);
    const key = `${row.project_id} ${row.category}`;
    if (row.sequence === null) {
      faults.push(`${row.id} has no sequence`);
      continue;
    }
    const expected = (last.get(key) ?? 0) + 1;
    if (row.sequence !== expected)
      faults.push(`${key} has sequence ${row.sequence} where ${expected} is due`);
    last.set(key, row.sequence);
  }
  for (const id of ledger.acknowledged)
    if (!ids.get(id)?.published) faults.push(`${id} was acknowledged, and is not published`);
  for (const reader of readers) {
    const receivedBySequence = new Map<number, string>();
    let highest = 0;
    for (const event of reader.received) {
      const row = ids.get(event.id);
      if (!row) faults.push(`${reader.name} saw ${event.id}, which is not recorded`);
      else if (row.sequence !== event.sequence)
        faults.push(`${reader.name} saw ${event.id} as ${event.sequence}, it is ${row.sequence}`);
      else if (row.project_id !== reader.project)
        faults.push(`${reader.name} saw ${event.id} of another project`);
      const receivedId = receivedBySequence.get(event.sequence);
      if (receivedId !== undefined && receivedId !== event.id)
        faults.push(`${reader.name} saw two events as ${event.sequence}`);
      if (receivedId === undefined && event.sequence !== highest + 1) {
        faults.push(`${reader.name} saw ${event.sequence} after ${highest}`);
      }
      if (receivedId !== undefined && !reader.mayRepeat)
        faults.push(`${reader.name} saw ${event.sequence} twice`);
      receivedBySequence.set(event.sequence, event.id);
      highest = Math.max(highest, event.sequence);
    }
    const end = last.get(`${reader.project} ${reader.category}`) ?? 0;
    if (receivedBySequence.size !== end)
      faults.push(`${reader.name} saw ${receivedBySequence.size} of ${end} events`);
  }
  return faults;
};
