/** Targets that are code or hold a file of their own. */
export const isActive = (target: string): boolean =>
  /^(javascript|vbscript|data|blob|file):/i.test(
    // As browsers do: white space and control characters count for nothing before and in a scheme.
    [...target].filter((character) => character > ' ').join(''),
  );
