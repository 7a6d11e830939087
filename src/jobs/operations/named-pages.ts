/** The maximum number of pages that a warning names. */
const most = 20;

/** Pages as a warning names them: `3, 5 and 12 more`. */
export function namedPages(pages: readonly number[]): string {
  const more = pages.length - most;
  return pages.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
