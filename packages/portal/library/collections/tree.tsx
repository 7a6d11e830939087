import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type CollectionNode, rootsOf, visibleNodes, whyCannotMove } from './nodes.ts';

interface TreeProps {
  nodes: ReadonlyMap<string, CollectionNode>;
  /** The open collection; its ancestors are expanded. */
  current: string | null;
  onOpen: (id: string) => void;
  /** Undefined if collections cannot be moved. */
  onMove: ((moving: CollectionNode, parent: CollectionNode | null) => void) | undefined;
}

const dragType = 'application/x-collection';
const typeAheadMs = 700;

/** The tree of collections, with drag and drop, and the keys of the ARIA Authoring Practices. */
export function Tree({ nodes, current, onOpen, onMove }: TreeProps) {
  const { expanded, toggle } = useExpanded(nodes, current);
  const [activeId, setActiveId] = useState<string | null>(null);
  const element = useRef<HTMLDivElement>(null);
  const roots = useMemo(() => rootsOf(nodes), [nodes]);
  const rows = visibleNodes(roots, expanded);
  const focusedNode = rows.find(({ id }) => id === (activeId ?? current)) ?? rows[0];
  const drag = useDragAndDrop(nodes, onMove);
  const focusNode = (node: CollectionNode | undefined): void => {
    if (!node) return;
    setActiveId(node.id);
    const row = element.current?.querySelector(`[data-id="${node.id}"]`);
    if (row instanceof HTMLElement) row.focus();
  };
  const onKey = useTreeKeys({ rows, nodes, expanded, toggle, go: focusNode, onOpen });
  return (
    <div
      ref={element}
      class={`tree${drag.over === '' ? ' over' : ''}`}
      role="tree"
      aria-label="Collections"
      {...drag.target(null)}
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
            class={`tree-row${drag.over === node.id ? ' over' : ''}`}
            style={{ paddingLeft: `${(node.level - 1) * 1 + 0.25}rem` }}
            tabIndex={node === focusedNode ? 0 : -1}
            aria-level={node.level}
            aria-posinset={siblings.indexOf(node) + 1}
            aria-setsize={siblings.length}
            aria-selected={node.id === current}
            aria-expanded={hasChildren ? isOpen : undefined}
            onKeyDown={(event) => onKey(event, node)}
            onFocus={() => setActiveId(node.id)}
            onClick={() => onOpen(node.id)}
            {...drag.source(node)}
            {...drag.target(node)}
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

/** The expanded nodes. The ancestors of the open collection are expanded when it changes. */
function useExpanded(nodes: TreeProps['nodes'], current: string | null) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const ancestors: string[] = [];
    let ancestor = current ? nodes.get(current)?.parentId : null;
    for (; ancestor; ancestor = nodes.get(ancestor)?.parentId) ancestors.push(ancestor);
    if (ancestors.length > 0) setExpanded((now) => new Set([...now, ...ancestors]));
  }, [current, nodes]);
  const toggle = (id: string, open: boolean): void => {
    const next = new Set(expanded);
    if (open) next.add(id);
    else next.delete(id);
    setExpanded(next);
  };
  return { expanded, toggle };
}

/** Keyboard navigation: arrow keys, Home, End, Enter, Space and type-ahead. */
function useTreeKeys(tree: {
  rows: readonly CollectionNode[];
  nodes: TreeProps['nodes'];
  expanded: ReadonlySet<string>;
  toggle: (id: string, open: boolean) => void;
  go: (node: CollectionNode | undefined) => void;
  onOpen: (id: string) => void;
}) {
  const { rows, nodes, expanded, toggle, go, onOpen } = tree;
  const typeAhead = useRef({ text: '', at: 0 });
  return (event: KeyboardEvent, node: CollectionNode): void => {
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
      // Type-ahead: go to the next name that starts with the typed letters.
      const now = event.timeStamp;
      const text =
        (now - typeAhead.current.at < typeAheadMs ? typeAhead.current.text : '') + event.key;
      typeAhead.current = { text, at: now };
      const from = text.length > 1 ? at : at + 1;
      const searchOrder = [...rows.slice(from), ...rows.slice(0, from)];
      go(searchOrder.find(({ name }) => name.toLowerCase().startsWith(text.toLowerCase())));
    }
  };
}

/** Drag and drop. `dropTargetId` is '' for the top level. */
function useDragAndDrop(nodes: TreeProps['nodes'], onMove: TreeProps['onMove']) {
  const [dropTargetId, setDropTargetId] = useState<string | null>(null);
  const draggedNode = useRef<CollectionNode | null>(null);
  const mayDrop = (parent: CollectionNode | null): boolean =>
    draggedNode.current !== null && whyCannotMove(draggedNode.current, parent, nodes) === null;
  const sourceProps = (node: CollectionNode) => ({
    draggable: onMove !== undefined,
    onDragStart: (event: DragEvent) => {
      draggedNode.current = node;
      event.stopPropagation();
      event.dataTransfer?.setData(dragType, node.id);
    },
    onDragEnd: () => {
      draggedNode.current = null;
      setDropTargetId(null);
    },
  });
  const targetProps = (parent: CollectionNode | null) => ({
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes(dragType)) return;
      event.stopPropagation();
      if (!mayDrop(parent)) return setDropTargetId(null);
      event.preventDefault();
      setDropTargetId(parent?.id ?? '');
    },
    onDrop: (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes(dragType) || !mayDrop(parent)) return;
      event.preventDefault();
      event.stopPropagation();
      setDropTargetId(null);
      onMove?.(draggedNode.current!, parent);
    },
  });
  return { over: dropTargetId, source: sourceProps, target: targetProps };
}
