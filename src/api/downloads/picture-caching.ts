/**
 * How clients cache pictures. A grid requests the same pictures often, and they never change, so
 * they are shown again without a request. Permissions and policies do change, so pictures are
 * cached for only five minutes, and per key or portal session: each sign-in sets another cookie.
 */
export const pictureCaching = {
  'Cache-Control': 'private, max-age=300',
  Vary: 'Accept, Authorization, Cookie',
};
