/**
 * Thrown if removal in place is not safe, so that the page becomes a picture. The message is shown
 * to customers and contains nothing from the page.
 */
export class MustBurn extends Error {
  override readonly name = 'MustBurn';
}
