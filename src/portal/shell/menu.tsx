import { useEffect, useRef } from 'preact/hooks';
import { useModal } from '../kit/modal.ts';
import { Sidebar } from './sidebar.tsx';

/** The menu of a phone. Closed by Escape, by a tap beside it and by a screen that is chosen. */
export function MenuSheet({ onClose }: { onClose: () => void }) {
  const element = useRef<HTMLDialogElement>(null);
  useModal(element);
  useEffect(() => {
    // A wider window shows the sidebar, and must not stay blocked.
    const wide = window.matchMedia('(width > 52rem)');
    const close = (): void => (wide.matches ? onClose() : undefined);
    const tap = (event: Event): void => {
      if (event.target === element.current) onClose();
    };
    wide.addEventListener('change', close);
    element.current?.addEventListener('click', tap);
    return () => {
      wide.removeEventListener('change', close);
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="sheet"
      aria-label="Menu"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <Sidebar />
    </dialog>
  );
}
