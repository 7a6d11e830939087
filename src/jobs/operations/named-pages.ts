/** The maximum number of pages that a warning names. */
const max = 20;

/** Pages as a warning lists them: `3, 5 and 12 more`. */
export function namedPages(pages: readonly number[]): string {
  const more = pages.length - max;
  return pages.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
