import { useQueryState } from '../api/location.ts';
import type { Order } from './table.tsx';

/**
 * The order of a list, which is stored in the address as the API's parameter `sort`.
 * @param names the valid sort keys; any other order in the address is ignored
 */
export function useSort<Name extends string>(
  names: readonly Name[],
  byDefault: Name | `-${Name}`,
): {
  /** For the request; undefined by default. */
  sort: string | undefined;
  order: Order;
  onOrder: (order: Order) => void;
} {
  const [search, set] = useQueryState();
  const asked = search.get('sort');
  const isKnown = names.some((name) => asked === name || asked === `-${name}`);
  const sort = isKnown && asked !== null ? asked : byDefault;
  return {
    sort: sort === byDefault ? undefined : sort,
    order: { by: sort.replace('-', ''), descending: sort.startsWith('-') },
    onOrder: ({ by, descending }) => {
      const next = `${descending ? '-' : ''}${by}`;
      set({ sort: next === byDefault ? undefined : next });
    },
  };
}
