import { useState } from 'preact/hooks';
import type {
  CollectionKind,
  CollectionPatch,
  CollectionRecord,
} from '../../../../contracts/wire/collections.ts';
import type { ImageFilters } from '../../../../contracts/wire/images.ts';
import { useAction } from '../../../api/hooks.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { faultAt, TextField } from '../../../kit/field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { useSession } from '../../../shell/session.tsx';
import type { Node } from '../nodes.ts';
import { createCollection, patchCollection } from '../requests.ts';
import { QueryForm } from './query-form.tsx';

interface EditProps {
  /** Null for a new one. */
  record: CollectionRecord | null;
  /** Where a new one is made. */
  parent: Node | null;
  onClose: () => void;
  onSaved: (record: CollectionRecord) => void;
  /** Reads again what somebody else has changed. */
  onReload?: () => void;
}

/** Makes a collection, by hand or by a query, or changes what is said of one. */
export function EditCollection({ record, parent, onClose, onSaved, onReload }: EditProps) {
  const { can } = useSession();
  const [name, setName] = useState(record?.name ?? '');
  const [description, setDescription] = useState(record?.description ?? '');
  const [kind, setKind] = useState<CollectionKind>(record?.kind ?? 'manual');
  const [query, setQuery] = useState<ImageFilters>(record?.query ?? {});
  const { run, busy, problem } = useAction({ quiet: true });
  const said = { name: name.trim(), description: description.trim() || null };
  const request = record
    ? patchCollection(record.id, changesOf(record, { ...said, query }), record.version)
    : createCollection({
        ...said,
        kind,
        ...(parent ? { parent_id: parent.id } : {}),
        ...(kind === 'smart' ? { query } : {}),
      });
  const save = async (): Promise<void> => {
    const answer = await run(request);
    if (!answer) return;
    toast('good', `“${answer.data.name}” is saved.`);
    onSaved(answer.data);
  };
  return (
    <Dialog
      title={record ? 'Edit the collection' : 'New collection'}
      wide={kind === 'smart'}
      onClose={onClose}
      onSubmit={() => void save()}
      footer={
        <>
          <ApiCalls calls={[[record ? 'Change it' : 'Make it', request]]} />
          <Button onClick={onClose}>Cancel</Button>
          <Button primary type="submit" busy={busy} disabled={name.trim() === ''}>
            {record ? 'Save' : 'Create'}
          </Button>
        </>
      }
    >
      {parent && !record && (
        <p class="soft">
          It is made inside of <bdi>“{parent.name}”</bdi>.
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
      {!record && can('images:read') && (
        <fieldset class="kinds">
          <legend>Its members are</legend>
          {(
            [
              ['manual', 'put in by hand, in an order'],
              ['smart', 'found by a query, always as of now'],
            ] as const
          ).map(([value, text]) => (
            <label key={value} class="check">
              <input
                type="radio"
                name="kind"
                checked={kind === value}
                onChange={() => setKind(value)}
              />
              {text}
            </label>
          ))}
        </fieldset>
      )}
      {kind === 'smart' && <QueryForm query={query} onChange={setQuery} />}
      {problem?.code === 'etag_mismatch' ? (
        <div class="notice bad row" role="alert">
          <span>
            Somebody else has changed this collection since you opened it. Your changes are not
            saved.
          </span>
          <Button
            small
            onClick={() => {
              onReload?.();
              onClose();
            }}
          >
            Show it as it is now
          </Button>
        </div>
      ) : (
        <ProblemNotice problem={problem} />
      )}
    </Dialog>
  );
}

/** A merge patch of what is different; filters that are gone are taken away by null. */
function changesOf(
  record: CollectionRecord,
  next: { name: string; description: string | null; query: ImageFilters },
): CollectionPatch {
  const query = Object.fromEntries([
    ...Object.keys(record.query ?? {}).map((name) => [name, null]),
    ...Object.entries(next.query),
  ]) as CollectionPatch['query'];
  return {
    ...(next.name === record.name ? {} : { name: next.name }),
    ...(next.description === record.description ? {} : { description: next.description }),
    ...(record.kind === 'smart' && query ? { query } : {}),
  };
}
