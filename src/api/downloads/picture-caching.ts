/**
 * The caching headers of pictures. A grid shows the same pictures often, and they never change, so
 * clients may reuse them without a request. Permissions and policies can change, so the cache lasts
 * only five minutes, and is separate for each key or portal session: each sign-in sets a new cookie.
 */
export const pictureCaching = {
  'Cache-Control': 'private, max-age=300',
  Vary: 'Accept, Authorization, Cookie',
};
