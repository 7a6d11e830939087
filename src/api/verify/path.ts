/** The page that verifies certificates. */
export const verifyPath = '/verify';
