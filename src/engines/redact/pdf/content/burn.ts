/**
 * Thrown where taking things out of a page in place is not safe; the page is made a picture then.
 * The message is for the customer and holds nothing of the page.
 */
export class MustBurn extends Error {
  override readonly name = 'MustBurn';
}
