import type { CollectionRecord, MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { useEffect, useState } from 'preact/hooks';
import { useAction, useResource } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { SelectField, TextField } from '../../../kit/fields/field.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { Loading, ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { Thumb } from '../../browse/grid/thumb.tsx';
import { type Item, itemOfImage, itemOfObject } from '../../browse/item.ts';
import { changeMembers } from './change.ts';

const searchDelayMs = 250;

/** Finds images and objects, and adds the selected ones at the end of the collection. */
export function AddMembers({
  collection,
  onClose,
  onAdded,
}: {
  collection: CollectionRecord;
  onClose: () => void;
  onAdded: () => void;
}) {
  const [kind, setKind] = useState<'image' | 'object'>('image');
  const [text, setText] = useState('');
  const [q, setQ] = useState('');
  const [selected, setSelected] = useState<ReadonlyMap<string, MemberRef>>(new Map());
  useEffect(() => {
    const timer = window.setTimeout(() => setQ(text.trim()), searchDelayMs);
    return () => window.clearTimeout(timer);
  }, [text]);
  const images = useResource(
    kind === 'image' ? requestFor('searchImages', { q, limit: 30 }) : null,
  );
  const objects = useResource(
    kind === 'object' ? requestFor('listObjects', { q, limit: 30 }) : null,
  );
  const { run, busy, problem } = useAction({ quiet: true });
  const matches = kind === 'image' ? images : objects;
  const items: Item[] =
    kind === 'image'
      ? (images.data?.data.map(itemOfImage) ?? [])
      : (objects.data?.data.map(itemOfObject) ?? []);
  const request = changeMembers(collection.id, { add: [...selected.values()] });
  const add = async (): Promise<void> => {
    const answer = await run(request);
    if (!answer) return;
    const { results } = answer.data;
    const count = (outcome: string) => results.filter((one) => one.outcome === outcome).length;
    const failed = results.find((one) => one.problem)?.problem;
    const parts = [`${count('added')} added`];
    if (count('already_member') > 0) parts.push(`${count('already_member')} already in it`);
    if (count('failed') > 0) parts.push(`${count('failed')} failed: ${failed?.detail ?? ''}`);
    toast(count('failed') > 0 ? 'bad' : 'good', `${parts.join(', ')}.`.replace('..', '.'));
    onAdded();
    onClose();
  };
  const toggle = (item: Item, isSelected: boolean): void => {
    const next = new Map(selected);
    // `kind` decides whether this is a reference to an image or to an object.
    if (isSelected)
      next.set(item.id, { resource_type: item.kind, resource_id: item.id } as MemberRef);
    else next.delete(item.id);
    setSelected(next);
  };
  return (
    <FormDialog
      title={`Add to “${collection.name}”`}
      wide
      onClose={onClose}
      onSubmit={() => {
        if (selected.size > 0) void add();
      }}
      action={selected.size === 0 ? 'Add' : `Add ${selected.size}`}
      busy={busy}
      disabled={selected.size === 0}
      calls={[['Add members', request]]}
    >
      <div class="query-pair">
        <TextField label="Search" type="search" value={text} onInput={setText} />
        <SelectField
          label="Type"
          value={kind}
          options={[
            ['image', 'Images'],
            ['object', 'All objects'],
          ]}
          onChange={(value) => setKind(value === 'object' ? 'object' : 'image')}
        />
      </div>
      <ProblemNotice problem={problem ?? matches.problem} />
      {matches.loading && items.length === 0 && <Loading what="results" />}
      {!matches.loading && !matches.problem && items.length === 0 && <p class="soft">No results</p>}
      <ul class="picker">
        {items.map((item) => (
          <li key={item.id}>
            <label>
              <input
                type="checkbox"
                checked={selected.has(item.id)}
                onChange={(event) => toggle(item, event.currentTarget.checked)}
              />
              <Thumb item={item} width={120} />
              <bdi>{item.name}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
