import { useLayoutEffect } from 'preact/hooks';

/**
 * Shows a `<dialog>` as modal while it is mounted: the browser traps the focus. Afterwards the
 * focus is where it was before, or on the page if that element is gone. `onOpen` can move it within
 * the dialog.
 */
export function useModal(
  element: { current: HTMLDialogElement | null },
  onOpen: (dialog: HTMLDialogElement) => void = () => undefined,
): void {
  // Before the next paint; otherwise typed text would reach the element underneath.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const before = document.activeElement;
    dialog.showModal();
    onOpen(dialog);
    return () => {
      // Elements underneath an open dialog cannot receive the focus.
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      // The action may have removed the button that opened the dialog.
      window.setTimeout(() => {
        if (document.activeElement === document.body) {
          document.getElementById('main')?.focus({ preventScroll: true });
        }
      });
    };
  }, []);
}
