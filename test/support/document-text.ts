import { inProject } from '../../src/db/transaction.ts';
import { indexOwnText } from '../../src/library/objects/text.ts';
import type { TestApi } from './api.ts';
import { postRaw } from './uploads.ts';

/**
 * Adds a document with the texts of its pages, as a worker reads them from the file.
 * @returns its identifier
 */
export async function addDocument(api: TestApi, name: string, ...pages: string[]): Promise<string> {
  const { json } = await postRaw(api, `bytes of ${name}`, name);
  const texts = pages.map((text, at) => ({ page: at + 1, text }));
  await inProject(api.deps.database, api.projectId, async (tx) =>
    indexOwnText(tx, api.projectId, json.id, texts),
  );
  return json.id;
}
