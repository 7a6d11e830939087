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
  /** Whether a server was killed, frozen or cut off: then counts kept in memory may be too low. */
  isDisturbed: boolean;
}

/** Returns what is wrong, in sentences. */
export type Check = (given: Case) => Promise<string[]>;
