import type { LoadedList } from '../api/hooks.ts';
import { Button } from './button.tsx';

/** The end of a list: what is left to load, or that it is all. */
export function More<T, P>({ list, noun }: { list: LoadedList<T, P>; noun: string }) {
  if (list.items.length === 0) return null;
  return (
    <div class="row" style={{ justifyContent: 'center', padding: '1rem' }}>
      {list.hasMore ? (
        <Button onClick={list.more} busy={list.loading}>
          Load more {noun}
        </Button>
      ) : (
        <span class="soft">
          That is all: {list.items.length} {noun}.
        </span>
      )}
    </div>
  );
}
