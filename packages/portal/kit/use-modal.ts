import { useLayoutEffect } from 'preact/hooks';

/**
 * Shows a `<dialog>` as modal while it is mounted; the browser traps the focus. Afterwards the focus
 * returns to the element that had it, or to the page if that element was removed. `onOpen` can move
 * the focus within the dialog.
 */
export function useModal(
  element: { current: HTMLDialogElement | null },
  onOpen: (dialog: HTMLDialogElement) => void = () => undefined,
): void {
  // Runs before the next paint; otherwise typed text would reach the element underneath.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const previousFocus = document.activeElement;
    dialog.showModal();
    onOpen(dialog);
    return () => {
      // Elements underneath an open dialog cannot receive the focus.
      dialog.close();
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
      // The action may have removed the button that opened the dialog.
      window.setTimeout(() => {
        if (document.activeElement === document.body) {
          document.getElementById('main')?.focus({ preventScroll: true });
        }
      });
    };
  }, []);
}
