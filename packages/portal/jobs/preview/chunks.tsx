import { pluralise } from '@scriptorium/contracts/pluralise';
import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';

interface Chunk {
  index: number;
  text: string;
  tokens: number;
  headings: string[];
  pages: number[];
}

/** The number of chunks added at a time. */
const chunksPerStep = 50;

/** Chunks for a language model, with their token counts. */
export function ChunkList({ text }: { text: string }) {
  const [visibleCount, setVisibleCount] = useState(chunksPerStep);
  const chunks = text.split('\n').flatMap(parseChunk);
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
  return (
    <div class="stack">
      <p>
        {pluralise(chunks.length, 'chunk')}, {pluralise(tokens, 'token')}
      </p>
      <ol class="preview-chunks">
        {chunks.slice(0, visibleCount).map((chunk) => (
          <li key={chunk.index} class="card">
            <div class="row soft">
              <strong>{chunk.index}</strong>
              <span>{pluralise(chunk.tokens, 'token')}</span>
              {chunk.pages.length > 0 && <span>Pages {[...new Set(chunk.pages)].join('–')}</span>}
              <bdi>{chunk.headings.join(' › ')}</bdi>
            </div>
            <pre class="preview-text" dir="auto">
              {chunk.text}
            </pre>
          </li>
        ))}
      </ol>
      {visibleCount < chunks.length && (
        <div>
          <Button onClick={() => setVisibleCount(visibleCount + chunksPerStep)}>
            Show more chunks
          </Button>
        </div>
      )}
    </div>
  );
}

/** Parses a line as a chunk; returns an empty list if the line is empty or truncated. */
function parseChunk(line: string, at: number): Chunk[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const { index, text, tokens, headings, pages } = value as Partial<Record<keyof Chunk, unknown>>;
  return [
    {
      index: typeof index === 'number' ? index : at,
      text: String(text ?? ''),
      tokens: typeof tokens === 'number' ? tokens : 0,
      headings: Array.isArray(headings) ? headings.map(String) : [],
      pages: Array.isArray(pages) ? pages.filter((page) => typeof page === 'number') : [],
    },
  ];
}
