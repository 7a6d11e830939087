import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../kit/dialog.tsx';
import { lazyComponent } from '../kit/lazy-component.tsx';
import { startKeyCapture, stopKeyCapture } from './key-capture.ts';
import { onOpen, type PaletteView } from './open-palette.ts';

const Finder = lazyComponent(() => import('./finder.tsx'), {
  frame: (error, { onClose }) => (
    <PaletteError title="Find anything" onClose={onClose}>
      {error}
    </PaletteError>
  ),
});
const Keys = lazyComponent(() => import('./shortcuts-dialog.tsx'), {
  frame: (error, { onClose }) => (
    <PaletteError title="Keys" onClose={onClose}>
      {error}
    </PaletteError>
  ),
});

/** Shown instead of the palette if it cannot be loaded. Keys are for this dialog again. */
function PaletteError(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  useEffect(() => void stopKeyCapture(), []);
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      {props.children}
    </Dialog>
  );
}

/**
 * The command palette (Ctrl or ⌘ and K), and the list of keyboard shortcuts (`?`). Part of the
 * shell, loaded when opened.
 */
export function Palette() {
  const [view, setView] = useState<PaletteView | null>(null);
  const isShown = useRef(false);
  isShown.current = view !== null;
  const close = (): void => {
    stopKeyCapture();
    setView(null);
  };
  const show = (next: PaletteView): void => {
    if (next === 'find') startKeyCapture(close);
    setView(next);
  };
  useEffect(() => onOpen(show), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
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
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  if (!view) return null;
  return view === 'find' ? <Finder onClose={close} /> : <Keys onClose={close} />;
}

/** Whether a dialog is open, which then handles the keys. */
const hasDialog = (): boolean => document.querySelector('dialog[open]') !== null;

/** Whether the page has its own list of keyboard shortcuts, as the workbench of a review does. */
const hasOwnKeys = (): boolean => document.querySelector('.bench') !== null;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  );
}
