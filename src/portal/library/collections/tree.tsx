import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Node, rootsOf, visibleNodes, whyNotIn } from './nodes.ts';

interface TreeProps {
  nodes: ReadonlyMap<string, Node>;
  current: string | null;
  /** What is above it is opened, so that it is seen. */
  onOpen: (id: string) => void;
  /** Undefined where nothing may be moved. */
  onMove: ((moving: Node, parent: Node | null) => void) | undefined;
}

const dragged = 'application/x-collection';

/** The tree of collections: by keyboard as the ARIA practices have it, by mouse with drag and drop. */
export function Tree({ nodes, current, onOpen, onMove }: TreeProps) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const moving = useRef<Node | null>(null);
  const element = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const roots = useMemo(() => rootsOf(nodes), [nodes]);

  // Where the address leads is seen.
  useEffect(() => {
    const above: string[] = [];
    let at = current ? nodes.get(current)?.parentId : null;
    for (; at; at = nodes.get(at)?.parentId) above.push(at);
    if (above.length > 0) setExpanded((now) => new Set([...now, ...above]));
  }, [current, nodes]);

  const rows = visibleNodes(roots, expanded);
  const focused = rows.find(({ id }) => id === (active ?? current)) ?? rows[0];
  const toggle = (id: string, open: boolean): void => {
    const next = new Set(expanded);
    if (open) next.add(id);
    else next.delete(id);
    setExpanded(next);
  };
  const go = (node: Node | undefined): void => {
    if (!node) return;
    setActive(node.id);
    const row = element.current?.querySelector(`[data-id="${node.id}"]`);
    if (row instanceof HTMLElement) row.focus();
  };
  const onKey = (event: KeyboardEvent, node: Node): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = rows.indexOf(node);
    const isOpen = expanded.has(node.id);
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(rows[at + 1]),
      ArrowUp: () => go(rows[at - 1]),
      Home: () => go(rows[0]),
      End: () => go(rows.at(-1)),
      ArrowRight: () => {
        if (node.children.length === 0) return;
        if (isOpen) go(node.children[0]);
        else toggle(node.id, true);
      },
      ArrowLeft: () => {
        if (isOpen && node.children.length > 0) toggle(node.id, false);
        else if (node.parentId) go(nodes.get(node.parentId));
      },
      Enter: () => onOpen(node.id),
      ' ': () => onOpen(node.id),
    };
    const run = keys[event.key];
    if (run) {
      event.preventDefault();
      run();
    } else if (event.key.length === 1) {
      // Letters go to the next one whose name begins so.
      const now = event.timeStamp;
      const text = (now - typed.current.at < 700 ? typed.current.text : '') + event.key;
      typed.current = { text, at: now };
      const from = text.length > 1 ? at : at + 1;
      const around = [...rows.slice(from), ...rows.slice(0, from)];
      go(around.find(({ name }) => name.toLowerCase().startsWith(text.toLowerCase())));
    }
  };
  const mayDrop = (parent: Node | null): boolean =>
    moving.current !== null && whyNotIn(moving.current, parent, nodes) === null;
  const dropOn = (parent: Node | null) => ({
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes(dragged)) return;
      event.stopPropagation();
      if (!mayDrop(parent)) return setOver(null);
      event.preventDefault();
      setOver(parent?.id ?? '');
    },
    onDrop: (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes(dragged) || !mayDrop(parent)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(null);
      onMove?.(moving.current!, parent);
    },
  });
  return (
    <div
      ref={element}
      class={`tree${over === '' ? ' over' : ''}`}
      role="tree"
      aria-label="Collections"
      {...dropOn(null)}
    >
      {rows.map((node) => {
        const siblings = node.parentId ? nodes.get(node.parentId)!.children : roots;
        const hasChildren = node.children.length > 0;
        const isOpen = expanded.has(node.id);
        return (
          <div
            key={node.id}
            data-id={node.id}
            role="treeitem"
            class={`tree-row${over === node.id ? ' over' : ''}`}
            style={{ paddingLeft: `${(node.level - 1) * 1 + 0.25}rem` }}
            tabIndex={node === focused ? 0 : -1}
            aria-level={node.level}
            aria-posinset={siblings.indexOf(node) + 1}
            aria-setsize={siblings.length}
            aria-selected={node.id === current}
            aria-expanded={hasChildren ? isOpen : undefined}
            draggable={onMove !== undefined}
            onKeyDown={(event) => onKey(event, node)}
            onFocus={() => setActive(node.id)}
            onClick={() => onOpen(node.id)}
            onDragStart={(event) => {
              moving.current = node;
              event.stopPropagation();
              event.dataTransfer?.setData(dragged, node.id);
            }}
            onDragEnd={() => {
              moving.current = null;
              setOver(null);
            }}
            {...dropOn(node)}
          >
            <span
              class="tree-twist"
              aria-hidden="true"
              onClick={(event) => {
                if (!hasChildren) return;
                event.stopPropagation();
                toggle(node.id, !isOpen);
              }}
            >
              {hasChildren ? (isOpen ? '▾' : '▸') : ''}
            </span>
            <bdi class="tree-name">{node.name}</bdi>
            {node.record?.kind === 'smart' && <span class="badge">smart</span>}
            {node.record?.member_count != null && (
              <span class="soft">{node.record.member_count}</span>
            )}
          </div>
        );
      })}
    </div>
  );
}
