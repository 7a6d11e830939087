/**
 * Thrown if removal in place is not safe; the page then becomes a picture. The message is shown to
 * customers and holds nothing from the page.
 */
export class MustBurn extends Error {
  override readonly name = 'MustBurn';
}
