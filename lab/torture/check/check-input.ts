import type { Ledger } from '../ledger.ts';
import type { Reader } from '../readers.ts';
import type { World } from '../world.ts';

/** The input of a check, once everything is quiet. */
export interface CheckInput {
  world: Pick<World, 'owner' | 'projects' | 'receiver' | 'rows'> & {
    storage: Pick<World['storage'], 'folder'>;
  };
  ledger: Ledger;
  readers: Reader[];
  /**
   * The time from which every download is counted, in milliseconds: a killed server loses those of
   * its last seconds.
   */
  downloadsSince: number;
}

/** Returns the violations as sentences. */
export type Check = (input: CheckInput) => Promise<string[]>;
