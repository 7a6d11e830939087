import {
  type SearchField,
  type SearchResult,
  searchFields,
} from '@scriptorium/contracts/wire/library/search';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Image } from '../../entities/images/image.ts';
import type { ImagePlace } from '../../entities/images/image-place.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { phrasesOf, type SearchPhrase } from '../images/search/highlight.ts';
import type { SearchQuery } from '../images/search/query-language.ts';
import type { ObjectSearch } from '../objects/conditions.ts';
import { type Excerpt, excerptOf } from './excerpt.ts';
import { type BestPage, findBestPages, type RankedObject } from './queries.ts';

/** An object with the searched fields of its image; those are null without an image. */
type Found = Pick<StoredObject, 'id' | 'filename' | 'tags' | 'metadata'> &
  Pick<Image, 'title' | 'description' | 'altText' | 'creator' | 'copyright' | 'camera'> &
  Pick<ImagePlace, 'place'> & { imageId: string | null };

/** The results as the API shows them. Objects that were purged in the meantime are left out. */
export async function presentResults(
  tx: Tx,
  search: ObjectSearch,
  words: SearchQuery,
  ranked: readonly RankedObject[],
): Promise<SearchResult[]> {
  const ids = ranked.map(({ id }) => id);
  const phrases = phrasesOf(words);
  const [found, pages] = await Promise.all([
    findFound(tx, search, ids),
    phrases.length === 0 ? [] : findBestPages(tx, search, words, ids),
  ]);
  const foundById = new Map(found.map((one) => [one.id, one]));
  const pageById = new Map(pages.map((one) => [one.id, one]));
  return ranked.flatMap(({ id, score }) => {
    const one = foundById.get(id);
    return one ? [presentResult(one, pageById.get(id), phrases, score)] : [];
  });
}

function findFound(tx: Tx, { caller }: ObjectSearch, ids: readonly string[]): Promise<Found[]> {
  return prepared<Found>(
    tx,
    `SELECT o.id, o.filename, o.tags, o.metadata, i.id AS "imageId", i.title, i.description,
       i.alt_text AS "altText", i.creator, i.copyright, i.camera, p.place
     FROM object o
     LEFT JOIN image i ON $3 AND i.project_id = o.project_id AND i.object_id = o.id
     LEFT JOIN image_place p ON p.project_id = i.project_id AND p.image_id = i.id
     WHERE o.project_id = $1 AND o.id = ANY($2)`,
    [caller.projectId, ids, caller.readsImages],
  );
}

function presentResult(
  found: Found,
  page: BestPage | undefined,
  phrases: readonly SearchPhrase[],
  score: number,
): SearchResult {
  const best = bestExcerpt(found, page, phrases);
  const hasPage = page !== undefined && (best === null || best.field === 'text');
  return {
    type: found.imageId === null ? 'object' : 'image',
    id: found.imageId ?? found.id,
    object_id: found.id,
    title: found.title ?? found.filename,
    field: best?.field ?? (hasPage ? 'text' : null),
    excerpt: best?.parts ?? null,
    page: hasPage ? page.page : null,
    score,
  };
}

/** The field with the most words of the query; of several, the first in the order of `searchFields`. */
function bestExcerpt(
  found: Found,
  page: BestPage | undefined,
  phrases: readonly SearchPhrase[],
): (Excerpt & { field: SearchField }) | null {
  const texts: Record<SearchField, string | null> = {
    text: page?.text ?? null,
    title: found.title,
    description: found.description,
    alt_text: found.altText,
    tags: found.tags.join(' · '),
    creator: found.creator,
    copyright: found.copyright,
    camera: stringsOf(found.camera).join(' '),
    place: found.place,
    metadata: stringsOf(found.metadata).join(' · '),
    filename: found.filename,
  };
  let best: (Excerpt & { field: SearchField }) | null = null;
  for (const field of searchFields) {
    const excerpt = excerptOf(texts[field], phrases);
    if (excerpt && (!best || excerpt.matches > best.matches)) best = { ...excerpt, field };
  }
  return best;
}

/** Every string in a JSON value, at any depth. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}
