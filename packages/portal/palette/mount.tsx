import { lazy, Suspense } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { holdKeys, releaseKeys } from './early-keys.ts';
import { onOpen, type View } from './open.ts';

const Finder = lazy(() => import('./finder.tsx'));
const Keys = lazy(() => import('./keys.tsx'));

/**
 * The command palette (Ctrl or ⌘ and K), and the list of keyboard shortcuts (`?`). Part of the
 * shell, loaded when opened.
 */
export function Palette() {
  const [view, setView] = useState<View | null>(null);
  const isShown = useRef(false);
  isShown.current = view !== null;
  const close = (): void => {
    releaseKeys();
    setView(null);
  };
  const show = (next: View): void => {
    if (next === 'find') holdKeys(close);
    setView(next);
  };
  useEffect(() => onOpen(show), []);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey) return;
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault();
        if (isShown.current) close();
        else if (!hasDialog()) show('find');
      } else if (event.key === '?' && !event.ctrlKey && !event.metaKey) {
        if (isTyping(event.target) || hasDialog() || hasOwnKeys()) return;
        event.preventDefault();
        show('keys');
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  if (!view) return null;
  return (
    <Suspense fallback={null}>
      {view === 'find' ? <Finder onClose={close} /> : <Keys onClose={close} />}
    </Suspense>
  );
}

/** Whether a dialog is open, which handles the keys itself. */
const hasDialog = (): boolean => document.querySelector('dialog[open]') !== null;

/** Whether the page has its own list of keyboard shortcuts, as the workbench of a review does. */
const hasOwnKeys = (): boolean => document.querySelector('.bench') !== null;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  );
}
