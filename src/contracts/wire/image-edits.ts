import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Id, Nullable } from './common.ts';
import { ImageFilters, ImagePatch } from './images.ts';
import { problemSchema, strictObject } from './shapes.ts';

const IfMatch = Type.String({
  pattern: '^"[\\x21\\x23-\\x7e]*"$',
  maxLength: 100,
  description: 'The ETag of the image as it was read, with its quotes: `"7"`.',
});

const ImageUpdate = strictObject(
  { id: Id('image'), if_match: Type.Optional(IfMatch), patch: ImagePatch },
  { title: 'ImageUpdate' },
);

/** Which images are to change, in one of four forms, and how. */
export const ImageEdits = strictObject(
  {
    id: Type.Optional(Id('image')),
    if_match: Type.Optional(IfMatch),
    ...ImagePatch.properties,
    ids: Type.Optional(Type.Array(Id('image'), { minItems: 1, maxItems: limits.ids_per_patch })),
    updates: Type.Optional(
      Type.Array(ImageUpdate, { minItems: 1, maxItems: limits.ids_per_patch }),
    ),
    filter: Type.Optional(ImageFilters),
    expected_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.images_per_filter_edit,
        description: 'How many images `filter` matches, as `include=total` of the search counts.',
      }),
    ),
    patch: Type.Optional(ImagePatch),
    on_error: Type.Enum(['abort', 'continue'], {
      default: 'abort',
      description:
        '`abort`: all images change or none. `continue`: each that can; what is wrong with the request by itself is still refused whole.',
    }),
  },
  {
    title: 'ImageEdits',
    description:
      'Exactly one of `{id, if_match?, …fields}`, `{ids, patch}`, `{updates: [{id, if_match?, patch}]}` and `{filter, expected_count, patch}`; each may have `on_error`. No image may stand twice.',
  },
);
export type ImageEdits = Static<typeof ImageEdits>;

const ImageEditResult = strictObject(
  {
    id: Id('image'),
    outcome: Type.Enum(['updated', 'unchanged', 'failed']),
    version: Nullable(
      Type.Integer({ minimum: 1, description: "The image's, now; null when it failed." }),
    ),
    problem: Nullable(problemSchema),
  },
  { title: 'ImageEditResult' },
);

export const ImageEditResults = strictObject(
  {
    updated: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    results: Type.Array(ImageEditResult, {
      description:
        'What became of each image: in the order of the request, or of identifiers for a filter.',
    }),
  },
  { title: 'ImageEditResults' },
);
export type ImageEditResults = Static<typeof ImageEditResults>;
