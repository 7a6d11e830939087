/** A replaceable piece of text: a text node, a run, an attribute, a cell or a line. */
export interface Piece {
  /** The text with entities and escapes decoded. */
  readonly text: string;
  /**
   * The replacement of the whole piece if any of it is removed; null if only the removed part is
   * replaced.
   */
  readonly wholeReplacement: string | null;
  /** The redacted text; null if nothing is removed. */
  redacted: string | null;
}
