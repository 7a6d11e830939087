import type { Maker } from '../maker.ts';

/** What a family makes of a maker: the file, and what cannot be seen from its pages. */
export interface Built {
  pdf: Buffer;
  /** Pages may be burned: letters cannot be told from codes, or are drawings. */
  mayBurn?: boolean;
  /** To be encrypted with this owner password. */
  ownerPassword?: string;
}

/** Files that hide their secrets alike; `index` counts its variants. */
export interface Family {
  name: string;
  count: number;
  build(maker: Maker, index: number): Built | Promise<Built>;
}
