import { pluralise } from '@scriptorium/contracts/pluralise';
import type { ListedObject } from '@scriptorium/contracts/wire/library/objects';
import { useState } from 'preact/hooks';
import { useResource } from '../../api/hooks.ts';
import { requestFor, send } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { Button } from '../../kit/button.tsx';
import { DialogButton } from '../../kit/dialog.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Empty, ProblemNotice } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import { allSelected, BulkBar, type BulkProps } from '../browse/bulk/bar.tsx';
import { BulkProgress, FailedItems } from '../browse/bulk/progress.tsx';
import { forEach } from '../browse/bulk/run.ts';
import { useBulk } from '../browse/bulk/use-bulk.ts';
import { objectSortOptions } from '../browse/filters/filters.ts';
import { useSelection } from '../browse/grid/selection.ts';
import { type Item, itemOfObject } from '../browse/item.ts';
import { ItemGrid } from '../browse/item-grid.tsx';
import { countObjects, listObjects } from '../browse/list/requests.ts';
import { sourceOf } from '../browse/list/source.ts';
import { useItems } from '../browse/list/use-items.ts';
import { restore, trash } from '../browse/trash-requests.ts';
import { useView } from '../browse/view.ts';
import { ViewButtons } from '../browse/view-buttons.tsx';

/** The states of objects that are not available any more, or never were. */
export type TrashState = 'trashed' | 'rejected' | 'failed';

const explanations: Record<TrashState, string> = {
  trashed:
    'Trashed objects are purged automatically, along with the text recognised in them. Objects under a legal hold or retention are kept until it ends.',
  rejected:
    'These objects were rejected after they were uploaded. You can delete them permanently.',
  failed: 'These objects could not be read. You can delete them permanently.',
};

/** The objects in one of these states. Trashed ones can be restored, and the others deleted. */
export function TrashedObjects({ state, days }: { state: TrashState; days: number | undefined }) {
  const { can } = useSession();
  const [sort, setSort] = useState('-created_at');
  const [view, setView] = useView();
  const query = { state, sort };
  const counts = useResource(countObjects({ state }));
  const results = useItems({
    key: JSON.stringify([query, days]),
    kind: 'objects',
    noun: 'object',
    query,
    sort,
    sorts: objectSortOptions.map(([one]) => one),
    filter: null,
    active: true,
    source: () =>
      sourceOf('objects', query, null, (object) => ({
        ...itemOfObject(object),
        caption: captionOf(object, days),
      })),
    counts,
  });
  const selection = useSelection(results);
  const canWrite = can('objects:write');
  const isTrash = state === 'trashed';
  return (
    <>
      <p class="soft trash-about">{explanations[state]}</p>
      <div class="row trash-bar">
        <span role="status">
          {results.total !== undefined && pluralise(results.total, 'object')}
        </span>
        <ViewButtons view={view} set={setView} />
        <ApiCalls
          calls={[
            ['List objects', listObjects(query)],
            isTrash ? ['Restore object', restore('obj_…')] : ['Delete object', trash('obj_…')],
          ]}
        />
      </div>
      <ItemGrid
        results={results}
        selection={selection}
        selectable={canWrite}
        view={view}
        onSort={setSort}
        empty={<Empty icon="trash" title={`No ${state} objects`} />}
      />
      <BulkBar
        results={results}
        selection={selection}
        actions={(bulk) => (isTrash ? <RestoreButton {...bulk} /> : <DeleteButton {...bulk} />)}
      />
    </>
  );
}

/** When an object is purged, or why it is not available. */
function captionOf(object: ListedObject, days: number | undefined): NonNullable<Item['caption']> {
  const { state, updated_at: trashedAt, rejection } = object;
  if (state === 'trashed') {
    if (days === undefined) return { text: 'In the trash' };
    // Trashed items do not change, so `updated_at` is when it was trashed.
    const purgeTime = new Date(trashedAt).getTime() + days * 86_400_000;
    return { text: 'Purged', at: new Date(purgeTime).toISOString() };
  }
  const detail = rejection?.detail ?? rejection?.message;
  return { text: typeof detail === 'string' ? detail : 'Unknown reason' };
}

/** Restores the selected objects without a confirmation, because it loses nothing. */
function RestoreButton(props: BulkProps) {
  const { count } = props;
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    const items = await allSelected(props);
    const { succeededIds, failed } = await forEach(
      items,
      ({ id }) => send(restore(id)),
      () => undefined,
    );
    const [first] = items;
    if (failed.length > 0) {
      toast(
        'bad',
        `${succeededIds.length} restored, ${failed.length} failed: ${failed[0]!.reason}`,
      );
    } else if (items.length === 1 && first) toast('good', `“${first.name}” restored.`);
    else toast('good', `${pluralise(succeededIds.length, 'object')} restored.`);
    removeItems(props, succeededIds);
    setBusy(false);
  };
  return (
    <Button small busy={busy} onClick={() => void start()}>
      Restore {count}
    </Button>
  );
}

/** Removes items that are in this state no longer. */
function removeItems({ results, selection }: BulkProps, ids: readonly string[]): void {
  const isRemoved = new Set(ids);
  selection.clear();
  results.edit((item) => (isRemoved.has(item.id) ? null : item));
}

function DeleteButton(props: BulkProps) {
  return (
    <DialogButton
      small
      danger
      label={`Delete ${props.count}`}
      dialog={(close) => <DeleteDialog {...props} onClose={close} />}
    />
  );
}

function DeleteDialog({ onClose, ...selected }: BulkProps & { onClose: () => void }) {
  const bulk = useBulk();
  const start = async (): Promise<void> => {
    const outcome = await bulk.run(async (onProgress) => {
      const items = await allSelected(selected);
      return forEach(items, ({ id }) => send(requestFor('trashObject', { id })), onProgress);
    });
    if (!outcome) return;
    removeItems(selected, outcome.succeededIds);
    if (outcome.failed.length > 0) return;
    toast('good', `${pluralise(outcome.succeededIds.length, 'object')} deleted.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Permanently delete ${pluralise(selected.count, 'object')}?`}
      action="Delete permanently"
      danger
      busy={bulk.busy}
      onClose={onClose}
      onSubmit={() => void start()}
    >
      <p>The records, including the reasons, are deleted. This cannot be undone.</p>
      {bulk.busy && <BulkProgress settled={bulk.settled} count={selected.count} />}
      {bulk.failed.length > 0 && <FailedItems failed={bulk.failed} verb="delete" />}
      <ProblemNotice problem={bulk.problem} />
    </FormDialog>
  );
}
