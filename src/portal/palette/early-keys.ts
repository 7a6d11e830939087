/**
 * What is typed after the palette was asked for and before its field is there: it is loaded on first
 * use, and who knows it does not wait.
 */
let text = '';
let isHolding = false;

function hold(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Backspace') text = text.slice(0, -1);
  else if ([...event.key].length === 1) text += event.key;
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Keeps what is typed from now on. */
export function holdKeys(): void {
  if (isHolding) return;
  isHolding = true;
  text = '';
  window.addEventListener('keydown', hold, true);
}

/** Stops, and returns what was typed. */
export function releaseKeys(): string {
  window.removeEventListener('keydown', hold, true);
  isHolding = false;
  const typed = text;
  text = '';
  return typed;
}
