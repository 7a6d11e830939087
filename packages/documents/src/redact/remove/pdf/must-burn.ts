/**
 * Thrown if removal in place is not safe. The page then becomes a picture. The message is shown to
 * users and contains nothing from the page.
 */
export class MustBurn extends Error {
  override readonly name = 'MustBurn';
}
