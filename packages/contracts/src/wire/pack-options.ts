import { type Static, Type } from 'typebox';
import { profileNames } from '../documents/profiles.ts';
import { operations } from '../operations.ts';
import { packContents } from '../packs.ts';

const { chunk_tokens, overlap_tokens } = operations.normalize_for_llm.options.properties;

/** Options of a pack; all have defaults. */
export const packOptions = Type.Object(
  {
    redact: Type.Union([Type.Enum(profileNames), Type.Null()], {
      default: null,
      description:
        'Redact each document with this profile first, so that the pack has redacted text only. Null: no redaction.',
    }),
    review: Type.Enum(['none', 'required'], {
      default: 'none',
      description:
        'With `redact`: whether a person decides about the findings in each document before it goes into the pack.',
    }),
    chunk_tokens,
    overlap_tokens,
    include: Type.Array(Type.Enum([...packContents]), {
      minItems: 1,
      uniqueItems: true,
      default: ['markdown', 'chunks'],
      description:
        'The contents: a Markdown file per document, one `chunks.jsonl`, the blocks of each document as JSON, and a picture of each page.',
    }),
    on_error: Type.Enum(['continue', 'abort'], {
      default: 'continue',
      description:
        '`continue` leaves out documents that fail or that a policy withholds, and names them in the manifest. `abort` fails the pack with the first of them.',
    }),
  },
  { additionalProperties: false },
);
export type PackOptions = Static<typeof packOptions>;
