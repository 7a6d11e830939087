/** A pointer that moved less than this, in pixels, has clicked. */
export const slack = 6;

/** The click that follows a drag belongs to it. */
export function swallowClick(): void {
  const swallow = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  window.setTimeout(() => window.removeEventListener('click', swallow, true));
}
