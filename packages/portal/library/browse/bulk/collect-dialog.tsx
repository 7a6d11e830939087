import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { requestFor, send } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { changeMembers, memberOf } from '../../collections/members/change.ts';
import { type Chosen, CollectionDialog } from '../collection-dialog.tsx';
import { batchSize } from '../list/pages.ts';
import { allSelected } from './all.ts';
import type { BulkProps } from './bar.tsx';
import { addToCollection, type Collected } from './changes.ts';
import { BulkProgress, FailedItems } from './progress.tsx';
import { inBatches, patiently } from './run.ts';
import { useBulk } from './use-bulk.ts';

/** Adds items to an existing or new collection. */
export function CollectDialog(props: Omit<BulkProps, 'address'> & { onClose: () => void }) {
  const { results, selection, count, onClose } = props;
  const bulk = useBulk();
  const [chosen, setChosen] = useState<{ id: string; name: string } | null>(null);
  const start = async (choice: Chosen): Promise<void> => {
    const outcome = await bulk.run(async (onProgress) => {
      const { id, name } =
        choice.id === null
          ? (await send(requestFor('createCollection', { body: { name: choice.name } }))).data
          : choice;
      // Stored so that a retry does not create it twice.
      setChosen({ id, name });
      const items = await allSelected(results, selection, () => undefined);
      return { ...(await addToCollection(id, items, onProgress)), collection: { id, name } };
    });
    if (!outcome) return;
    if (outcome.failed.length === 0 || outcome.done.length > 0) {
      sayCollected(outcome.collection, outcome);
    }
    if (outcome.failed.length === 0) onClose();
  };
  if (!chosen && !bulk.problem && !bulk.busy) {
    return (
      <CollectionDialog
        title={`Add ${pluralise(count, 'item')} to a collection`}
        action="Add"
        create
        onClose={onClose}
        onChoose={(choice) => void start(choice)}
      />
    );
  }
  return (
    <Dialog
      title={`Add ${pluralise(count, 'item')} to ${chosen?.name ?? 'a collection'}`}
      onClose={onClose}
      footer={
        <>
          {chosen && (
            <ApiCalls
              calls={[
                [
                  'Add members',
                  changeMembers(chosen.id, {
                    add: [...selection.items.keys()].slice(0, 500).map(memberOf),
                  }),
                ],
              ]}
            />
          )}
          <Button onClick={onClose}>Close</Button>
          {bulk.problem && chosen && (
            <Button primary onClick={() => void start(chosen)}>
              Try again
            </Button>
          )}
        </>
      }
    >
      {bulk.busy && <BulkProgress settled={bulk.settled} count={count} />}
      {bulk.failed.length > 0 && <FailedItems failed={bulk.failed} />}
      <ProblemNotice problem={bulk.problem} />
    </Dialog>
  );
}

/** Reports which items were added to a collection, and offers to remove them again. */
function sayCollected(
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
  // A bulk action that would change nothing needs no confirmation, and closes by itself.
  if (done.length === 0) toast('good', text);
  else toast('good', text, { label: 'Undo', run: undo }, open);
}

async function removeAgain(id: string, members: readonly string[]): Promise<void> {
  for (const batch of inBatches(members, batchSize)) {
    await patiently(() => send(changeMembers(id, { remove: batch.map(memberOf) })));
  }
}
