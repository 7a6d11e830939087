/** Whether a link target runs code or embeds a file. */
export const isActiveLink = (target: string): boolean =>
  /^(javascript|vbscript|data|blob|file):/i.test(
    // Browsers ignore white space and control characters before and in a scheme.
    [...target].filter((character) => character > ' ').join(''),
  );

/** Returns the target of a link if it is safe to keep; null if it is empty, too long or active. */
export const safeHref = (target: string): string | null =>
  target === '' || target.length > 4096 || isActiveLink(target) ? null : target;
