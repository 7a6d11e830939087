import { screenAt } from '../../shell/screens.tsx';

/**
 * Returns the address of the previous entry of the history, and the title of its screen; null if
 * the tab was opened here, or if the browser does not tell.
 */
export function previousScreen(): { url: string; title: string | null } | null {
  // Older browsers lack `navigation`, although its type says otherwise.
  if (!('navigation' in window)) return null;
  const { currentEntry } = window.navigation;
  const url = currentEntry && window.navigation.entries()[currentEntry.index - 1]?.url;
  if (!url) return null;
  const path = new URL(url).pathname.replace(/^\/portal/, '') || '/';
  const isItem = /^\/library\/(images|objects)\//.test(path);
  return { url, title: isItem ? null : (screenAt(path)?.title ?? null) };
}
