import { pluralise } from '@scriptorium/contracts/pluralise';
import type { LoadedList } from '../api/hooks.ts';
import { Button } from './button.tsx';

/** The end of a list: a button that loads more, or the total. `nouns` are singular, then plural. */
export function ListFooter<T, P>({
  list,
  nouns,
}: {
  list: LoadedList<T, P>;
  nouns: readonly [one: string, many: string];
}) {
  if (list.items.length === 0) return null;
  return (
    <div class="row" style={{ justifyContent: 'center', padding: '1rem' }}>
      {list.hasMore ? (
        <Button onClick={list.loadMore} busy={list.loading}>
          Load more {nouns[1]}
        </Button>
      ) : (
        <span class="soft">{pluralise(list.items.length, ...nouns)} in total</span>
      )}
    </div>
  );
}
