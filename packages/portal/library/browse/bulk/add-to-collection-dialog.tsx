import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { requestFor, send } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { changeMembers, memberRefOf } from '../../collections/members/change.ts';
import { type CollectionChoice, CollectionDialog } from '../collection-dialog.tsx';
import { batchSize } from '../list/requests.ts';
import { allSelected } from './all-selected.ts';
import type { BulkProps } from './bar.tsx';
import { type AddToCollectionOutcome, addToCollection } from './changes.ts';
import { BulkProgress, FailedItems } from './progress.tsx';
import { retryWhileBusy, splitIntoBatches } from './run.ts';
import { useBulk } from './use-bulk.ts';

/** Adds items to an existing or new collection. */
export function AddToCollectionDialog(props: Omit<BulkProps, 'address'> & { onClose: () => void }) {
  const { results, selection, count, onClose } = props;
  const bulk = useBulk();
  const [collection, setCollection] = useState<{ id: string; name: string } | null>(null);
  const start = async (choice: CollectionChoice): Promise<void> => {
    const outcome = await bulk.run(async (onProgress) => {
      const { id, name } =
        choice.id === null
          ? (await send(requestFor('createCollection', { body: { name: choice.name } }))).data
          : choice;
      // Stored so that a retry does not create it twice.
      setCollection({ id, name });
      const items = await allSelected(results, selection, () => undefined);
      return { ...(await addToCollection(id, items, onProgress)), collection: { id, name } };
    });
    if (!outcome) return;
    if (outcome.failed.length === 0 || outcome.succeededIds.length > 0) {
      announceAdded(outcome.collection, outcome);
    }
    if (outcome.failed.length === 0) onClose();
  };
  if (!collection && !bulk.problem && !bulk.busy) {
    return (
      <CollectionDialog
        title={`Add ${pluralise(count, 'item')} to a collection`}
        action="Add"
        allowCreate
        onClose={onClose}
        onChoose={(choice) => void start(choice)}
      />
    );
  }
  return (
    <Dialog
      title={`Add ${pluralise(count, 'item')} to ${collection?.name ?? 'a collection'}`}
      onClose={onClose}
      footer={
        <>
          {collection && (
            <ApiCalls
              calls={[
                [
                  'Add members',
                  changeMembers(collection.id, {
                    add: [...selection.items.keys()].slice(0, 500).map(memberRefOf),
                  }),
                ],
              ]}
            />
          )}
          <Button onClick={onClose}>Close</Button>
          {bulk.problem && collection && (
            <Button primary onClick={() => void start(collection)}>
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
function announceAdded(
  collection: { id: string; name: string },
  { succeededIds, alreadyMemberCount, members }: AddToCollectionOutcome,
): void {
  const alreadyText =
    alreadyMemberCount > 0 ? ` ${pluralise(alreadyMemberCount, 'item')} already in it.` : '';
  const text = `${pluralise(succeededIds.length, 'item')} added to ${collection.name}.${alreadyText}`;
  const undo = (): void => {
    removeMembers(collection.id, members).then(
      () =>
        toast('good', `${pluralise(succeededIds.length, 'item')} removed from ${collection.name}.`),
      (error: unknown) => toast('bad', asProblem(error).message),
    );
  };
  const open = { label: `Open ${collection.name}`, href: `/collections/${collection.id}` };
  // If no items were added, there is nothing to undo.
  if (succeededIds.length === 0) toast('good', text);
  else toast('good', text, { label: 'Undo', run: undo }, open);
}

async function removeMembers(id: string, members: readonly string[]): Promise<void> {
  for (const batch of splitIntoBatches(members, batchSize)) {
    await retryWhileBusy(() => send(changeMembers(id, { remove: batch.map(memberRefOf) })));
  }
}
