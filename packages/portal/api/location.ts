import { useCallback, useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';

/**
 * Keeps the state of a screen in the query string of the URL, so that filters, order and open items
 * survive a reload and can be shared. `set` removes parameters that are undefined or ''. It replaces the
 * history entry; with 'push' it adds one, so that Back returns here.
 */
export function useQueryState(): [
  URLSearchParams,
  (changes: Record<string, string | readonly string[] | undefined>, history?: 'push') => void,
] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const set = useCallback(
    (changes: Record<string, string | readonly string[] | undefined>, history?: 'push') => {
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(changes)) {
        next.delete(name);
        const values = value === undefined || value === '' ? [] : [value].flat();
        for (const item of values) next.append(name, String(item));
      }
      const text = next.toString();
      // The root of a screen has no trailing slash.
      const at = path === '/' ? '' : path;
      navigate(text ? `${at}?${text}` : at, { replace: history !== 'push' });
    },
    [search, path, navigate],
  );
  return [useMemo(() => new URLSearchParams(search), [search]), set];
}
