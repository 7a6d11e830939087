import { useState } from 'preact/hooks';
import { useList } from '../../api/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';
import { findCollections } from './requests.ts';

/** What was chosen: a collection there is, or the name of a new one. */
export type Chosen = { id: string; name: string } | { id: null; name: string };

/** Chooses a collection by its name. With `create`, one that is yet to be made can be chosen too. */
export function CollectionDialog<C extends boolean = false>(props: {
  title: string;
  action: string;
  create?: C;
  busy?: boolean;
  onClose: () => void;
  onChoose: (chosen: C extends true ? Chosen : { id: string; name: string }) => void;
}) {
  const { can } = useSession();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useList(findCollections(name.trim()));
  const isNew =
    props.create === true &&
    can('collections:write') &&
    name.trim() !== '' &&
    !found.items.some((one) => one.name === name.trim());
  const one = found.items.find(({ id }) => id === chosen);
  // One that is the only one, or has exactly this name, need not be picked.
  const named = found.items.filter((each) => each.name === name.trim());
  const only = one ?? (named.length === 1 ? named[0] : undefined);
  const choice: Chosen | undefined =
    chosen === 'new' && isNew
      ? { id: null, name: name.trim() }
      : (only ??
        (isNew && found.items.length === 0 && !found.loading
          ? { id: null, name: name.trim() }
          : undefined));
  const send = (): void => {
    if (choice && (choice.id !== null || props.create)) {
      props.onChoose(choice as C extends true ? Chosen : { id: string; name: string });
    }
  };
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      onSubmit={send}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button primary type="submit" disabled={!choice} busy={props.busy ?? false}>
            {choice?.id === null ? `Create and ${props.action.toLowerCase()}` : props.action}
          </Button>
        </>
      }
    >
      <TextField
        label="Collection"
        hint={
          props.create ? 'A part of its name, or the name of a new one.' : 'A part of its name.'
        }
        autofocus
        value={name}
        onInput={setName}
      />
      <ProblemNotice problem={found.problem} />
      <fieldset class="browse-options" aria-busy={found.loading}>
        <legend class="visually-hidden">Collections</legend>
        {found.items.map(({ id, name: title, path, member_count: members }) => (
          <label key={id} class="browse-option">
            <input
              type="radio"
              name="collection"
              checked={choice?.id === id}
              onChange={() => setChosen(id)}
            />
            <span dir="auto">{title}</span>
            <span class="soft" dir="auto">
              {path.length > 1 && `in ${path.at(-2)!.name} · `}
              {members === null ? '' : `${members} members`}
            </span>
          </label>
        ))}
        {isNew && (
          <label class="browse-option">
            <input
              type="radio"
              name="collection"
              checked={choice?.id === null}
              onChange={() => setChosen('new')}
            />
            <span dir="auto">New collection: {name.trim()}</span>
          </label>
        )}
        {!found.loading && found.items.length === 0 && !isNew && (
          <p class="soft">No collection has this in its name.</p>
        )}
      </fieldset>
    </Dialog>
  );
}
