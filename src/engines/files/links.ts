/** Targets that are code or contain a file. */
export const isActive = (target: string): boolean =>
  /^(javascript|vbscript|data|blob|file):/i.test(
    // Like browsers: white space and control characters before and in a scheme are ignored.
    [...target].filter((character) => character > ' ').join(''),
  );
