import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { TextField } from '../../../kit/fields/field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { type Node, rootsOf, visibleNodes, whyNotIn } from '../nodes.ts';

/** Selects a new parent for a collection. Invalid destinations state the reason. */
export function MoveDialog({
  moving,
  nodes,
  onClose,
  onMoved,
}: {
  moving: Node;
  nodes: ReadonlyMap<string, Node>;
  onClose: () => void;
  onMoved: () => void;
}) {
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState<Node | null | undefined>();
  const { run, busy, problem } = useAction({ quiet: true });
  const all = visibleNodes(rootsOf(nodes), new Set(nodes.keys()));
  const places: (Node | null)[] = [
    null,
    ...all.filter(({ name }) => name.toLowerCase().includes(q.trim().toLowerCase())),
  ];
  const request = requestFor('updateCollection', {
    id: moving.id,
    body: { parent_id: chosen?.id ?? null },
  });
  const move = async (): Promise<void> => {
    if (chosen === undefined || !(await run(request))) return;
    toast('good', `“${moving.name}” moved to ${chosen ? `“${chosen.name}”` : 'the top level'}.`);
    onMoved();
  };
  return (
    <FormDialog
      title={`Move “${moving.name}”`}
      onClose={onClose}
      onSubmit={move}
      action="Move here"
      busy={busy}
      disabled={chosen === undefined}
      calls={[['Move collection', request]]}
      problem={problem}
    >
      <TextField label="Find by name" type="search" value={q} onInput={setQ} />
      <fieldset class="places">
        <legend>Move to</legend>
        {places.map((place) => {
          const why = whyNotIn(moving, place, nodes);
          return (
            <label
              key={place?.id ?? ''}
              class="check"
              style={{ paddingLeft: `${(place?.level ?? 0) * 1}rem` }}
            >
              <input
                type="radio"
                name="place"
                disabled={why !== null}
                checked={chosen === place}
                onChange={() => setChosen(place)}
              />
              <span>
                <bdi>{place ? place.name : 'Top level'}</bdi>{' '}
                {why && <span class="soft">{why}</span>}
              </span>
            </label>
          );
        })}
      </fieldset>
    </FormDialog>
  );
}
