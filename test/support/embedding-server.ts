import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { EmbeddingSettings } from '../../src/library/embeddings/settings.ts';

/** A response that replaces the vectors: a status with a body, or none until the client gives up. */
type FaultyResponse = { status: number; body?: string; headers?: Record<string, string> } | 'never';

type Fault = FaultyResponse | null;

/** An endpoint whose vectors depend on the words of a text only, and on the meanings it is told. */
export interface EmbeddingServer {
  settings: EmbeddingSettings;
  /** The texts that it received, oldest first. */
  texts: string[];
  /** The headers of the latest request. */
  headers(): NodeJS.Dict<string | string[]>;
  /** Words that mean the same as another. */
  synonyms: Map<string, string>;
  /** Decides about each request by its texts; null returns vectors. */
  fault: ((texts: readonly string[]) => Fault | Promise<Fault>) | null;
  close(): Promise<void>;
}

const embeddingDimensions = 64;

/** Starts an endpoint on a free port. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const server = createServer(async (req, res) => {
    const body = (await json(req)) as { input: string[] };
    headers = req.headers;
    const fault = (await endpoint.fault?.(body.input)) ?? null;
    if (fault === 'never') return;
    if (fault) {
      res.writeHead(fault.status, fault.headers).end(fault.body ?? '');
      return;
    }
    endpoint.texts.push(...body.input);
    const data = body.input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(text, endpoint.synonyms),
    }));
    const words = body.input.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
    res.writeHead(200, { 'content-type': 'application/json' });
    // In another order than the texts, which `index` allows.
    res.end(JSON.stringify({ data: data.reverse(), usage: { total_tokens: words } }));
  });
  let headers: NodeJS.Dict<string | string[]> = {};
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint: EmbeddingServer = {
    settings: {
      url: `http://127.0.0.1:${port}/v1/embeddings`,
      apiKey: 'secret',
      model: 'words',
      dimensions: embeddingDimensions,
    },
    texts: [],
    headers: () => headers,
    synonyms: new Map(),
    fault: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return endpoint;
}

/** The sum of a random direction for each word. */
function vectorOf(text: string, synonyms: ReadonlyMap<string, string>): number[] {
  const sum = Array.from({ length: embeddingDimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const hash = createHash('sha512')
      .update(synonyms.get(word) ?? word)
      .digest();
    for (const [at, byte] of hash.entries()) sum[at]! += byte / 128 - 1;
  }
  return sum;
}
