import { useCallback, useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';

/**
 * The query of the address as the state of a screen: what is filtered, sorted and open can be sent to
 * somebody and survives a reload. `set` takes undefined or '' to remove, and replaces the address
 * unless `push` says that Back should come here.
 */
export function useQueryState(): [
  URLSearchParams,
  (changes: Record<string, string | readonly string[] | undefined>, how?: 'push') => void,
] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const set = useCallback(
    (changes: Record<string, string | readonly string[] | undefined>, how?: 'push') => {
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(changes)) {
        next.delete(name);
        const values = value === undefined || value === '' ? [] : [value].flat();
        for (const item of values) next.append(name, String(item));
      }
      const text = next.toString();
      // The root of a screen is the screen's own path, without a slash behind it.
      const at = path === '/' ? '' : path;
      navigate(text ? `${at}?${text}` : at, { replace: how !== 'push' });
    },
    [search, path, navigate],
  );
  return [useMemo(() => new URLSearchParams(search), [search]), set];
}
