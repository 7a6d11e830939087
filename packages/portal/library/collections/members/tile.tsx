import type { ListedMember } from '@scriptorium/contracts/wire/library/collections';
import { Link } from 'wouter-preact';
import { Button } from '../../../kit/button.tsx';
import { Thumb } from '../../browse/grid/thumb.tsx';
import { type Item, itemOfImage, itemOfObject, pathOfItem } from '../../browse/item.ts';

interface TileProps {
  member: ListedMember;
  canWrite: boolean;
  selected: boolean;
  grabbed: boolean;
  /** The side on which the dragged member would be dropped. */
  dropSide: 'before' | 'after' | null;
  onSelect: (on: boolean) => void;
  onGrab: () => void;
  /** Called when the Move button loses the focus. */
  onLeave: () => void;
  onKey: (event: KeyboardEvent) => void;
  onDragStart: () => void;
  /** Returns whether the dragged member can be dropped here. */
  onDragOver: (after: boolean) => boolean;
  onDragEnd: () => void;
  onDrop: () => void;
}

const dragType = 'application/x-member';

/** One member, with controls that select and move it. */
export function MemberTile(props: TileProps) {
  const { member, canWrite, dropSide } = props;
  const item = itemOf(member);
  const name = nameOf(member);
  return (
    <li
      data-key={member.resource_id}
      class={`member${dropSide ? ` ${dropSide}` : ''}${props.grabbed ? ' grabbed' : ''}`}
      draggable={canWrite}
      onKeyDown={canWrite ? props.onKey : undefined}
      onDragStart={(event) => {
        event.dataTransfer?.setData(dragType, member.resource_id);
        props.onDragStart();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(dragType)) return;
        const box = event.currentTarget.getBoundingClientRect();
        if (props.onDragOver(event.clientX > box.left + box.width / 2)) event.preventDefault();
      }}
      onDragEnd={props.onDragEnd}
      onDrop={(event) => {
        if (!event.dataTransfer?.types.includes(dragType)) return;
        event.preventDefault();
        props.onDrop();
      }}
    >
      <Link href={`~/portal/library${pathOfItem(itemKeyOf(member))}`} draggable={false}>
        {item ? <Thumb item={item} width={160} /> : <span class="browse-picture" />}
        <bdi class="member-name">{name}</bdi>
      </Link>
      {canWrite && (
        <div class="member-tools">
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={props.selected}
            onChange={(event) => props.onSelect(event.currentTarget.checked)}
          />
          <span onFocusOut={props.onLeave}>
            <Button
              small
              quiet
              pressed={props.grabbed}
              label={`Move ${name}`}
              onClick={props.onGrab}
            >
              Move
            </Button>
          </span>
        </div>
      )}
    </li>
  );
}

/** Returns the name of a member: the title of an image, or the file name. */
export function nameOf(member: ListedMember): string {
  return itemOf(member)?.name ?? member.resource_id;
}

function itemOf({ resource }: ListedMember): Item | null {
  if (!resource) return null;
  return 'object_id' in resource ? itemOfImage(resource) : itemOfObject(resource);
}

function itemKeyOf(member: ListedMember): Pick<Item, 'id' | 'kind'> {
  return { id: member.resource_id, kind: member.resource_type };
}
