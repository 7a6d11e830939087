import type { ComponentChildren } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { toast } from '../../../kit/toasts.tsx';
import { useSession } from '../../../shell/session.tsx';
import { addToCollection } from '../bulk/changes.ts';
import { CollectDialog } from '../bulk/collect-dialog.tsx';
import { sayCollected } from '../bulk/say-collected.ts';
import type { Selection } from '../grid/selection.ts';
import { batchSize } from '../requests.ts';
import type { Results } from '../results.ts';
import { type Carried, type DropTarget, useCarry } from './use-carry.ts';

const loadTray = () => import('./tray.tsx');
const Tray = lazy(loadTray);

/**
 * Adds items to a collection by dragging them there. Returns what may begin a drag, and what is shown
 * meanwhile and afterwards.
 */
export function useCollecting(
  results: Results,
  selection: Selection,
): { onPointerDown: (event: PointerEvent) => boolean; shown: ComponentChildren } {
  const { can } = useSession();
  const [dropped, setDropped] = useState<{ target: DropTarget; carried: Carried } | null>(null);
  const mayCollect = can('collections:read') && can('collections:write');
  const countOf = ({ all, items }: Carried): number =>
    all ? (results.total ?? results.items.end) : items.size;
  const onDrop = (target: DropTarget, carried: Carried): void => {
    // Many take a while: a dialog shows how far it is.
    if (!target || carried.all || carried.items.size > batchSize) {
      setDropped({ target, carried });
      return;
    }
    addToCollection(target.id, [...carried.items.values()], () => undefined).then(
      (outcome) => {
        const { done, already, failed } = outcome;
        if (done.length + already > 0) sayCollected(target, outcome);
        for (const { name, reason } of failed.slice(0, 3)) toast('bad', `${name}: ${reason}`);
      },
      (error: unknown) => toast('bad', asProblem(error).message),
    );
  };
  const { carried, over, onPointerDown } = useCarry({
    itemAt: (index) => results.items.at(index),
    selection,
    onDrop: mayCollect ? onDrop : undefined,
  });
  const shown = (
    <>
      {carried && (
        <Suspense fallback={null}>
          <Tray carried={carried} count={countOf(carried)} over={over} />
        </Suspense>
      )}
      {dropped && (
        <CollectDialog
          results={results}
          selection={dropped.carried}
          count={countOf(dropped.carried)}
          into={dropped.target ?? undefined}
          onClose={() => setDropped(null)}
        />
      )}
    </>
  );
  return {
    onPointerDown: (event) => {
      const begins = onPointerDown(event);
      // Who drags at once finds where to.
      if (begins) void loadTray();
      return begins;
    },
    shown,
  };
}
