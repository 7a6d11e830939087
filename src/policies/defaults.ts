import type { Origin } from '@scriptorium/contracts/origin';
import type { PolicyCreate } from '@scriptorium/contracts/wire/policies';
import type { Tx } from '../db/transaction.ts';
import { createPolicy } from './store.ts';

/** The first policies of every project. They can be viewed, changed and deleted like any other. */
const defaults: readonly PolicyCreate[] = [
  {
    name: 'No executables and no scripted SVG',
    mode: 'enforce',
    scope: { type: 'project' },
    actions: ['upload'],
    rules: [{ type: 'allowed_mime_types', exclude: ['*/*;executable', 'image/svg+xml;scripted'] }],
  },
  {
    name: 'Images are delivered without their location',
    mode: 'enforce',
    scope: { type: 'project' },
    actions: ['download'],
    rules: [{ type: 'strip_metadata', fields: ['gps'] }],
  },
];

/** Gives a new project its default policies. */
export async function createDefaultPolicies(tx: Tx, origin: Origin): Promise<void> {
  for (const draft of defaults) await createPolicy(tx, origin, draft);
}
