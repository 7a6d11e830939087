import type { Database } from '../../db/database.ts';
import type { Imaging } from '../../engines/imaging/index.ts';
import type { Storage } from '../../storage/storage.ts';

/** What the work on pictures needs. */
export interface ImagingDeps {
  database: Database;
  storage: Storage;
  imaging: Imaging;
}
