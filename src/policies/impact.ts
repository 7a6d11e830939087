import type { PolicyAction } from '@scriptorium/contracts/rules';
import type { ImpactContext, ImpactRecord } from '@scriptorium/contracts/wire/policy-decisions';
import { LessThan } from 'typeorm';
import type { InTransaction, Tx } from '../db/transaction.ts';
import { StoredObject } from '../entities/library/stored-object.ts';
import { decide, type Policy } from './decision/decide.ts';
import { known, notApplicable } from './decision/fact-table.ts';
import { factsAt } from './facts/facts-at.ts';
import { loadFacts } from './facts/load.ts';
import { requireIpAddress } from './ip-address.ts';

/** The maximum number of objects that one request examines. */
const maxObjects = 20_000;
/**
 * The number of objects per transaction. They take a few hundredths of a second; then other work can run.
 */
const batchSize = 500;
const maxExamples = 5;

/**
 * Counts the newest available objects that a policy would deny for each of its actions, if it were
 * enforced and the only policy. Rules about addresses and times deny nothing unless the context has
 * them, and downloads are assumed to use a key.
 * @param inProject runs each part in a separate transaction, so that others can run in between
 * @throws Problem 422 if the address is invalid
 */
export async function computeImpact(
  inProject: InTransaction,
  projectId: string,
  policy: Policy,
  context: ImpactContext = {},
): Promise<ImpactRecord> {
  requireIpAddress(context.address);
  const address = context.address === undefined ? notApplicable : known(context.address);
  const at = context.at === undefined ? undefined : new Date(context.at);
  const time = at ? known(at) : notApplicable;
  const enforced: Policy = { ...policy, mode: 'enforce' };
  const actions = Object.fromEntries(
    policy.actions.map((action) => [action, { denied: 0, pending: 0, examples: [] as string[] }]),
  ) as Record<PolicyAction, ImpactRecord['actions'][string]>;
  let examined = 0;
  let before: string | null = null;
  for (;;) {
    const limit = Math.min(batchSize, maxObjects + 1 - examined);
    const from = before;
    const { ids, looked, gathered } = await inProject(async (tx) => {
      const ids = await listNewest(tx, projectId, from, limit);
      const examinedIds = ids.slice(0, maxObjects - examined);
      return { ids, looked: examinedIds, gathered: await loadFacts(tx, projectId, examinedIds) };
    });
    for (const { objectId, facts, holds } of gathered) {
      for (const action of policy.actions) {
        const { decision } = decide([enforced], {
          action,
          objectId,
          holds,
          facts: {
            ...(at ? factsAt(facts, at) : facts),
            address,
            time,
            signing: action === 'sign' ? notApplicable : known({ signed: false }),
          },
        });
        const count = actions[action];
        if (decision === 'pending') count.pending += 1;
        if (decision !== 'deny') continue;
        count.denied += 1;
        if (count.examples.length < maxExamples) count.examples.push(objectId);
      }
    }
    examined += looked.length;
    if (ids.length > looked.length) return { examined, complete: false, actions };
    if (ids.length < limit) return { examined, complete: true, actions };
    before = ids.at(-1)!;
  }
}

async function listNewest(
  tx: Tx,
  projectId: string,
  before: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await tx.find(StoredObject, {
    select: { id: true },
    where: { projectId, state: 'available', ...(before !== null && { id: LessThan(before) }) },
    order: { id: 'DESC' },
    take: limit,
  });
  return rows.map(({ id }) => id);
}
