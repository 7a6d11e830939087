import type { PassageRecord } from '@scriptorium/contracts/wire/library/passages';
import type { Tx } from '../../db/transaction.ts';
import { openWords, wordsVariant } from '../../library/objects/pages/words.ts';
import { boxesOfPassage, type PlacedWord } from '../../library/passages/boxes.ts';
import type { FoundPassage } from '../../library/passages/queries.ts';
import { findVariant } from '../../library/variants.ts';
import type { Storage } from '../../storage/storage.ts';
import { readRecognisedText } from './recognised-text.ts';

/**
 * The boxes of passages, in their order: those of chunks, or where the words of the page are, if these
 * are known. The words of a page may contain what a redaction removed, so they are not compared with
 * its text.
 */
export async function locatePassages(
  tx: Tx,
  storage: Storage,
  projectId: string,
  passages: readonly FoundPassage[],
): Promise<PassageRecord['boxes'][]> {
  const pages = new Map<string, Promise<readonly PlacedWord[]>>();
  const wordsOf = ({ objectId, page }: FoundPassage) => {
    const key = `${objectId}/${page}`;
    const words = pages.get(key) ?? readWords(tx, storage, projectId, objectId, page);
    pages.set(key, words);
    return words;
  };
  return Promise.all(
    passages.map(async (passage) => {
      if (passage.boxes !== null) return passage.boxes;
      if (passage.redacted) return [];
      const boxes = boxesOfPassage(passage.text, await wordsOf(passage));
      return boxes.map((box) => ({ page: passage.page, box }));
    }),
  );
}

/** The words of a page, as `GET /v1/objects/{id}/pages/{n}/text` returned them, or as a job recognised them. */
async function readWords(
  tx: Tx,
  storage: Storage,
  projectId: string,
  objectId: string,
  page: number,
): Promise<readonly PlacedWord[]> {
  const { variant } = wordsVariant(objectId, page);
  const stored = await findVariant(tx, projectId, objectId, variant);
  const inFile = stored?.sha256 ? (await openWords(storage, projectId, stored.sha256)).words : [];
  if (inFile.length > 0) return inFile;
  return (await readRecognisedText(tx, projectId, objectId, page))?.words ?? [];
}
