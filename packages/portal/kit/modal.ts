import { useLayoutEffect } from 'preact/hooks';

/**
 * Shows a `<dialog>` as modal while it is mounted: the browser traps the focus. Then the focus is where
 * it was, or on the page if that is gone. `onOpen` can move it within the dialog.
 */
export function useModal(
  element: { current: HTMLDialogElement | null },
  onOpen: (dialog: HTMLDialogElement) => void = () => undefined,
): void {
  // Before the next paint, or typed text would reach the element underneath.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const before = document.activeElement;
    dialog.showModal();
    onOpen(dialog);
    return () => {
      // Elements underneath an open dialog cannot have the focus.
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
