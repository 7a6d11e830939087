import type {
  CollectionRecord,
  ListedMember,
} from '@scriptorium/contracts/wire/library/collections';
import { useRef, useState } from 'preact/hooks';
import { type LoadedList, useList } from '../../../api/hooks.ts';
import { type ResponseOf, requestFor } from '../../../api/request.ts';
import { ListFooter } from '../../../kit/list-footer.tsx';
import { Empty, Loading, ProblemState } from '../../../kit/states.tsx';
import { useSession } from '../../../shell/session.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { MemberTile } from './tile.tsx';
import { keyOf, useReorder } from './use-reorder.ts';

type MemberList = LoadedList<ListedMember, ResponseOf<'listCollectionMembers'>>;

export function useMembers(id: string): MemberList {
  const { can } = useSession();
  return useList(
    requestFor('listCollectionMembers', {
      id,
      limit: 100,
      include: can('images:read') && can('objects:read') ? 'resource' : undefined,
    }),
  );
}

interface MembersProps {
  record: CollectionRecord;
  list: MemberList;
  /** Members can be moved and removed. */
  canWrite: boolean;
  onChanged: () => void;
}

/** The members of a collection, in order. */
export function Members({ record, list, canWrite, onChanged }: MembersProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { items } = list;
  if (list.problem && items.length === 0) {
    return <ProblemState problem={list.problem} onRetry={list.reload} />;
  }
  if (list.loading && items.length === 0) return <Loading what="members" />;
  if (items.length === 0) {
    return (
      <Empty title="No members">
        {record.kind === 'smart'
          ? 'No images match the query.'
          : 'Add images and objects, or drop files here to upload them to this collection.'}
      </Empty>
    );
  }
  const select = (key: string, isSelected: boolean): void => {
    setSelected((now) => {
      const next = new Set(now);
      if (isSelected) next.add(key);
      else next.delete(key);
      return next;
    });
  };
  return (
    <>
      {canWrite && (
        <SelectionBar
          record={record}
          chosen={items.filter((item) => selected.has(keyOf(item)))}
          loadedCount={items.length}
          onSelectAll={() => setSelected(new Set(items.map(keyOf)))}
          onClear={() => setSelected(new Set())}
          onRemoved={(removedKeys) => {
            list.updateItems((now) => now.filter((item) => !removedKeys.has(keyOf(item))));
            setSelected(new Set());
            onChanged();
          }}
          onChanged={onChanged}
        />
      )}
      <MemberTiles
        record={record}
        list={list}
        canWrite={canWrite}
        selected={selected}
        select={select}
      />
      <ListFooter list={list} nouns={['member', 'members']} />
    </>
  );
}

function MemberTiles(props: {
  record: CollectionRecord;
  list: MemberList;
  canWrite: boolean;
  selected: ReadonlySet<string>;
  select: (key: string, isSelected: boolean) => void;
}) {
  const { record, list, canWrite, selected, select } = props;
  const reorder = useReorder(record, list);
  const [dropTarget, setDropTarget] = useState<{ at: number; after: boolean } | null>(null);
  const draggedKey = useRef<string | null>(null);
  const onDrop = (): void => {
    const key = draggedKey.current;
    if (key === null || !dropTarget) return;
    setDropTarget(null);
    reorder.moveToGap(key, dropTarget.at + (dropTarget.after ? 1 : 0));
  };
  return (
    <>
      <p class="visually-hidden" role="status" aria-live="assertive">
        {reorder.announcement}
      </p>
      <ol class="members" ref={reorder.element} aria-label="Members">
        {list.items.map((member, at) => {
          const key = keyOf(member);
          return (
            <MemberTile
              key={key}
              member={member}
              canWrite={canWrite}
              selected={selected.has(key)}
              grabbed={reorder.isGrabbed(key)}
              dropSide={dropTarget?.at === at ? (dropTarget.after ? 'after' : 'before') : null}
              onSelect={(on) => select(key, on)}
              onGrab={() => reorder.grab(key)}
              onLeave={() => reorder.onLeave(key)}
              onKey={(event) => reorder.onKey(event, key)}
              onDragStart={() => {
                draggedKey.current = key;
              }}
              onDragOver={(after) => {
                if (draggedKey.current === null) return false;
                if (dropTarget?.at !== at || dropTarget.after !== after)
                  setDropTarget({ at, after });
                return true;
              }}
              onDragEnd={() => {
                draggedKey.current = null;
                setDropTarget(null);
              }}
              onDrop={onDrop}
            />
          );
        })}
      </ol>
    </>
  );
}
