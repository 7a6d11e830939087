import { compile } from '@scriptorium/contracts/helpers/validator';
import { Type } from 'typebox';
import { EmbeddingError } from './embedding-error.ts';

/** The vectors of texts, in the order of these. */
export interface Embedded {
  vectors: number[][];
  /** As the endpoint reports them; 0 if it does not. */
  tokens: number;
}

/** The maximum number of bytes of a component in JSON, and of everything around them. */
const bytesPerComponent = 32;
const bytesAround = 64 * 1024;

const EmbeddingResponse = Type.Object({
  data: Type.Array(
    Type.Object({
      index: Type.Optional(Type.Integer({ minimum: 0 })),
      embedding: Type.Array(Type.Number()),
    }),
  ),
  usage: Type.Optional(
    Type.Object({
      total_tokens: Type.Optional(Type.Integer({ minimum: 0 })),
      prompt_tokens: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
});
const isEmbeddingResponse = compile(EmbeddingResponse);

/**
 * The body of a response, if it is not longer than vectors with so many components can be.
 * @throws EmbeddingError `invalid_response` if it is longer
 */
export async function readBounded(response: Response, components: number): Promise<string> {
  const maxBytes = bytesAround + components * bytesPerComponent;
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new EmbeddingError('invalid_response');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The vectors in a response, in the order of their texts.
 * @throws EmbeddingError `invalid_response` or `wrong_dimensions`
 */
export function readEmbeddings(body: string, count: number, dimensions: number): Embedded {
  const value = parseJson(body);
  if (!isEmbeddingResponse(value) || value.data.length !== count) {
    throw new EmbeddingError('invalid_response');
  }
  const vectors: (number[] | undefined)[] = Array.from({ length: count });
  for (const [at, { index = at, embedding }] of value.data.entries()) vectors[index] = embedding;
  const known = vectors.filter((vector) => vector !== undefined);
  if (vectors.length !== count || known.length !== count) {
    throw new EmbeddingError('invalid_response');
  }
  if (known.some((vector) => vector.length !== dimensions)) {
    throw new EmbeddingError('wrong_dimensions');
  }
  const { total_tokens: total, prompt_tokens: prompt } = value.usage ?? {};
  return { vectors: known, tokens: total ?? prompt ?? 0 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EmbeddingError('invalid_response');
  }
}
