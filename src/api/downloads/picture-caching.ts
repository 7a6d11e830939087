/**
 * How clients cache pictures. A grid requests the same ones often, and they never change, so they are
 * shown again without a request. Permissions and policies do change, so they are cached for five
 * minutes only, and for one key or one session of the portal: each sign-in sets another cookie.
 */
export const pictureCaching = {
  'Cache-Control': 'private, max-age=300',
  Vary: 'Accept, Authorization, Cookie',
};
