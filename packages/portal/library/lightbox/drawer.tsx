import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { Link } from 'wouter-preact';
import { Button } from '../../kit/button.tsx';
import { Fact } from '../../kit/fact.tsx';
import { TagsField } from '../../kit/fields/tags-field.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { Loading, ProblemNotice } from '../../kit/states.tsx';
import { Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { mimeName } from '../browse/filters/mime-names.ts';
import type { Item } from '../browse/item.ts';
import type { Results } from '../browse/results.ts';
import { ImageFacts } from '../detail/facts.tsx';
import { Downloads } from '../downloads/downloads.tsx';
import { AutosaveField } from './autosave-field.tsx';
import { type RecordEditor, useRecord } from './use-record.ts';

/** The properties of an item. Fields are edited in place, and saved when they lose the focus. */
export function Drawer({ item, results }: { item: Item; results: Results }) {
  const { can } = useSession();
  const editor = useRecord(item, results);
  const { record } = editor;
  const suggestions = results.facets?.tag.map(({ value }) => value) ?? [];
  const writable =
    can(editor.isImage ? 'images:write' : 'objects:write') && item.state !== 'trashed';
  const facts = [
    ['Kind', mimeName(item.mime, item.filename)],
    ['Size', formatBytes(item.bytes)],
    ['Pages', item.pages !== null && formatCount(item.pages)],
    ['File', item.filename],
  ] as const;
  return (
    <aside class="lightbox-facts stack" aria-label="Details">
      {!record && !editor.problem && <Loading what="details" lines={4} />}
      {record && writable && (
        <>
          {editor.isImage ? (
            <>
              <AutosaveField
                label="Title"
                value={record.title ?? ''}
                onSave={(title) => editor.save({ title: title.trim() || null })}
              />
              <AutosaveField
                label="Description"
                rows={3}
                value={record.description ?? ''}
                onSave={(text) => editor.save({ description: text.trim() || null })}
              />
            </>
          ) : (
            <AutosaveField
              label="File name"
              required
              value={record.filename}
              onSave={(filename) => editor.save({ filename })}
            />
          )}
          <TagsField
            label="Tags"
            tags={record.tags}
            suggestions={suggestions}
            onChange={(tags) => editor.save({ tags })}
          />
        </>
      )}
      {record && !writable && <ReadOnlyFields record={record} />}
      <SaveState of={editor} />
      <ProblemNotice problem={editor.problem} />
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value && <bdi>{value}</bdi>} />
        ))}
        {editor.image && <ImageFacts image={editor.image} />}
        <Fact name="Added" value={<Time at={item.createdAt} exact />} />
        <Fact
          name="Derived objects"
          value={
            item.derivedCount > 0 && (
              <Link
                href={`~/portal/library?${new URLSearchParams({ derived_from: item.objectId })}`}
              >
                {formatCount(item.derivedCount)}
              </Link>
            )
          }
        />
      </dl>
      {can('audit:read') && can('objects:read') && (
        <section class="stack downloads" aria-labelledby="lightbox-downloads">
          <h3 id="lightbox-downloads">Downloads</h3>
          <Downloads key={item.objectId} objectId={item.objectId} />
        </section>
      )}
    </aside>
  );
}

/** Whether the last change was saved, and a button that undoes it. */
function SaveState({ of: editor }: { of: RecordEditor }) {
  return (
    <div class="row lightbox-saved" role="status">
      {editor.busy && <span class="soft">Saving…</span>}
      {!editor.busy && editor.undo && (
        <>
          <span>Saved.</span>
          <Button small onClick={editor.undo}>
            Undo
          </Button>
        </>
      )}
    </div>
  );
}

function ReadOnlyFields({ record }: { record: NonNullable<RecordEditor['record']> }) {
  return (
    <dl class="facts">
      <Fact name="Title" value={record.title && <bdi>{record.title}</bdi>} />
      <Fact name="Description" value={record.description && <bdi>{record.description}</bdi>} />
      <Fact name="Tags" value={<bdi>{record.tags.join(', ') || 'None'}</bdi>} />
    </dl>
  );
}
