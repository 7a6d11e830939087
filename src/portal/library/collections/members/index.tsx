import { useRef, useState } from 'preact/hooks';
import type { CollectionRecord, ListedMember } from '../../../../contracts/wire/collections.ts';
import { type LoadedList, useAction, useList } from '../../../api/hooks.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { More } from '../../../kit/more.tsx';
import { Empty, Loading, ProblemState } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { useSession } from '../../../shell/session.tsx';
import {
  changeMembers,
  listMembers,
  type MemberPage,
  moveMember,
  patchCollection,
} from '../requests.ts';
import { keyOf, moveOf, placed, refOf } from './order.ts';
import { MemberTile, nameOf } from './tile.tsx';

type List = LoadedList<ListedMember, MemberPage>;
const batchSize = 500;

export function useMembers(id: string): List {
  const { can } = useSession();
  return useList(listMembers(id, can('images:read') && can('objects:read')));
}

interface MembersProps {
  record: CollectionRecord;
  list: List;
  /** Members can be moved and taken out. */
  canWrite: boolean;
  onChanged: () => void;
}

/**
 * The members of a collection in their order. One is moved by dragging it, by Alt and an arrow, or by
 * its button: then arrows move it, Enter leaves it there and Escape puts it back.
 */
export function Members({ record, list, canWrite, onChanged }: MembersProps) {
  const { run } = useAction();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [grabbed, setGrabbed] = useState<{ key: string; before: ListedMember[] } | null>(null);
  const [over, setOver] = useState<{ at: number; after: boolean } | null>(null);
  const [told, setTold] = useState('');
  const dragging = useRef<string | null>(null);
  /** A member is being put elsewhere in the page, which is not leaving it. */
  const placing = useRef(false);
  const element = useRef<HTMLOListElement>(null);
  /** Moves are sent one after the other, in the order they were made. */
  const sending = useRef(Promise.resolve());
  const { items } = list;
  const total = record.member_count ?? items.length;

  const find = (key: string): number => items.findIndex((item) => keyOf(item) === key);
  const tellPlace = (member: ListedMember, to: number): void =>
    setTold(`${nameOf(member)} is at ${to + 1} of ${total}.`);
  const put = (from: number, to: number): ListedMember[] | null => {
    if (from < 0 || to < 0 || to >= items.length || from === to) return null;
    const next = placed(items, from, to);
    list.edit(() => next);
    tellPlace(items[from]!, to);
    // It is the same element at another place, which the browser takes the focus from.
    const key = keyOf(items[from]!);
    const focused = document.activeElement;
    placing.current = true;
    requestAnimationFrame(() => {
      placing.current = false;
      const still = element.current?.querySelector(`[data-key="${key}"]`);
      if (still?.contains(focused) && focused instanceof HTMLElement) focused.focus();
    });
    return next;
  };
  const save = (member: ListedMember, order: readonly ListedMember[]): void => {
    const at = order.indexOf(member);
    const body = moveOf(order, at);
    if (!body) return;
    sending.current = sending.current.then(async () => {
      // What is shown may not be what is there: read it again.
      if (!(await run(moveMember(record.id, refOf(member), body)))) list.reload();
    });
  };
  const moveTo = (key: string, to: number): void => {
    const from = find(key);
    const next = put(from, to);
    if (next && !grabbed) save(items[from]!, next);
  };
  const drop = (): void => {
    if (!grabbed) return;
    const at = find(grabbed.key);
    if (grabbed.before.findIndex((item) => keyOf(item) === grabbed.key) !== at) {
      save(items[at]!, items);
    }
    setTold(`${nameOf(items[at]!)} stays at ${at + 1} of ${total}.`);
    setGrabbed(null);
  };
  const grab = (key: string): void => {
    if (grabbed?.key === key) {
      drop();
      return;
    }
    setGrabbed({ key, before: [...items] });
    const at = find(key);
    setTold(
      `${nameOf(items[at]!)} is picked up at ${at + 1} of ${total}. Arrows move it, Enter leaves it there, Escape puts it back.`,
    );
  };
  const onKey = (event: KeyboardEvent, key: string): void => {
    const isGrabbed = grabbed?.key === key;
    const at = find(key);
    const places: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ...(isGrabbed ? { Home: 0, End: items.length - 1 } : {}),
    };
    const to = places[event.key];
    if (to !== undefined && (event.altKey || isGrabbed)) {
      event.preventDefault();
      moveTo(key, to);
    } else if (isGrabbed && event.key === 'Escape') {
      event.preventDefault();
      list.edit(() => grabbed.before);
      setGrabbed(null);
      setTold('It is back where it was.');
    }
  };
  const onDrop = (): void => {
    const key = dragging.current;
    if (key === null || !over) return;
    const from = find(key);
    const gap = over.at + (over.after ? 1 : 0);
    setOver(null);
    moveTo(key, gap > from ? gap - 1 : gap);
  };
  const select = (key: string, on: boolean): void => {
    const next = new Set(selected);
    if (on) next.add(key);
    else next.delete(key);
    setSelected(next);
  };

  if (list.problem && items.length === 0) {
    return <ProblemState problem={list.problem} onRetry={list.reload} />;
  }
  if (list.loading && items.length === 0) return <Loading what="the members" />;
  if (items.length === 0) {
    return (
      <Empty title="There is nothing in it">
        {record.kind === 'smart'
          ? 'No image matches its query now.'
          : 'Add images and files, or drop some here to upload them into it.'}
      </Empty>
    );
  }
  const chosen = items.filter((item) => selected.has(keyOf(item)));
  return (
    <>
      {canWrite && (
        <SelectionBar
          record={record}
          chosen={chosen}
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
      <p class="visually-hidden" role="status" aria-live="assertive">
        {told}
      </p>
      <ol class="members" ref={element} aria-label="Members">
        {items.map((member, at) => {
          const key = keyOf(member);
          return (
            <MemberTile
              key={key}
              member={member}
              canWrite={canWrite}
              selected={selected.has(key)}
              grabbed={grabbed?.key === key}
              over={over?.at === at ? (over.after ? 'after' : 'before') : null}
              onSelect={(on) => select(key, on)}
              onGrab={() => grab(key)}
              onLeave={() => {
                if (grabbed?.key === key && !placing.current) drop();
              }}
              onKey={(event) => onKey(event, key)}
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
      <More list={list} noun="members" />
    </>
  );
}

function SelectionBar(props: {
  record: CollectionRecord;
  chosen: readonly ListedMember[];
  loaded: number;
  onAll: () => void;
  onNone: () => void;
  onRemoved: (keys: ReadonlySet<string>) => void;
  onChanged: () => void;
}) {
  const { record, chosen } = props;
  const { run, busy } = useAction();
  const refs = chosen.map(refOf);
  const remove = async (): Promise<void> => {
    const gone = new Set<string>();
    for (let at = 0; at < refs.length; at += batchSize) {
      const answer = await run(
        changeMembers(record.id, { remove: refs.slice(at, at + batchSize) }),
      );
      if (!answer) break;
      for (const { resource_id: id, outcome } of answer.data.results) {
        if (outcome === 'removed') gone.add(id);
      }
    }
    props.onRemoved(gone);
    if (gone.size > 0) toast('good', `${gone.size} taken out. They are still in the library.`);
  };
  const image = chosen.length === 1 && chosen[0]!.resource_type === 'image' ? chosen[0]! : null;
  const cover = patchCollection(record.id, { cover: image?.resource_id ?? null });
  return (
    <section class="row members-bar" aria-label="Selection">
      <span role="status">
        {chosen.length === 0 ? 'None selected' : `${chosen.length} selected`}
      </span>
      <Button small onClick={chosen.length === props.loaded ? props.onNone : props.onAll}>
        {chosen.length === props.loaded ? 'Select none' : `Select all ${props.loaded} shown`}
      </Button>
      {chosen.length > 0 && (
        <>
          <Button small busy={busy} onClick={() => void remove()}>
            Take out
          </Button>
          {image && image.resource_id !== record.cover && (
            <Button
              small
              busy={busy}
              onClick={async () => {
                if (!(await run(cover))) return;
                toast('good', 'It is the cover now.');
                props.onChanged();
              }}
            >
              Use as cover
            </Button>
          )}
          <ApiCalls
            calls={[
              ['Take them out', changeMembers(record.id, { remove: refs.slice(0, batchSize) })],
              ['Make one the cover', cover],
              ['Put one before another', moveMember(record.id, refs[0]!, { before: refs.at(-1)! })],
            ]}
          />
        </>
      )}
    </section>
  );
}
