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
export interface Use<Value> {
  kind: ResourceKind;
  value: Value;
  key: string;
}

type Piece<Value> = string | Use<Value>;
type Node<Value> = Piece<Value> | Node<Value>[];

interface Frame<Value> {
  nodes: Node<Value>[];
  painted: boolean;
  wanted: Map<string, Setting<Value>>;
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
export const deepestNesting = 500;

export class Emitter<Value> {
  #frames: Frame<Value>[] = [{ nodes: [], painted: false, wanted: new Map(), written: new Map() }];
  #inText = false;

  get depth(): number {
    return this.#frames.length - 1;
  }

  get #frame(): Frame<Value> {
    const frame = this.#frames.at(-1);
    if (!frame) throw new Error('the emitter has no frame');
    return frame;
  }

  #put(...pieces: Piece<Value>[]): void {
    const { nodes } = this.#frame;
    for (const piece of pieces) nodes.push(piece);
  }

  save(): void {
    this.endText();
    const { wanted, written } = this.#frame;
    this.#frames.push({
      nodes: [],
      painted: false,
      wanted: new Map(wanted),
      written: new Map(written),
    });
  }

  restore(): void {
    if (this.#frames.length === 1) return;
    this.endText();
    const frame = this.#frames.pop();
    if (!frame?.painted) return;
    this.#put('q\n');
    this.#frame.nodes.push(frame.nodes);
    this.#put('Q\n');
    this.#frame.painted = true;
  }

  /** Sets the state for the next painting operator. The latest setting of a key applies. */
  want(key: string, ...pieces: Piece<Value>[]): void {
    const { wanted } = this.#frame;
    wanted.delete(key);
    wanted.set(key, { id: idOf(pieces), pieces });
  }

  /** Discards the settings of matching keys. */
  forget(matches: (key: string) => boolean): void {
    const { wanted, written } = this.#frame;
    for (const key of [...wanted.keys()]) if (matches(key)) wanted.delete(key);
    for (const key of [...written.keys()]) if (matches(key)) written.delete(key);
  }

  /**
   * Writes pending settings that are not yet in effect.
   * @param all whether to include those of the text state
   */
  settle(all: boolean, overlaps: (key: string, other: string) => boolean = () => false): void {
    const { wanted, written } = this.#frame;
    for (const [key, { id, pieces }] of wanted) {
      if (!all && textKeys.has(key)) continue;
      if (written.get(key) === id) continue;
      this.#put(...pieces, '\n');
      for (const other of [...written.keys()]) if (overlaps(key, other)) written.delete(other);
      written.set(key, id);
    }
  }

  /** Writes operators that change coordinates or clip, and do not paint. */
  set(...pieces: Piece<Value>[]): void {
    this.endText();
    this.#put(...pieces, '\n');
  }

  /** Writes operators that paint. Pending settings must already be written (`settle`). */
  paint(...pieces: Piece<Value>[]): void {
    this.endText();
    this.#put(...pieces, '\n');
    this.#frame.painted = true;
  }

  /** Whether a text object is open and only text operators follow. */
  get inText(): boolean {
    return this.#inText;
  }

  showText(matrix: string | undefined, shown: string): void {
    if (!this.#inText) {
      this.#put('BT\n');
      this.#inText = true;
    }
    this.settle(true);
    if (matrix !== undefined) this.#put(`${matrix} Tm\n`);
    this.#put(`${shown}\n`);
    this.#frame.painted = true;
  }

  endText(): void {
    if (this.#inText) this.#put('ET\n');
    this.#inText = false;
  }

  /**
   * Returns the text of the stream; empty if nothing is painted.
   * @param nameOf returns the new name of a resource. Called in order of first use
   */
  finish(nameOf: (use: Use<Value>) => string): string {
    while (this.#frames.length > 1) this.restore();
    this.endText();
    if (!this.#frame.painted) return '';
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
