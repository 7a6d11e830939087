import { type Static, Type } from 'typebox';
import { limits } from '../../limits.ts';
import { Failure, Id, Metadata, Nullable, Tags, Time } from '../common.ts';
import {
  commaList,
  filterFields,
  idFilter,
  listQuery,
  listSchema,
  searchText,
  strictObject,
} from '../shapes.ts';
import { FacetValues, Months, objectStates, Stops } from './objects.ts';
import { bboxFilter } from './places.ts';

/** The media types of images. An object of one of these types gets an image. */
export const imageMimes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/gif',
  'image/tiff',
  'image/svg+xml',
] as const;

const orientations = ['landscape', 'portrait', 'square'] as const;
export type Orientation = (typeof orientations)[number];

export const renditionNames = ['thumb', 'w320', 'w640', 'w1280'] as const;
export type RenditionName = (typeof renditionNames)[number];
export const renditionMimes = ['image/webp', 'image/avif'] as const;
export type RenditionMime = (typeof renditionMimes)[number];

export const Camera = strictObject(
  {
    make: Nullable(Type.String()),
    model: Nullable(Type.String()),
    lens: Nullable(Type.String()),
    exposure_seconds: Nullable(Type.Number()),
    aperture: Nullable(Type.Number({ description: 'The f-number.' })),
    iso: Nullable(Type.Integer()),
    focal_length_mm: Nullable(Type.Number()),
  },
  { title: 'Camera' },
);
export type Camera = Static<typeof Camera>;

export const Location = strictObject(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    altitude_metres: Nullable(Type.Number()),
  },
  { title: 'Location', description: 'WGS 84.' },
);
export type Location = Static<typeof Location>;

/** An image at one size, in every stored format. */
const Rendition = strictObject(
  {
    url: Type.String({ description: 'A path of this API. Requires the same two headers.' }),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    formats: Type.Array(
      strictObject({
        mime: Type.Enum([...renditionMimes]),
        bytes: Type.Integer({ minimum: 0 }),
      }),
    ),
  },
  { title: 'Rendition' },
);

const Color = Type.String({ pattern: '^#[0-9a-f]{6}$' });

const imageFields = {
  id: Id('image'),
  project_id: Id('project'),
  state: Type.Enum([...objectStates]),
  processing: Type.Boolean({
    description:
      'Whether the image is still being processed. Until then the properties read from it are null.',
  }),
  error: Nullable(Failure),
  object_id: Id('object'),
  title: Nullable(Type.String()),
  description: Nullable(Type.String()),
  alt_text: Nullable(Type.String()),
  tags: Tags,
  metadata: Metadata,
  rating: Nullable(Type.Integer({ minimum: 1, maximum: 5 })),
  filename: Type.String(),
  mime: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  width: Nullable(Type.Integer({ minimum: 1, description: 'In pixels, as displayed.' })),
  height: Nullable(Type.Integer({ minimum: 1, description: 'In pixels, as displayed.' })),
  orientation: Nullable(Type.Enum([...orientations])),
  captured_at: Nullable(Time),
  creator: Nullable(
    Type.String({
      description:
        'Who made the picture, from its EXIF, IPTC or XMP; several are separated by semicolons.',
    }),
  ),
  copyright: Nullable(
    Type.String({ description: 'The copyright notice in its EXIF, IPTC or XMP.' }),
  ),
  camera: Nullable(Camera),
  location: Nullable(Location),
  dominant_color: Nullable(Color),
  palette: Nullable(Type.Array(Color, { description: 'Most frequent first.' })),
  blurhash: Nullable(Type.String()),
  renditions: strictObject(
    Object.fromEntries(renditionNames.map((name) => [name, Type.Optional(Rendition)])) as Record<
      RenditionName,
      ReturnType<typeof Type.Optional<typeof Rendition>>
    >,
  ),
  created_at: Time,
  updated_at: Time,
  version: Type.Integer({ minimum: 1 }),
};

export const ImageRecord = strictObject(imageFields, { title: 'Image' });
export type ImageRecord = Static<typeof ImageRecord>;

/** A piece of a field's text, and whether it matches the search. */
export const HighlightPart = strictObject({ text: Type.String(), match: Type.Boolean() });

/** An image in a list, with the fields added by `include`. */
export const ListedImage = strictObject(
  {
    ...imageFields,
    highlights: Type.Optional(
      Type.Record(Type.String(), Type.Array(HighlightPart), {
        description:
          'With `include=highlights`: the fields that match `q`, with their text in pieces. `tags` is split tag by tag.',
      }),
    ),
    collections: Type.Optional(
      Type.Array(strictObject({ id: Id('collection'), name: Type.String() }), {
        description: 'With `include=collections`: the manual collections that contain the image.',
      }),
    ),
  },
  { title: 'ListedImage' },
);
export type ListedImage = Static<typeof ListedImage>;

