import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { requestFor, send } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import {
  addMembers,
  changeMembers,
  memberRefOf,
  removeMembers,
} from '../../collections/members/change.ts';
import { type CollectionChoice, CollectionDialog } from '../collection-dialog.tsx';
import { allSelected, type BulkProps } from './bar.tsx';
import { type AddToCollectionOutcome, addToCollection } from './changes.ts';
import { BulkProgress, FailedItems } from './progress.tsx';
import { useBulk } from './use-bulk.ts';

interface NamedCollection {
  id: string;
  name: string;
}

/** Adds items to an existing or new collection, or moves them there from another one. */
export function CollectDialog(
  props: BulkProps & {
    /** The collection that the items leave. */
    from?: NamedCollection;
    /** Called with the ids of the items that were moved. */
    onMoved?: (ids: ReadonlySet<string>) => void;
    onClose: () => void;
  },
) {
  const { results, selection, count, from, onMoved, onClose } = props;
  const bulk = useBulk();
  const [collection, setCollection] = useState<NamedCollection | null>(null);
  const start = async (choice: CollectionChoice): Promise<void> => {
    const outcome = await bulk.run(async (onProgress) => {
      const target =
        choice.id === null
          ? (await send(requestFor('createCollection', { body: { name: choice.name } }))).data
          : choice;
      const { id, name } = target;
      // Stored so that a retry does not create it twice.
      setCollection({ id, name });
      const items = await allSelected({ results, selection, count });
      const added = await addToCollection(id, items, onProgress);
      const failedIds = new Set(added.failed.map((item) => item.id));
      const movedIds = items.map((item) => item.id).filter((itemId) => !failedIds.has(itemId));
      if (from) await removeMembers(from.id, movedIds);
      return { ...added, collection: { id, name }, movedIds };
    });
    if (!outcome) return;
    if (from) {
      onMoved?.(new Set(outcome.movedIds));
      announceMoved(from, outcome.collection, outcome.movedIds, outcome.members, results.reload);
    } else if (outcome.failed.length === 0 || outcome.succeededIds.length > 0) {
      announceAdded(outcome.collection, outcome);
    }
    if (outcome.failed.length === 0) onClose();
  };
  const verb = from ? 'Move' : 'Add';
  const items = pluralise(count, 'item');
  if (!collection && !bulk.problem && !bulk.busy) {
    return (
      <CollectionDialog
        title={from ? `Move ${items} to another collection` : `Add ${items} to a collection`}
        action={verb}
        allowCreate
        except={from?.id}
        onClose={onClose}
        onChoose={(choice) => void start(choice)}
      />
    );
  }
  const refs = [...selection.items.keys()].slice(0, 500).map(memberRefOf);
  return (
    <Dialog
      title={`${verb} ${items} to ${collection?.name ?? 'a collection'}`}
      onClose={onClose}
      footer={
        <>
          {collection && (
            <ApiCalls
              calls={[
                ['Add members', changeMembers(collection.id, { add: refs })],
                ...(from
                  ? [['Remove members', changeMembers(from.id, { remove: refs })] as const]
                  : []),
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
  collection: NamedCollection,
  { succeededIds, alreadyMemberCount, members }: AddToCollectionOutcome,
): void {
  const items = pluralise(succeededIds.length, 'item');
  const alreadyText =
    alreadyMemberCount > 0 ? ` ${pluralise(alreadyMemberCount, 'item')} already in it.` : '';
  const text = `${items} added to ${collection.name}.${alreadyText}`;
  const undo = async (): Promise<string> => {
    await removeMembers(collection.id, members);
    return `${items} removed from ${collection.name}.`;
  };
  // If no items were added, there is nothing to undo.
  announce(text, collection, succeededIds.length === 0 ? null : undo);
}

/** Reports which items were moved, and offers to move them back, to the end of the collection. */
function announceMoved(
  from: NamedCollection,
  collection: NamedCollection,
  movedIds: readonly string[],
  newMembers: readonly string[],
  onUndone: () => void,
): void {
  const items = pluralise(movedIds.length, 'item');
  const undo = async (): Promise<string> => {
    await addMembers(from.id, movedIds);
    await removeMembers(collection.id, newMembers);
    onUndone();
    return `${items} moved back to the end of ${from.name}.`;
  };
  announce(
    `${items} moved to ${collection.name}.`,
    collection,
    movedIds.length === 0 ? null : undo,
  );
}

function announce(
  text: string,
  { id, name }: NamedCollection,
  undo: (() => Promise<string>) | null,
): void {
  if (!undo) {
    toast('good', text);
    return;
  }
  const run = (): void => {
    undo().then(
      (done) => toast('good', done),
      (error: unknown) => toast('bad', asProblem(error).message),
    );
  };
  toast(
    'good',
    text,
    { label: 'Undo', run },
    { label: `Open ${name}`, href: `/collections/${id}` },
  );
}
