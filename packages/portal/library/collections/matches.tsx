import { Button } from '../../kit/button.tsx';
import { formatCount } from '../../kit/format-count.ts';
import type { CollectionNode } from './nodes.ts';

const maxMatches = 50;

interface CollectionMatchesProps {
  /** The text that the names contain, in any case. */
  name: string;
  nodes: ReadonlyMap<string, CollectionNode>;
  onOpen: (id: string) => void;
}

/** The collections whose names contain a text. */
export function CollectionMatches({ name, nodes, onOpen }: CollectionMatchesProps) {
  const text = name.toLowerCase();
  const matches = [...nodes.values()].filter((node) => node.name.toLowerCase().includes(text));
  return (
    <>
      <ul class="collections-found">
        {matches.slice(0, maxMatches).map((node) => (
          <li key={node.id}>
            <Button quiet onClick={() => onOpen(node.id)}>
              <bdi>{node.name}</bdi>
            </Button>
          </li>
        ))}
        {matches.length === 0 && <li class="soft">No matching collections</li>}
      </ul>
      {matches.length > maxMatches && (
        <p class="soft">
          Showing the first {maxMatches} of {formatCount(matches.length)} matches.
        </p>
      )}
    </>
  );
}
