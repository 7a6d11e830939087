import type { PassageRecord } from '@scriptorium/contracts/wire/library/passages';
import { foldWord, type SearchPhrase } from '../images/search/highlight.ts';
import { excerptOf } from '../search/excerpt.ts';
import type { FoundPassage } from './queries.ts';
import type { PassageQuery } from './terms.ts';

/** The characters of an excerpt without a match, which is in the headings. */
const excerptLength = 160;

/** A passage as the API shows it. */
export function presentPassage(
  passage: FoundPassage,
  wanted: PassageQuery,
  { boxes, citationId }: { boxes: PassageRecord['boxes']; citationId: string | null },
): PassageRecord {
  const { objectId, filename, page, lastPage, headings, text, redacted, score } = passage;
  const excerpt = excerptOf(text, phrasesOf(wanted));
  return {
    object_id: objectId,
    filename,
    page,
    last_page: lastPage,
    heading_path: headings,
    excerpt: excerpt?.parts ?? [{ text: text.slice(0, excerptLength), match: false }],
    text,
    boxes: boxes.map((box) => ({ ...box })),
    redacted,
    citation_id: citationId,
    score,
  };
}

function phrasesOf({ terms, phrases }: PassageQuery): SearchPhrase[] {
  const words = [...phrases, ...terms.flatMap((term) => term.words.map((word) => [word]))];
  return words.map((some) => ({ words: some.map(foldWord), prefix: false }));
}
