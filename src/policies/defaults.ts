import type { Origin } from '../contracts/origin.ts';
import type { PolicyCreate } from '../contracts/wire/policies.ts';
import type { Tx } from '../db/transaction.ts';
import { createPolicy } from './store.ts';

/** What every project starts with. They are policies like any other: seen, changed and removed. */
const defaults: readonly PolicyCreate[] = [
  {
    name: 'No executables and no scripted SVG',
    mode: 'enforce',
    scope: { type: 'project' },
    actions: ['upload'],
    rules: [{ type: 'allowed_mime_types', exclude: ['*/*;executable', 'image/svg+xml;scripted'] }],
  },
  {
    name: 'Images are delivered without where they were taken',
    mode: 'enforce',
    scope: { type: 'project' },
    actions: ['download'],
    rules: [{ type: 'strip_metadata', fields: ['gps'] }],
  },
];

/** Gives a new project its first policies. */
export async function createDefaultPolicies(tx: Tx, origin: Origin): Promise<void> {
  for (const draft of defaults) await createPolicy(tx, origin, draft);
}
