/** The maximum number of pages that a warning names. */
const maxListed = 20;

/** Pages as a warning lists them: `3, 5 and 12 more`. */
export function formatPageList(pages: readonly number[]): string {
  const more = pages.length - maxListed;
  return pages.slice(0, maxListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
