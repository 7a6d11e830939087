import { useQueryState } from '../api/location.ts';
import type { Order } from './table.tsx';

/**
 * The order of a list, which is stored in the address as the API's parameter `sort`.
 * @param names the valid sort keys; any other order in the address is ignored
 */
export function useSort<Name extends string>(
  names: readonly Name[],
  defaultSort: Name | `-${Name}`,
): {
  /** The parameter of the request; undefined for the default order. */
  sort: string | undefined;
  order: Order;
  onOrder: (order: Order) => void;
} {
  const [search, setSearch] = useQueryState();
  const requestedSort = search.get('sort');
  const isKnown = names.some((name) => requestedSort === name || requestedSort === `-${name}`);
  const sort = isKnown && requestedSort !== null ? requestedSort : defaultSort;
  return {
    sort: sort === defaultSort ? undefined : sort,
    order: { by: sort.replace('-', ''), descending: sort.startsWith('-') },
    onOrder: ({ by, descending }) => {
      const next = `${descending ? '-' : ''}${by}`;
      setSearch({ sort: next === defaultSort ? undefined : next });
    },
  };
}
