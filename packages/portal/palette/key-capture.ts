/**
 * Text typed after the palette was opened but before its field exists. The palette is loaded on
 * first use, and experienced users type without waiting for it.
 */
let text = '';
let isEntered = false;
let cancel: (() => void) | null = null;

function captureKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') cancel?.();
  else if (event.key === 'Enter') isEntered = true;
  else if (event.key === 'Backspace') text = text.slice(0, -1);
  else if ([...event.key].length === 1) text += event.key;
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Starts capturing typed text. Escape calls `onCancel`. */
export function startKeyCapture(onCancel: () => void): void {
  if (cancel) return;
  cancel = onCancel;
  window.addEventListener('keydown', captureKey, true);
}

/** Stops capturing, and returns the typed text and whether Enter was pressed. */
export function stopKeyCapture(): { text: string; isEntered: boolean } {
  window.removeEventListener('keydown', captureKey, true);
  const captured = { text, isEntered };
  text = '';
  isEntered = false;
  cancel = null;
  return captured;
}
