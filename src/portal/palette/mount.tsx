import { lazy, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { onOpen, type View } from './open.ts';

const Finder = lazy(() => import('./finder.tsx'));
const Keys = lazy(() => import('./keys.tsx'));

/** The command palette, Ctrl or ⌘ and K, and the list of keys, `?`. Part of the shell, loaded when opened. */
export function Palette() {
  const [view, setView] = useState<View | null>(null);
  useEffect(() => onOpen(setView), []);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey) return;
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault();
        setView((now) => (now ? null : hasDialog() ? now : 'find'));
      } else if (event.key === '?' && !event.ctrlKey && !event.metaKey) {
        if (isTyping(event.target) || hasDialog() || hasOwnKeys()) return;
        event.preventDefault();
        setView('keys');
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  const close = (): void => setView(null);
  if (!view) return null;
  return (
    <Suspense fallback={null}>
      {view === 'find' ? <Finder onClose={close} /> : <Keys onClose={close} />}
    </Suspense>
  );
}

/** A dialog asks for something, and keeps the keys. */
const hasDialog = (): boolean => document.querySelector('dialog[open]') !== null;

/** The workbench of a review shows its own keys. */
const hasOwnKeys = (): boolean => document.querySelector('.bench') !== null;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  );
}
