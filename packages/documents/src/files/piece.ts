/** A stretch of text that can be replaced: a text node, a run, an attribute, a cell, a line. */
export interface Piece {
  /** As it is read: entities and escapes decoded. */
  readonly text: string;
  /** Replaces the whole piece as soon as any of it is removed; null: only that part is removed. */
  readonly whole: string | null;
  /** The replacement; null as long as nothing is removed. */
  redacted: string | null;
}
