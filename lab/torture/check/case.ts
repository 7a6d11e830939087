import type { Ledger } from '../ledger.ts';
import type { Reader } from '../readers.ts';
import type { World } from '../world.ts';

/** What a check looks at, once everything is quiet. */
export interface Case {
  world: Pick<World, 'owner' | 'projects' | 'receiver' | 'rows'> & {
    storage: Pick<World['storage'], 'folder'>;
  };
  ledger: Ledger;
  readers: Reader[];
  /**
   * From when on every download is counted, in milliseconds: a server that is killed loses those of
   * its last seconds.
   */
  downloadsSince: number;
}

/** Returns what is wrong, in sentences. */
export type Check = (given: Case) => Promise<string[]>;
