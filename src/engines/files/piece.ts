/** A stretch of text that can be replaced: a text node, a run, an attribute, a cell, a line. */
export interface Piece {
  /** As it reads: entities and escapes decoded. */
  readonly text: string;
  /** What takes the place of the whole piece as soon as any of it has to go; null: only that goes. */
  readonly whole: string | null;
  /** What is written in its place; null as long as nothing has to go. */
  redacted: string | null;
}
