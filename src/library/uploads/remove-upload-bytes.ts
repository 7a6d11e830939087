import type { Upload } from '../../entities/library/upload.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';

/**
 * Removes the bytes of an upload that has ended. A failure to remove them must not undo the commit:
 * `upload.expire` or `project.tidy` removes them later.
 */
export async function removeUploadBytes(
  storage: Storage,
  { projectId, id }: Pick<Upload, 'projectId' | 'id'>,
): Promise<void> {
  try {
    await storage.partials.drop(projectId, id);
  } catch (error) {
    if (!isStorageFault(error)) throw error;
  }
}

/** Whether the storage is unavailable or full. */
export function isStorageFault(error: unknown): boolean {
  return (
    error instanceof StorageError && (error.code === 'unavailable' || error.code === 'storage_full')
  );
}
