import type {
  CollectionKind,
  CollectionPatch,
  CollectionRecord,
} from '@scriptorium/contracts/wire/library/collections';
import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { faultAt, TextField } from '../../../kit/fields/field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { useSession } from '../../../shell/session.tsx';
import type { CollectionNode } from '../nodes.ts';
import { QueryForm } from './query-form.tsx';

interface EditProps {
  /** Null for a new collection. */
  record: CollectionRecord | null;
  /** The parent of a new collection. */
  parent: CollectionNode | null;
  onClose: () => void;
  onSaved: (record: CollectionRecord) => void;
  /** Reloads the collection after a conflicting change. */
  onReload?: () => void;
}

/** Creates a manual or smart collection, or edits one. */
export function EditCollection({
  record: currentRecord,
  parent,
  onClose,
  onSaved,
  onReload,
}: EditProps) {
  const { can } = useSession();
  // The state when the form opened, regardless of later loads.
  const [record] = useState(currentRecord);
  const [name, setName] = useState(record?.name ?? '');
  const [description, setDescription] = useState(record?.description ?? '');
  const [kind, setKind] = useState<CollectionKind>(record?.kind ?? 'manual');
  const [query, setQuery] = useState<ImageFilters>(record?.query ?? {});
  const { run, busy, problem } = useAction({ quiet: true });
  const fields = { name: name.trim(), description: description.trim() || null };
  const update = (original: CollectionRecord, version: number) =>
    requestFor('updateCollection', {
      id: original.id,
      version,
      body: changesOf(original, { ...fields, query }),
    });
  const request = record
    ? update(record, record.version)
    : requestFor('createCollection', {
        body: {
          ...fields,
          kind,
          ...(parent ? { parent_id: parent.id } : {}),
          ...(kind === 'smart' ? { query } : {}),
        },
      });
  const saveChanges = async (original: CollectionRecord) => {
    const latest = await run(requestFor('getCollection', { id: original.id }));
    // Changes to the members increase the version but do not conflict.
    return (
      latest &&
      run(
        update(
          original,
          hasSameFields(original, latest.data) ? latest.data.version : original.version,
        ),
      )
    );
  };
  const save = async (): Promise<void> => {
    const answer = await (record ? saveChanges(record) : run(request));
    if (!answer) return;
    toast('good', `“${answer.data.name}” saved.`);
    onSaved(answer.data);
  };
  return (
    <FormDialog
      title={record ? 'Edit collection' : 'New collection'}
      wide={kind === 'smart'}
      onClose={onClose}
      onSubmit={save}
      action={record ? 'Save' : 'Create'}
      busy={busy}
      disabled={name.trim() === ''}
      calls={[[record ? 'Update collection' : 'Create collection', request]]}
    >
      {parent && !record && (
        <p class="soft">
          Created inside <bdi>“{parent.name}”</bdi>.
        </p>
      )}
      <TextField
        label="Name"
        value={name}
        onInput={setName}
        required
        fault={faultAt(problem, '/name')}
      />
      <TextField
        label="Description"
        value={description}
        onInput={setDescription}
        rows={2}
        fault={faultAt(problem, '/description')}
      />
      {!record && can('images:read') && <KindField kind={kind} onChange={setKind} />}
      {kind === 'smart' && <QueryForm query={query} onChange={setQuery} />}
      {problem?.code === 'etag_mismatch' ? (
        <div class="notice bad row" role="alert">
          <span>This collection was changed after you opened it. Your changes were not saved.</span>
          <Button
            small
            onClick={() => {
              onReload?.();
              onClose();
            }}
          >
            Reload collection
          </Button>
        </div>
      ) : (
        <ProblemNotice problem={problem} />
      )}
    </FormDialog>
  );
}

/** Whether members are added manually or by a query. */
function KindField(props: { kind: CollectionKind; onChange: (kind: CollectionKind) => void }) {
  return (
    <fieldset class="kinds">
      <legend>Members</legend>
      {(
        [
          ['manual', 'Manual: added by you, in your order'],
          ['smart', 'Smart: everything that matches a query'],
        ] as const
      ).map(([value, text]) => (
        <label key={value} class="check">
          <input
            type="radio"
            name="kind"
            checked={props.kind === value}
            onChange={() => props.onChange(value)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** Whether both have the same values in the fields of the form. */
function hasSameFields(a: CollectionRecord, b: CollectionRecord): boolean {
  const fieldsOf = ({ name, description, query }: CollectionRecord) => [name, description, query];
  return JSON.stringify(fieldsOf(a)) === JSON.stringify(fieldsOf(b));
}

/** Returns a merge patch with the differences; removed filters are set to null. */
function changesOf(
  record: CollectionRecord,
  values: { name: string; description: string | null; query: ImageFilters },
): CollectionPatch {
  const query = Object.fromEntries([
    ...Object.keys(record.query ?? {}).map((name) => [name, null]),
    ...Object.entries(values.query),
  ]) as CollectionPatch['query'];
  return {
    ...(values.name === record.name ? {} : { name: values.name }),
    ...(values.description === record.description ? {} : { description: values.description }),
    ...(record.kind === 'smart' && query ? { query } : {}),
  };
}
