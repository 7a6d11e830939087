import { pluralise } from '../../../../contracts/pluralise.ts';
import { asProblem } from '../../../api/hooks.ts';
import { send } from '../../../api/request.ts';
import { toast } from '../../../kit/toasts.tsx';
import { changeMembers, memberOf } from '../../collections/members/change.ts';
import { batchSize } from '../list/pages.ts';
import type { Collected } from './changes.ts';
import { inBatches, patiently } from './run.ts';

/** Reports which items were added to a collection, and offers to remove them again. */
export function sayCollected(
  collection: { id: string; name: string },
  { done, already, members }: Collected,
): void {
  const others = already > 0 ? ` ${pluralise(already, 'item')} already in it.` : '';
  const text = `${pluralise(done.length, 'item')} added to ${collection.name}.${others}`;
  const undo = (): void => {
    removeAgain(collection.id, members).then(
      () => toast('good', `${pluralise(done.length, 'item')} removed from ${collection.name}.`),
      (error: unknown) => toast('bad', asProblem(error).message),
    );
  };
  const open = { label: `Open ${collection.name}`, href: `/collections/${collection.id}` };
  // What changed nothing needs no answer, and goes by itself.
  if (done.length === 0) toast('good', text);
  else toast('good', text, { label: 'Undo', run: undo }, open);
}

async function removeAgain(id: string, members: readonly string[]): Promise<void> {
  for (const batch of inBatches(members, batchSize)) {
    await patiently(() => send(changeMembers(id, { remove: batch.map(memberOf) })));
  }
}
