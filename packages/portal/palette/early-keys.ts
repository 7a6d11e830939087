/**
 * Text typed after the palette was opened but before its field exists: the palette is loaded on
 * first use, and experienced users do not wait.
 */
let text = '';
let isEntered = false;
let cancel: (() => void) | null = null;

function hold(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') cancel?.();
  else if (event.key === 'Enter') isEntered = true;
  else if (event.key === 'Backspace') text = text.slice(0, -1);
  else if ([...event.key].length === 1) text += event.key;
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Keeps text typed from now on; Escape calls `onCancel`. */
export function holdKeys(onCancel: () => void): void {
  if (cancel) return;
  cancel = onCancel;
  window.addEventListener('keydown', hold, true);
}

/** Stops, and returns the typed text and whether Enter was pressed. */
export function releaseKeys(): { text: string; isEntered: boolean } {
  window.removeEventListener('keydown', hold, true);
  const held = { text, isEntered };
  text = '';
  isEntered = false;
  cancel = null;
  return held;
}
