import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { Link } from 'wouter-preact';
import { Button } from '../../kit/button.tsx';
import { formatCount } from '../../kit/count.ts';
import { Fact } from '../../kit/fact.tsx';
import { TagsField } from '../../kit/fields/tags-field.tsx';
import { Loading, ProblemNotice } from '../../kit/states.tsx';
import { Time } from '../../kit/values.tsx';
import { useSession } from '../../shell/session.tsx';
import { mimeName } from '../browse/filters/filters.ts';
import type { Item } from '../browse/item.ts';
import type { Results } from '../browse/results.ts';
import { Downloads } from '../downloads/downloads.tsx';
import { LineField } from './line-field.tsx';
import { type Saved, useRecord } from './use-record.ts';

/** The facts of an item. Editable fields are edited in place, and saved when they lose focus. */
export function Drawer({ item, results }: { item: Item; results: Results }) {
  const { can } = useSession();
  const of = useRecord(item, results);
  const { record } = of;
  const suggestions = results.facets?.tag.map(({ value }) => value) ?? [];
  const writable = can(of.isImage ? 'images:write' : 'objects:write') && item.state !== 'trashed';
  const facts = [
    ['Kind', mimeName(item.mime)],
    ['Size', formatBytes(item.bytes)],
    ['Dimensions', item.picture && `${item.picture.width} × ${item.picture.height}`],
    ['Pages', item.pages !== null && formatCount(item.pages)],
    ['File', item.filename],
  ] as const;
  return (
    <aside class="lightbox-facts stack" aria-label="Details">
      {!record && !of.problem && <Loading what="details" lines={4} />}
      {record && writable && (
        <>
          {of.isImage ? (
            <>
              <LineField
                label="Title"
                value={record.title ?? ''}
                onSave={(title) => of.save({ title: title.trim() || null })}
              />
              <LineField
                label="Description"
                rows={3}
                value={record.description ?? ''}
                onSave={(text) => of.save({ description: text.trim() || null })}
              />
            </>
          ) : (
            <LineField
              label="File name"
              required
              value={record.filename}
              onSave={(filename) => of.save({ filename })}
            />
          )}
          <TagsField
            label="Tags"
            tags={record.tags}
            suggestions={suggestions}
            onChange={(tags) => of.save({ tags })}
          />
        </>
      )}
      {record && !writable && <ReadOnly record={record} />}
      <SaveState of={of} />
      <ProblemNotice problem={of.problem} />
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value && <bdi>{value}</bdi>} />
        ))}
        <Fact name="Added" value={<Time at={item.createdAt} exact />} />
        <Fact
          name="Made from this"
          value={
            item.derivedCount > 0 && (
              <Link href={`?${new URLSearchParams({ derived_from: item.objectId })}`}>
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
function SaveState({ of }: { of: Saved }) {
  return (
    <div class="row lightbox-saved" role="status">
      {of.busy && <span class="soft">Saving…</span>}
      {!of.busy && of.undo && (
        <>
          <span>Saved.</span>
          <Button small onClick={of.undo}>
            Undo
          </Button>
        </>
      )}
    </div>
  );
}

function ReadOnly({ record }: { record: NonNullable<Saved['record']> }) {
  return (
    <dl class="facts">
      <Fact name="Title" value={record.title && <bdi>{record.title}</bdi>} />
      <Fact name="Description" value={record.description && <bdi>{record.description}</bdi>} />
      <Fact name="Tags" value={<bdi>{record.tags.join(', ') || 'None'}</bdi>} />
    </dl>
  );
}
