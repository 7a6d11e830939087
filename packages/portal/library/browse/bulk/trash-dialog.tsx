import { pluralise } from '@scriptorium/contracts/pluralise';
import { asProblem } from '../../../api/hooks.ts';
import { send } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';

import type { Item } from '../item.ts';
import { restore, trash } from '../trash-requests.ts';
import { allSelected, type BulkProps } from './bar.tsx';
import { BulkProgress, FailedItems } from './progress.tsx';
import { forEach, type Outcome } from './run.ts';
import { useBulk } from './use-bulk.ts';

/** Moves the selected items to trash; can be undone. */
export function TrashDialog({ onClose, ...selected }: BulkProps & { onClose: () => void }) {
  const { results, selection, count } = selected;
  const bulk = useBulk();
  const start = async (): Promise<void> => {
    const outcome = await bulk.run(async (onProgress): Promise<Outcome & { items: Item[] }> => {
      const items = await allSelected(selected);
      const trashOutcome = await forEach(items, ({ id }) => send(trash(id)), onProgress);
      return { ...trashOutcome, items };
    });
    if (!outcome) return;
    const succeeded = new Set(outcome.succeededIds);
    const loaded = new Set(results.items.loaded.map(({ id }) => id));
    results.edit((item) => (succeeded.has(item.id) ? null : item));
    if (succeeded.size > 0) {
      const trashedItems = outcome.items.filter(({ id }) => succeeded.has(id));
      // Objects derived from a trashed item are now listed, and its source counts it no longer.
      // The position of an item that is not loaded is unknown.
      const needsReload = (item: Item): boolean =>
        item.derivedCount > 0 || item.isDerived || !loaded.has(item.id);
      if (trashedItems.some(needsReload)) results.reload();
      announceTrashed(trashedItems, () => {
        // Objects derived from them are removed from the list.
        selection.clear();
        results.reload();
      });
      selection.clear();
    }
    if (outcome.failed.length === 0) onClose();
  };
  const firstId = [...selection.items.keys()][0] ?? (results.kind === 'images' ? 'img_…' : 'obj_…');
  return (
    <Dialog
      title={`Move ${pluralise(count, 'item')} to trash?`}
      onClose={onClose}
      footer={
        <>
          <ApiCalls
            calls={[
              ['Move to trash', trash(firstId)],
              ['Restore', restore(firstId)],
            ]}
          />
          <Button onClick={onClose}>{bulk.failed.length > 0 ? 'Close' : 'Cancel'}</Button>
          {bulk.failed.length === 0 && (
            <Button danger busy={bulk.busy} onClick={() => void start()}>
              Move to trash
            </Button>
          )}
        </>
      }
    >
      <p>You can restore them for 30 days. After that, they are permanently deleted.</p>
      {bulk.busy && <BulkProgress settled={bulk.settled} count={count} />}
      {bulk.failed.length > 0 && <FailedItems failed={bulk.failed} />}
      <ProblemNotice problem={bulk.problem} />
    </Dialog>
  );
}

/** Confirms that items were moved to trash, and offers to undo it. */
function announceTrashed(items: readonly Item[], onRestored: () => void): void {
  const subject = items.length === 1 ? items[0]!.name : pluralise(items.length, 'item');
  toast('good', `${subject} moved to trash.`, {
    label: 'Undo',
    run: () => {
      forEach(
        items,
        ({ id }) => send(restore(id)),
        () => undefined,
      ).then(
        ({ succeededIds, failed }) => {
          if (succeededIds.length > 0)
            toast('good', `${pluralise(succeededIds.length, 'item')} restored.`);
          for (const { name, reason } of failed.slice(0, 3)) toast('bad', `${name}: ${reason}`);
          onRestored();
        },
        (error: unknown) => toast('bad', asProblem(error).message),
      );
    },
  });
}
