import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { useList } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { TextField } from '../../kit/fields/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { useSession } from '../../shell/session.tsx';

/** An existing collection, or the name of a new one. */
export type CollectionChoice = { id: string; name: string } | { id: null; name: string };

/** Selects a collection by name. With `allowCreate`, the name of a new one can be entered as well. */
export function CollectionDialog<C extends boolean = false>(props: {
  title: string;
  action: string;
  allowCreate?: C;
  busy?: boolean;
  /** A collection that is not offered. */
  except?: string | undefined;
  onClose: () => void;
  onChoose: (chosen: C extends true ? CollectionChoice : { id: string; name: string }) => void;
}) {
  const { can } = useSession();
  const [name, setName] = useState('');
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const collections = useList(
    requestFor('listCollections', { kind: 'manual', q: name.trim(), sort: 'name', limit: 20 }),
  );
  const offered = collections.items.filter(({ id }) => id !== props.except);
  const isNew =
    props.allowCreate === true &&
    can('collections:write') &&
    name.trim() !== '' &&
    !offered.some((one) => one.name === name.trim());
  const hasNoMatches = !collections.loading && !collections.problem && offered.length === 0;
  const selectedCollection = offered.find(({ id }) => id === selectedId);
  // A single exact match is selected without a click.
  const exactMatches = offered.filter((each) => each.name === name.trim());
  const existing = selectedCollection ?? (exactMatches.length === 1 ? exactMatches[0] : undefined);
  const choice: CollectionChoice | undefined =
    selectedId === 'new' && isNew
      ? { id: null, name: name.trim() }
      : (existing ?? (isNew && hasNoMatches ? { id: null, name: name.trim() } : undefined));
  const submit = (): void => {
    if (choice && (choice.id !== null || props.allowCreate)) {
      props.onChoose(choice as C extends true ? CollectionChoice : { id: string; name: string });
    }
  };
  return (
    <FormDialog
      title={props.title}
      onClose={props.onClose}
      onSubmit={submit}
      action={choice?.id === null ? `Create and ${props.action.toLowerCase()}` : props.action}
      disabled={!choice}
      busy={props.busy ?? false}
    >
      <TextField
        label="Collection"
        hint={
          props.allowCreate
            ? 'Search by name, or enter the name of a new collection.'
            : 'Search by name.'
        }
        autofocus
        value={name}
        onInput={setName}
      />
      <ProblemNotice problem={collections.problem} />
      <fieldset class="browse-options" aria-busy={collections.loading}>
        <legend class="visually-hidden">Collections</legend>
        {offered.map(({ id, name: title, path, member_count: members }) => (
          <label key={id} class="browse-option">
            <input
              type="radio"
              name="collection"
              checked={choice?.id === id}
              onChange={() => setSelectedId(id)}
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
              onChange={() => setSelectedId('new')}
            />
            <span dir="auto">New collection: {name.trim()}</span>
          </label>
        )}
        {hasNoMatches && !isNew && <p class="soft">No matching collections</p>}
      </fieldset>
    </FormDialog>
  );
}
