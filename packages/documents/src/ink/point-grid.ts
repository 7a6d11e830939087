/** An index of points, to find those in a rectangle without a search through all. */
export class PointGrid {
  readonly #cells = new Map<number, number[]>();
  readonly #side: number;

  /** @param side the side of a cell, about as large as the rectangles that are searched */
  constructor(points: Iterable<readonly [x: number, y: number]>, side: number) {
    this.#side = side;
    let at = 0;
    for (const [x, y] of points) {
      const key = keyOf(this.#cellOf(x), this.#cellOf(y));
      const indices = this.#cells.get(key);
      if (indices) indices.push(at);
      else this.#cells.set(key, [at]);
      at += 1;
    }
  }

  /** Calls `visit` with the index of each point in the cells that a rectangle touches. */
  visitNear(
    [x0, y0, x1, y1]: readonly [x0: number, y0: number, x1: number, y1: number],
    visit: (index: number) => void,
  ): void {
    const [lastColumn, lastRow] = [this.#cellOf(x1), this.#cellOf(y1)];
    for (let row = this.#cellOf(y0); row <= lastRow; row += 1) {
      for (let column = this.#cellOf(x0); column <= lastColumn; column += 1) {
        for (const index of this.#cells.get(keyOf(column, row)) ?? []) visit(index);
      }
    }
  }

  #cellOf(position: number): number {
    return Math.floor(position / this.#side);
  }
}

const keyOf = (column: number, row: number): number => row * 100_003 + column;
