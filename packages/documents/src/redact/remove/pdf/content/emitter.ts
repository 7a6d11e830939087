/**
 * Writes a new content stream. State is written only when something is painted with it, and groups
 * (q … Q) that paint nothing are omitted. Removed content therefore leaves no trace in the order,
 * number or values of the operators that belonged to it.
 */

/** Kinds of entries in a resource dictionary. */
export type ResourceKind = 'Font' | 'XObject' | 'ExtGState' | 'ColorSpace' | 'Pattern' | 'Shading';

/**
 * A resource by its name in the source stream. `key` distinguishes different values with the same
 * name.
 */
export interface ResourceUse<Value> {
  kind: ResourceKind;
  value: Value;
  key: string;
}

type Piece<Value> = string | ResourceUse<Value>;
type Node<Value> = Piece<Value> | Node<Value>[];

interface Frame<Value> {
  nodes: Node<Value>[];
  isPainted: boolean;
  pending: Map<string, Setting<Value>>;
  /** The last value written for each key, in this frame or an enclosing one. */
  written: Map<string, string>;
}

interface Setting<Value> {
  id: string;
  pieces: Piece<Value>[];
}

/** Keys of the text state. They are deferred until text is shown or another stream is drawn. */
const textKeys: ReadonlySet<string> = new Set(['Tf', 'Tc', 'Tw', 'Tz', 'Ts', 'Tr']);

const idOf = <Value>(pieces: readonly Piece<Value>[]): string =>
  pieces
    .map((piece) => (typeof piece === 'string' ? piece : `${piece.kind}:${piece.key}`))
    .join(' ');

/** Maximum nesting of q that is written. Real content stays far below it. */
export const maxNesting = 500;

export class Emitter<Value> {
  #frames: Frame<Value>[] = [
    { nodes: [], isPainted: false, pending: new Map(), written: new Map() },
  ];
  #inText = false;

  get depth(): number {
    return this.#frames.length - 1;
  }

  get #frame(): Frame<Value> {
    const frame = this.#frames.at(-1);
    if (!frame) throw new Error('the emitter has no frame');
    return frame;
  }

  append(...pieces: Piece<Value>[]): void {
    const { nodes } = this.#frame;
    for (const piece of pieces) nodes.push(piece);
  }

  save(): void {
    this.endText();
    const { pending, written } = this.#frame;
    this.#frames.push({
      nodes: [],
      isPainted: false,
      pending: new Map(pending),
      written: new Map(written),
    });
  }

  restore(): void {
    if (this.#frames.length === 1) return;
    this.endText();
    const frame = this.#frames.pop();
    if (!frame?.isPainted) return;
    this.append('q\n');
    this.#frame.nodes.push(frame.nodes);
    this.append('Q\n');
    this.#frame.isPainted = true;
  }

  /** Sets the state for the next painting operator. The latest setting of a key applies. */
  setPending(key: string, ...pieces: Piece<Value>[]): void {
    const { pending } = this.#frame;
    pending.delete(key);
    pending.set(key, { id: idOf(pieces), pieces });
  }

  /** Discards the settings of matching keys. */
  discard(matches: (key: string) => boolean): void {
    const { pending, written } = this.#frame;
    for (const key of [...pending.keys()]) if (matches(key)) pending.delete(key);
    for (const key of [...written.keys()]) if (matches(key)) written.delete(key);
  }

  /**
   * Writes pending settings that are not yet in effect.
   * @param includeTextState whether to include those of the text state
   */
  writePending(
    includeTextState: boolean,
    overlaps: (key: string, other: string) => boolean = () => false,
  ): void {
    const { pending, written } = this.#frame;
    for (const [key, { id, pieces }] of pending) {
      if (!includeTextState && textKeys.has(key)) continue;
      if (written.get(key) === id) continue;
      this.append(...pieces, '\n');
      for (const other of [...written.keys()]) if (overlaps(key, other)) written.delete(other);
      written.set(key, id);
    }
  }

  /** Writes operators that change coordinates or clip, and do not paint. */
  writeState(...pieces: Piece<Value>[]): void {
    this.endText();
    this.append(...pieces, '\n');
  }

  /** Writes operators that paint. Pending settings must already be written (`writePending`). */
  paint(...pieces: Piece<Value>[]): void {
    this.endText();
    this.append(...pieces, '\n');
    this.#frame.isPainted = true;
  }

  /** Whether a text object is open and only text operators follow. */
  get isInText(): boolean {
    return this.#inText;
  }

  showText(matrix: string | undefined, operation: string): void {
    if (!this.#inText) {
      this.append('BT\n');
      this.#inText = true;
    }
    this.writePending(true);
    if (matrix !== undefined) this.append(`${matrix} Tm\n`);
    this.append(`${operation}\n`);
    this.#frame.isPainted = true;
  }

  endText(): void {
    if (this.#inText) this.append('ET\n');
    this.#inText = false;
  }

  /**
   * Returns the text of the stream; empty if nothing is painted.
   * @param nameOf returns the new name of a resource. Called in order of first use
   */
  finish(nameOf: (use: ResourceUse<Value>) => string): string {
    while (this.#frames.length > 1) this.restore();
    this.endText();
    if (!this.#frame.isPainted) return '';
    const out: string[] = [];
    const write = (nodes: readonly Node<Value>[]): void => {
      for (const node of nodes) {
        if (Array.isArray(node)) write(node);
        else out.push(typeof node === 'string' ? node : `/${nameOf(node)} `);
      }
    };
    write(this.#frame.nodes);
    return out.join('');
  }
}
