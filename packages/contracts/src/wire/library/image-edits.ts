import { type Static, Type } from 'typebox';
import { limits } from '../../limits.ts';
import { Id, Nullable } from '../common.ts';
import { problemSchema, strictObject } from '../shapes.ts';
import { ImageFilterInput, ImagePatch } from './images.ts';

export const etagPattern = '^"[\\x21\\x23-\\x7e]*"$';

const IfMatch = Type.String({
  pattern: etagPattern,
  maxLength: 100,
  description: 'The ETag of the image as you read it, with its quotes: `"7"`.',
});

const ImageUpdate = strictObject(
  { id: Id('image'), if_match: Type.Optional(IfMatch), patch: ImagePatch },
  { title: 'ImageUpdate' },
);

/** The images to change, in one of four forms, and the changes. */
export const ImageEdits = strictObject(
  {
    id: Type.Optional(Id('image')),
    if_match: Type.Optional(IfMatch),
    ...ImagePatch.properties,
    ids: Type.Optional(Type.Array(Id('image'), { minItems: 1, maxItems: limits.ids_per_patch })),
    updates: Type.Optional(
      Type.Array(ImageUpdate, { minItems: 1, maxItems: limits.ids_per_patch }),
    ),
    filter: Type.Optional(ImageFilterInput),
    expected_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.images_per_filter_edit,
        description:
          'How many images `filter` matches, as counted by `include=total` of the search.',
      }),
    ),
    patch: Type.Optional(ImagePatch),
    on_error: Type.Enum(['abort', 'continue'], {
      default: 'abort',
      description:
        '`abort`: all images change or none. `continue`: every image that can be changed is. An invalid request is rejected as a whole in both cases.',
    }),
  },
  {
    title: 'ImageEdits',
    description:
      'Exactly one of `{id, if_match?, …fields}`, `{ids, patch}`, `{updates: [{id, if_match?, patch}]}` and `{filter, expected_count, patch}`, each with an optional `on_error`. Every image may be named only once.',
  },
);
export type ImageEdits = Static<typeof ImageEdits>;

const ImageEditResult = strictObject(
  {
    id: Id('image'),
    outcome: Type.Enum(['updated', 'unchanged', 'failed']),
    version: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'The new version of the image. Null if the edit failed.',
      }),
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
      description: 'One result per image, in the order of the request, or by `id` for a filter.',
    }),
  },
  { title: 'ImageEditResults' },
);
export type ImageEditResults = Static<typeof ImageEditResults>;