export const Facets = strictObject(
  { tag: FacetValues, mime: FacetValues, orientation: FacetValues },
  {
    title: 'Facets',
    description:
      'Exact counts of all matches, most frequent first. A facet ignores its own filter: with `mime=image/png`, the `mime` facet still counts other types.',
  },
);
export type Facets = Static<typeof Facets>;

export const ImageList = strictObject({
  ...listSchema(ListedImage).properties,
  facets: Type.Optional(Facets),
  months: Type.Optional(Months),
  stops: Type.Optional(Stops),
  mended_query: Type.Optional(
    Type.String({
      description:
        'Set when `q` matched little: `q` with a misspelt word corrected. The results are those of the corrected query.',
    }),
  ),
});

export const imageSorts = [
  'relevance',
  '-created_at',
  'created_at',
  '-updated_at',
  'updated_at',
  '-captured_at',
  'captured_at',
  '-filename',
  'filename',
  '-bytes',
  'bytes',
] as const;
export type ImageSort = (typeof imageSorts)[number];

const monthDates = ['created_at', 'captured_at'] as const;
export type MonthsBy = (typeof monthDates)[number];

const Pixels = Type.Integer({ minimum: 0, maximum: 1_000_000 });
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const wordsDescription =
  'Full-text search. Words are combined with AND. Supports `"a phrase"`, `-not` and `OR`. The last word matches as a prefix. The title ranks highest, then tags, description and alternative text, filename.';

/** The filters of images: in the query of the list, and in the `query` of a smart collection. */
export const imageFilterFields = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: wordsDescription,
    }),
  ),
  tag: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
      maxItems: 20,
      description:
        'Repeat the parameter for AND, use a comma for OR and a leading `-` for NOT. Case is ignored. Escape a comma, a leading dash or a backslash in a tag with a backslash.',
    }),
  ),
  untagged: Type.Optional(
    Type.Boolean({ description: 'Only images without tags, or only images with tags.' }),
  ),
  mime: Type.Optional(commaList(Type.Enum([...imageMimes]), 'Any of these media types.')),
  orientation: Type.Optional(commaList(Type.Enum([...orientations]))),
  min_width: Type.Optional(Pixels),
  max_width: Type.Optional(Pixels),
  min_height: Type.Optional(Pixels),
  max_height: Type.Optional(Pixels),
  min_bytes: Type.Optional(Bytes),
  max_bytes: Type.Optional(Bytes),
  min_rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  created_after: Type.Optional(Time),
  created_before: Type.Optional(Time),
  captured_after: Type.Optional(Time),
  captured_before: Type.Optional(Time),
  bbox: Type.Optional(bboxFilter()),
  collection_id: Type.Optional(Id('collection')),
  state: Type.Optional(
    Type.Enum([...objectStates], { description: 'Default: all states except `trashed`.' }),
  ),
};

export const ImageFilters = strictObject(imageFilterFields, { title: 'ImageFilters' });
export type ImageFilters = Static<typeof ImageFilters>;

/** The filters of images in a body. */
export const imageFilterInput = filterFields(imageFilterFields);
export const ImageFilterInput = strictObject(imageFilterInput, { title: 'ImageFilterInput' });

/** Matches every type of image in filters by media type. */
export const anyImage = 'image/*';

const { limit, cursor } = listQuery();
export const ImageQuery = strictObject({
  limit,
  cursor,
  ...imageFilterFields,
  q: Type.Optional(searchText(500, wordsDescription)),
  mime: Type.Optional(
    commaList(
      Type.Enum([...imageMimes, anyImage]),
      `Any of these media types. \`${anyImage}\` matches all.`,
    ),
  ),
  state: Type.Optional(
    commaList(Type.Enum([...objectStates]), 'Default: all states except `trashed`.'),
  ),
  id: idFilter('image', 'images'),
  object_id: Type.Optional(
    commaList(Id('object'), 'Only the images of these objects.', {
      maxItems: limits.list_limit_max,
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...imageSorts], {
      description:
        'Default: `relevance` (over the newest 10,000 matches) with `q`, otherwise `-created_at`.',
    }),
  ),
  months_by: Type.Enum([...monthDates], {
    default: 'created_at',
    description:
      'The date by which `include=months` counts. With `captured_at`, images without that date are not counted.',
  }),
  include: Type.Optional(
    commaList(
      Type.Enum(['total', 'facets', 'months', 'stops', 'highlights', 'collections']),
      '`total`, `facets` and `months` count all matches, and `stops` reads them.',
    ),
  ),
});

const Text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));

/** The editable fields of an image. `tags` replaces all tags. */
export const ImagePatch = strictObject(
  {
    title: Text(limits.title_characters),
    description: Text(limits.description_characters),
    alt_text: Text(limits.alt_text_characters),
    rating: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 5 }))),
    tags: Type.Optional(Nullable(Tags)),
    add_tags: Type.Optional(Tags),
    remove_tags: Type.Optional(Tags),
    metadata: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Merged into the current metadata (RFC 7396). Null removes a member.',
        }),
      ),
    ),
  },
  { title: 'ImagePatch' },
);
export type ImagePatch = Static<typeof ImagePatch>;
