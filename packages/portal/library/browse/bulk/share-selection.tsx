import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { requestFor, send } from '../../../api/request.ts';
import { TextField } from '../../../kit/fields/field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { ShareDialog } from '../../shares/dialogs.tsx';
import { allSelected, type BulkProps } from './bar.tsx';
import { addToCollection } from './changes.ts';
import { BulkProgress, FailedItems } from './progress.tsx';
import { useBulk } from './use-bulk.ts';

/**
 * Creates a link to the selected items: to the object itself, or to a new collection of several,
 * because a link leads to an object or a collection.
 */
export function ShareSelection({ onClose, ...selected }: BulkProps & { onClose: () => void }) {
  const { selection, count } = selected;
  const bulk = useBulk();
  const [name, setName] = useState('');
  const [collection, setCollection] = useState<{ id: string; name: string } | null>(null);
  const [isComplete, setIsComplete] = useState(false);
  const [only] = selection.items.values();
  if (count === 1 && only) {
    const target = { object_id: only.objectId };
    return <ShareDialog of={target} name={only.name} mayUpload={false} onClose={onClose} />;
  }
  if (collection && isComplete) {
    const target = { collection_id: collection.id };
    return <ShareDialog of={target} name={collection.name} mayUpload={false} onClose={onClose} />;
  }
  const request = requestFor('createCollection', { body: { name: name.trim() } });
  const create = async (): Promise<void> => {
    if (name.trim() === '') return;
    const outcome = await bulk.run(async (onProgress) => {
      const target = collection ?? (await send(request)).data;
      // Stored so that a retry does not create it twice.
      setCollection({ id: target.id, name: target.name });
      return addToCollection(target.id, await allSelected(selected), onProgress);
    });
    if (outcome?.failed.length === 0) setIsComplete(true);
  };
  const hasFailed = bulk.failed.length > 0;
  return (
    <FormDialog
      title={`Share ${pluralise(count, 'item')}`}
      action={hasFailed ? 'Share the others' : 'Create collection'}
      busy={bulk.busy}
      disabled={name.trim() === ''}
      problem={bulk.problem}
      calls={[['Create collection', request]]}
      onClose={onClose}
      onSubmit={() => {
        if (hasFailed) setIsComplete(true);
        else void create();
      }}
    >
      <p>A link shows a collection, so the items are put into a new one.</p>
      <TextField label="Name of the collection" autofocus required value={name} onInput={setName} />
      {bulk.busy && <BulkProgress settled={bulk.settled} count={count} />}
      {hasFailed && <FailedItems failed={bulk.failed} />}
    </FormDialog>
  );
}
