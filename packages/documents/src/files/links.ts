/** Targets that are code or contain a file. */
export const isActive = (target: string): boolean =>
  /^(javascript|vbscript|data|blob|file):/i.test(
    // Like browsers: white space and control characters before and in a scheme are ignored.
    [...target].filter((character) => character > ' ').join(''),
  );

/** Returns the target of a link to keep; null if it is empty, too long, or not a mere target. */
export const safeHref = (target: string): string | null =>
  target === '' || target.length > 4096 || isActive(target) ? null : target;
