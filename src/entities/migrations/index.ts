import { Baseline2000000000001 } from './1-baseline.ts';

/** In the order of execution. */
export const migrations = [Baseline2000000000001];
