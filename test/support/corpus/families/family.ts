import type { Maker } from '../maker.ts';

/** The result of a family for a maker: the file, and the properties that its pages do not show. */
export interface Built {
  pdf: Buffer;
  /** Whether pages may be burned: letters cannot be derived from codes, or are drawings. */
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
