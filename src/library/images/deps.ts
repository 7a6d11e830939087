import type { Imaging } from '@scriptorium/documents/imaging';
import type { Database } from '../../db/database.ts';
import type { Storage } from '../../storage/storage.ts';

/** The dependencies of the work on pictures. */
export interface ImagingDeps {
  database: Database;
  storage: Storage;
  imaging: Imaging;
}
