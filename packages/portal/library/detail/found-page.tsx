import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useRef } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import { PagePicture } from '../../kit/page-picture.tsx';
import { useMeasure } from '../../kit/use-measure.ts';
import { useQueryMatches } from '../lightbox/find/use-query-matches.ts';
import { TextLayer } from '../lightbox/text-layer.tsx';

/** The page on which a search found an object, and the search. */
export interface Found {
  page: number;
  query: string;
}

/** Returns the page in the address; null without one, and for files whose pages have no words. */
export function useFound(
  object: ObjectRecord | null,
  correctedQuery: string | undefined,
): Found | null {
  const address = new URLSearchParams(useSearch());
  const page = Number(address.get('page'));
  if (object?.state !== 'available' || !Number.isInteger(page) || page < 1) return null;
  if (object.mime !== 'application/pdf' && !object.mime.startsWith('image/')) return null;
  return { page, query: correctedQuery ?? address.get('q') ?? '' };
}

/** The page on which a search found an object, with the matches marked. */
export function FoundPage({ objectId, found }: { objectId: string; found: Found }) {
  const { page, query } = found;
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useMeasure(frame, { width: 0 }, ({ clientWidth }) => ({ width: clientWidth }));
  const { matches, current } = useQueryMatches(objectId, page, query);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it groups the page that it scrolls
    <div ref={frame} class="found-page" role="group" aria-label={`Page ${page}`} tabIndex={0}>
      {width > 0 && (
        <div>
          <PagePicture objectId={objectId} page={page} cssWidth={width} />
          <TextLayer objectId={objectId} page={page} matches={matches} current={current} />
        </div>
      )}
    </div>
  );
}
