import type {
  CollectionRecord,
  ListedMember,
} from '@scriptorium/contracts/wire/library/collections';
import { useRef, useState } from 'preact/hooks';
import { type LoadedList, useList } from '../../../api/hooks.ts';
import { type AnswerOf, requestFor } from '../../../api/request.ts';
import { More } from '../../../kit/more.tsx';
import { Empty, Loading, ProblemState } from '../../../kit/states.tsx';
import { useSession } from '../../../shell/session.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { MemberTile } from './tile.tsx';
import { keyOf, useReorder } from './use-reorder.ts';

type List = LoadedList<ListedMember, AnswerOf<'listCollectionMembers'>>;

export function useMembers(id: string): List {
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
  list: List;
  /** Members can be moved and removed. */
  canWrite: boolean;
  onChanged: () => void;
}

/** The members of a collection in order. */
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
  const select = (key: string, on: boolean): void => {
    setSelected((now) => {
      const next = new Set(now);
      if (on) next.add(key);
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
          loaded={items.length}
          onAll={() => setSelected(new Set(items.map(keyOf)))}
          onNone={() => setSelected(new Set())}
          onRemoved={(gone) => {
            list.edit((now) => now.filter((item) => !gone.has(keyOf(item))));
            setSelected(new Set());
            onChanged();
          }}
          onChanged={onChanged}
        />
      )}
      <Tiles record={record} list={list} canWrite={canWrite} selected={selected} select={select} />
      <More list={list} nouns={['member', 'members']} />
    </>
  );
}

function Tiles(props: {
  record: CollectionRecord;
  list: List;
  canWrite: boolean;
  selected: ReadonlySet<string>;
  select: (key: string, on: boolean) => void;
}) {
  const { record, list, canWrite, selected, select } = props;
  const reorder = useReorder(record, list);
  const [over, setOver] = useState<{ at: number; after: boolean } | null>(null);
  const dragging = useRef<string | null>(null);
  const onDrop = (): void => {
    const key = dragging.current;
    if (key === null || !over) return;
    setOver(null);
    reorder.moveToGap(key, over.at + (over.after ? 1 : 0));
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
              over={over?.at === at ? (over.after ? 'after' : 'before') : null}
              onSelect={(on) => select(key, on)}
              onGrab={() => reorder.grab(key)}
              onLeave={() => reorder.onLeave(key)}
              onKey={(event) => reorder.onKey(event, key)}
              onDragStart={() => {
                dragging.current = key;
              }}
              onDragOver={(after) => {
                if (dragging.current === null) return false;
                if (over?.at !== at || over.after !== after) setOver({ at, after });
                return true;
              }}
              onDragEnd={() => {
                dragging.current = null;
                setOver(null);
              }}
              onDrop={onDrop}
            />
          );
        })}
      </ol>
    </>
  );
}
