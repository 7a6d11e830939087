import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { TextField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';

/** An existing collection, or the name of a new one. */
export type Chosen = { id: string; name: string } | { id: null; name: string };

/** Selects a collection by name. With `create`, a new name can be entered as well. */
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
  const found = useList(
    requestFor('listCollections', { kind: 'manual', q: name.trim(), sort: 'name', limit: 20 }),
  );
  const isNew =
    props.create === true &&
    can('collections:write') &&
    name.trim() !== '' &&
    !found.items.some((one) => one.name === name.trim());
  const one = found.items.find(({ id }) => id === chosen);
  // A single exact match is selected without a click.
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
    <FormDialog
      title={props.title}
      onClose={props.onClose}
      onSubmit={send}
      action={choice?.id === null ? `Create and ${props.action.toLowerCase()}` : props.action}
      disabled={!choice}
      busy={props.busy ?? false}
    >
      <TextField
        label="Collection"
        hint={
          props.create
            ? 'Search by name, or enter the name of a new collection.'
            : 'Search by name.'
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
              {members === null ? '' : pluralise(members, 'member')}
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
          <p class="soft">No matching collections</p>
        )}
      </fieldset>
    </FormDialog>
  );
}
