import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { TextField } from '../../../kit/fields/field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { type CollectionNode, rootsOf, visibleNodes, whyCannotMove } from '../nodes.ts';

/** Selects a new parent for a collection. Invalid destinations are shown with the reason. */
export function MoveDialog({
  collection,
  nodes,
  onClose,
  onMoved,
}: {
  collection: CollectionNode;
  nodes: ReadonlyMap<string, CollectionNode>;
  onClose: () => void;
  onMoved: () => void;
}) {
  const [query, setQuery] = useState('');
  const [selected, setSelected] = useState<CollectionNode | null | undefined>();
  const { run, busy, problem } = useAction({ quiet: true });
  const allNodes = visibleNodes(rootsOf(nodes), new Set(nodes.keys()));
  const text = query.trim().toLowerCase();
  const destinations: (CollectionNode | null)[] = [
    null,
    ...allNodes.filter(({ name }) => name.toLowerCase().includes(text)),
  ];
  const request = requestFor('updateCollection', {
    id: collection.id,
    body: { parent_id: selected?.id ?? null },
  });
  const move = async (): Promise<void> => {
    if (selected === undefined || !(await run(request))) return;
    toast(
      'good',
      `“${collection.name}” moved to ${selected ? `“${selected.name}”` : 'the top level'}.`,
    );
    onMoved();
  };
  return (
    <FormDialog
      title={`Move “${collection.name}”`}
      onClose={onClose}
      onSubmit={move}
      action="Move here"
      busy={busy}
      disabled={selected === undefined}
      calls={[['Move collection', request]]}
      problem={problem}
    >
      <TextField label="Find by name" type="search" value={query} onInput={setQuery} />
      <fieldset class="places">
        <legend>Move to</legend>
        {destinations.map((destination) => {
          const reason = whyCannotMove(collection, destination, nodes);
          return (
            <label
              key={destination?.id ?? ''}
              class="check"
              style={{ paddingLeft: `${destination?.level ?? 0}rem` }}
            >
              <input
                type="radio"
                name="place"
                disabled={reason !== null}
                checked={selected === destination}
                onChange={() => setSelected(destination)}
              />
              <span>
                <bdi>{destination ? destination.name : 'Top level'}</bdi>{' '}
                {reason && <span class="soft">{reason}</span>}
              </span>
            </label>
          );
        })}
      </fieldset>
    </FormDialog>
  );
}
