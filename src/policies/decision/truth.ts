/** Yes, no or unknown. */
export type Truth = boolean | 'unknown';

/**
 * Kleene's three-valued logic: the result is unknown only if the known operands do not decide it.
 */
export const truth = {
  and(...terms: Truth[]): Truth {
    if (terms.includes(false)) return false;
    return terms.includes('unknown') ? 'unknown' : true;
  },
  or(...terms: Truth[]): Truth {
    if (terms.includes(true)) return true;
    return terms.includes('unknown') ? 'unknown' : false;
  },
  not(term: Truth): Truth {
    return term === 'unknown' ? 'unknown' : !term;
  },
};
