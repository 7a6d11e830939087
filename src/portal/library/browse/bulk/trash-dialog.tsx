import { asProblem } from '../../../api/hooks.ts';
import { send } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { formatCount } from '../../../kit/values.tsx';
import type { Item } from '../item.ts';
import { restore, trash } from '../requests.ts';
import { allSelected } from './all.ts';
import type { BulkProps } from './bar.tsx';
import { BulkProgress, Failures } from './progress.tsx';
import { forEach, type Outcome } from './run.ts';
import { useBulk } from './use-bulk.ts';

/** Puts all that is selected into the trash, with a way back. */
export function TrashDialog({
  results,
  selection,
  count,
  onClose,
}: BulkProps & { onClose: () => void }) {
  const bulk = useBulk();
  const start = async (): Promise<void> => {
    const outcome = await bulk.run(async (onProgress): Promise<Outcome & { items: Item[] }> => {
      const items = await allSelected(results, selection, () => undefined);
      const became = await forEach(items, ({ id }) => send(trash(id)), onProgress);
      return { ...became, items };
    });
    if (!outcome) return;
    const done = new Set(outcome.done);
    results.edit((item) => (done.has(item.id) ? null : item));
    if (done.size > 0) {
      const gone = outcome.items.filter(({ id }) => done.has(id));
      sayTrashed(gone, results.reload);
      selection.clear();
    }
    if (outcome.failed.length === 0) onClose();
  };
  const first = [...selection.items.keys()][0] ?? (results.kind === 'images' ? 'img_…' : 'obj_…');
  return (
    <Dialog
      title={`Put ${formatCount(count)} into the trash?`}
      onClose={onClose}
      footer={
        <>
          <ApiCalls
            calls={[
              ['Put each into the trash', trash(first)],
              ['Restore it', restore(first)],
            ]}
          />
          <Button onClick={onClose}>{bulk.failed.length > 0 ? 'Close' : 'Cancel'}</Button>
          {bulk.failed.length === 0 && (
            <Button danger busy={bulk.busy} onClick={() => void start()}>
              Put into the trash
            </Button>
          )}
        </>
      }
    >
      <p>
        They can be restored for 30 days. After that they are gone, with all that is known of them.
      </p>
      {bulk.busy && <BulkProgress settled={bulk.settled} count={count} />}
      {bulk.failed.length > 0 && <Failures failed={bulk.failed} />}
      <ProblemNotice problem={bulk.problem} />
    </Dialog>
  );
}

/** Says what went into the trash, and brings it back on demand. */
export function sayTrashed(items: readonly Item[], onRestored: () => void): void {
  const what = items.length === 1 ? items[0]!.name : formatCount(items.length);
  toast('good', `${what} put into the trash.`, {
    label: 'Undo',
    run: () => {
      forEach(
        items,
        ({ id }) => send(restore(id)),
        () => undefined,
      ).then(
        ({ done, failed }) => {
          if (done.length > 0) toast('good', `${formatCount(done.length)} restored.`);
          for (const { name, reason } of failed.slice(0, 3)) toast('bad', `${name}: ${reason}`);
          onRestored();
        },
        (error: unknown) => toast('bad', asProblem(error).message),
      );
    },
  });
}
