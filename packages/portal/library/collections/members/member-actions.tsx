import { pluralise } from '@scriptorium/contracts/pluralise';
import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import { useState } from 'preact/hooks';
import { asProblem, useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { DialogButton } from '../../../kit/dialog.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { allSelected, type BulkProps } from '../../browse/bulk/bar.tsx';
import { CollectDialog } from '../../browse/bulk/collect-dialog.tsx';
import { batchSize } from '../../browse/list/requests.ts';
import { changeMembers, memberRefOf, removeMembers } from './change.ts';

/** What can be done with the selected members of a manual collection, besides what items allow. */
export function MemberActions(
  props: BulkProps & { record: CollectionRecord; onChanged: () => void },
) {
  const { record, onChanged, ...bulk } = props;
  const { results, selection } = bulk;
  const [busy, setBusy] = useState(false);
  const { run, busy: isSettingCover } = useAction();
  const dropMembers = (ids: ReadonlySet<string>): void => {
    results.edit((item) => (ids.has(item.id) ? null : item));
    selection.clear();
    onChanged();
  };
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      const ids = (await allSelected(bulk)).map(({ id }) => id);
      const removedIds = new Set(await removeMembers(record.id, ids));
      dropMembers(removedIds);
      toast('good', `${pluralise(removedIds.size, 'member')} removed from the collection.`);
    } catch (error) {
      toast('bad', asProblem(error).message);
      results.reload();
    } finally {
      setBusy(false);
    }
  };
  const [only] = selection.items.values();
  const image = selection.items.size === 1 && only?.kind === 'image' ? only : null;
  const coverRequest = requestFor('updateCollection', {
    id: record.id,
    body: { cover: image?.id ?? null },
  });
  const refs = [...selection.items.keys()].slice(0, batchSize).map(memberRefOf);
  return (
    <>
      <DialogButton
        small
        label="Move to collection"
        dialog={(close) => (
          <CollectDialog {...bulk} from={record} onMoved={dropMembers} onClose={close} />
        )}
      />
      <Button small busy={busy} onClick={() => void remove()}>
        Remove
      </Button>
      {image && image.id !== record.cover && (
        <Button
          small
          busy={isSettingCover}
          onClick={async () => {
            if (!(await run(coverRequest))) return;
            toast('good', 'Cover updated.');
            onChanged();
          }}
        >
          Use as cover
        </Button>
      )}
      <ApiCalls
        calls={[
          ['Remove members', changeMembers(record.id, { remove: refs })],
          ['Set cover', coverRequest],
        ]}
      />
    </>
  );
}
