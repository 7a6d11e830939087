import { useLayoutEffect, useRef } from 'preact/hooks';
import { pluralise } from '../../../../contracts/pluralise.ts';
import { useAnswer } from '../../../api/hooks.ts';
import { formatCount } from '../../../kit/count.ts';
import { Icon } from '../../../kit/icons/icon.tsx';
import { useRootClass } from '../../../kit/root-class.ts';
import { Cover } from '../../collections/cover.tsx';
import { Thumb } from '../grid/thumb.tsx';
import type { Item } from '../item.ts';
import { newestCollections } from '../requests.ts';
import { type Carried, targetProps } from './use-carry.ts';
import './tray.css';

/** As many as fit two lines on a wide screen; the others are found by name. */
const shown = 15;

/** While items are dragged: the collections that they can be dropped on, and what is dragged. */
export default function Tray(props: { carried: Carried; count: number; over: string | undefined }) {
  const { carried, count, over } = props;
  useRootClass('with-carry');
  const { data, problem } = useAnswer(newestCollections(shown));
  const added = <span class="carry-added">+{formatCount(count)}</span>;
  return (
    <>
      <section class="carry" aria-label="Collections to drop on">
        <p role="status">
          {problem
            ? problem.message
            : `Drop ${pluralise(count, 'item')} on a collection, or press Esc to cancel.`}
        </p>
        <ul aria-busy={!data && !problem}>
          {data?.data.map(({ id, name, covers, member_count: members }) => (
            <li
              key={id}
              class={`carry-target${over === id ? ' over' : ''}`}
              {...targetProps({ id, name })}
            >
              <Cover of={covers} />
              <span class="carry-name">
                <bdi>{name}</bdi>
                <span class="soft">{members !== null && pluralise(members, 'member')}</span>
              </span>
              {over === id && added}
            </li>
          ))}
          <li class={`carry-target${over === '' ? ' over' : ''}`} {...targetProps(null)}>
            <span class="cover">
              <Icon name="add" size={24} />
            </span>
            <span class="carry-name">Another, or new</span>
            {over === '' && added}
          </li>
        </ul>
      </section>
      <Ghost carried={carried} count={count} />
    </>
  );
}

/** What is dragged, at the pointer. */
function Ghost({ carried, count }: { carried: Carried; count: number }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const follow = (x: number, y: number): void => {
      element.current?.style.setProperty('transform', `translate(${x + 12}px, ${y + 12}px)`);
    };
    const move = ({ clientX, clientY }: PointerEvent): void => follow(clientX, clientY);
    follow(carried.x, carried.y);
    window.addEventListener('pointermove', move);
    return () => window.removeEventListener('pointermove', move);
  }, [carried]);
  const [first]: (Item | undefined)[] = [...carried.items.values()];
  return (
    <div ref={element} class={`carry-ghost${count > 1 ? ' many' : ''}`} aria-hidden="true">
      {first ? <Thumb item={first} width={96} /> : <Icon name="browse" size={24} />}
      {count > 1 && <span class="carry-added">{formatCount(count)}</span>}
    </div>
  );
}
