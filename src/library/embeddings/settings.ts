/** The OpenAI-compatible endpoint that computes vectors of texts. */
export interface EmbeddingSettings {
  /** The full URL, which ends with `/embeddings`. */
  url: string;
  apiKey: string | null;
  model: string;
  dimensions: number;
}

/** The variables of the environment, as they were validated. */
export interface EmbeddingVariables {
  EMBEDDINGS_URL?: string | undefined;
  EMBEDDINGS_MODEL?: string | undefined;
  EMBEDDINGS_API_KEY?: string | undefined;
  EMBEDDINGS_DIMENSIONS?: number | undefined;
}

/** The endpoint; null if none is set. Incomplete settings become faults. */
export function readEmbeddingSettings(
  {
    EMBEDDINGS_URL: url,
    EMBEDDINGS_MODEL: model,
    EMBEDDINGS_API_KEY: apiKey = '',
    EMBEDDINGS_DIMENSIONS: dimensions,
  }: EmbeddingVariables,
  faults: string[],
): EmbeddingSettings | null {
  if (!url) return null;
  if (!model || !dimensions) {
    faults.push('EMBEDDINGS_URL requires EMBEDDINGS_MODEL and EMBEDDINGS_DIMENSIONS');
    return null;
  }
  if (!URL.canParse(url)) {
    faults.push('EMBEDDINGS_URL is not a valid URL');
    return null;
  }
  const { username, password } = new URL(url);
  if (username || password) {
    // `fetch` rejects such URLs.
    faults.push('EMBEDDINGS_URL must not contain a password; use EMBEDDINGS_API_KEY');
    return null;
  }
  return { url: endpointOf(url), model, apiKey: apiKey || null, dimensions };
}

/** Identifies the vectors that can be compared with each other. */
export function modelOf({ model, dimensions }: EmbeddingSettings): string {
  return `${model}/${dimensions}`;
}

/** The URL of the operation: `/embeddings` is appended to the path unless it ends with it. */
function endpointOf(text: string): string {
  const url = new URL(text);
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  url.pathname = path.endsWith('/embeddings/') ? path.slice(0, -1) : `${path}embeddings`;
  return url.href;
}
