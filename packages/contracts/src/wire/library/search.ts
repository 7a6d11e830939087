import { type Static, Type } from 'typebox';
import { Id, Nullable } from '../common.ts';
import { commaList, listQuery, listSchema, strictObject } from '../shapes.ts';
import { HighlightPart, imageFilterFields } from './images.ts';
import { FacetValues, Months, ObjectFacets, ObjectQuery, Stops } from './objects.ts';

/** The fields that a search covers, in the order in which they are preferred for the excerpt. */
export const searchFields = [
  'text',
  'description',
  'alt_text',
  'tags',
  'creator',
  'copyright',
  'camera',
  'place',
  'metadata',
  'filename',
  'title',
] as const;
export type SearchField = (typeof searchFields)[number];

export const SearchResult = strictObject(
  {
    type: Type.Enum(['object', 'image'], {
      description: 'A picture is one result: its image. All other files are objects.',
    }),
    id: Type.String({ description: 'The id of the image or object.' }),
    object_id: Id('object'),
    title: Type.String({ description: 'The title of an image; otherwise the filename.' }),
    field: Nullable(Type.Enum([...searchFields], { description: 'The field of the excerpt.' })),
    excerpt: Nullable(
      Type.Array(HighlightPart, {
        description:
          'The passage with the most words of `q`, in pieces. Null if the results have no such passage: for files that an earlier release read, and beyond the first 100,000 characters of a page.',
      }),
    ),
    page: Nullable(
      Type.Integer({ minimum: 1, description: 'The page of the passage, in the text of a file.' }),
    ),
    score: Type.Number({ minimum: 0, description: 'Higher is better. Comparable in one search.' }),
  },
  { title: 'SearchResult' },
);
export type SearchResult = Static<typeof SearchResult>;

export const SearchResults = strictObject({
  ...listSchema(SearchResult).properties,
  facets: Type.Optional(
    strictObject({
      ...ObjectFacets.properties,
      orientation: Type.Optional(FacetValues),
    }),
  ),
  months: Type.Optional(Months),
  stops: Type.Optional(Stops),
  mended_query: Type.Optional(
    Type.String({
      description:
        'Set when `q` matched little: `q` with a misspelt word corrected. The results are those of the corrected query.',
    }),
  ),
});

const {
  q: _q,
  tag: _tag,
  mime: _mime,
  state: _state,
  bbox: _bbox,
  created_after: _createdAfter,
  created_before: _createdBefore,
  ...onlyImageFilters
} = imageFilterFields;

/** The filters that only images have: no other file matches them. */
export { onlyImageFilters };

const { limit, cursor } = listQuery();
const { state, mime, tag, derived_from, source, originals, bbox, created_after, created_before } =
  ObjectQuery.properties;

export const SearchQuery = strictObject({
  q: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'Words in titles, descriptions, alternative texts, tags, filenames, creators and copyright notices, cameras and lenses, the city and country near the location of pictures, metadata strings and the text of documents. Words are combined with AND. Supports `"a phrase"`, `-not` and `OR`. The last word matches as a prefix.',
  }),
  kind: Type.Optional(
    commaList(
      Type.Enum(['object', 'image']),
      'Only results of this type. `image` requires the `images:read` scope.',
    ),
  ),
  limit,
  cursor,
  state,
  mime,
  tag,
  derived_from,
  source,
  originals,
  bbox,
  created_after,
  created_before,
  ...onlyImageFilters,
  include: Type.Optional(
    commaList(
      Type.Enum(['total', 'facets', 'months', 'stops']),
      '`total`, `facets` and `months` count all matches, and `stops` reads them, which takes extra time. `facets` has the orientations with `kind=image` only.',
    ),
  ),
});
