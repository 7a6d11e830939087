import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { lazy } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../../api/hooks.ts';
import { type ApiProblem, fetchOrProblem, requestFor, urlOf } from '../../api/request.ts';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { Chunks } from './chunks.tsx';
import type { ShownFile } from './file.tsx';

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }));

/** A text file: chunks, rendered Markdown, indented JSON or plain text. */
export function TextPreview({ file }: { file: ShownFile }) {
  const [read, setRead] = useState<Beginning | undefined>();
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const { objectId: id, bytes } = file;
  useEffect(() => {
    const gone = new AbortController();
    readBeginning(id, bytes, gone.signal).then(setRead, (error: unknown) => {
      if (!gone.signal.aborted) setProblem(asProblem(error));
    });
    return () => gone.abort();
  }, [id, bytes]);
  if (problem) return <ProblemState problem={problem} />;
  if (!read) return <Loading what="text" lines={8} />;
  return (
    <div class="stack">
      {read.isCut && (
        <p class="notice warn">
          Only the beginning is shown. Download the file ({formatBytes(bytes)}) to see the rest.
        </p>
      )}
      {read.text === '' ? <p class="soft">Empty file</p> : <Body file={file} read={read} />}
    </div>
  );
}

function Body({ file, read }: { file: ShownFile; read: Beginning }) {
  if (file.kind === 'chunks') return <Chunks text={read.text} />;
  if (file.mime === 'text/markdown') return <Markdown text={read.text} />;
  const text = file.mime === 'application/json' && !read.isCut ? indented(read.text) : read.text;
  return (
    <pre class="code preview-text" dir="auto" tabIndex={0}>
      {text}
    </pre>
  );
}

/** Indents JSON; other text is returned unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The maximum size of a preview, in bytes. */
const maxBytes = 512 * 1024;

interface Beginning {
  text: string;
  /** Whether the text was truncated. */
  isCut: boolean;
}

/**
 * Reads the beginning of a stored text, truncated at the end of a line.
 * @throws ApiProblem if the content cannot be downloaded
 */
async function readBeginning(
  objectId: string,
  bytes: number,
  signal: AbortSignal,
): Promise<Beginning> {
  const isCut = bytes > maxBytes;
  const response = await fetchOrProblem(urlOf(requestFor('getObjectContent', { id: objectId })), {
    signal,
    ...(isCut ? { headers: { Range: `bytes=0-${maxBytes - 1}` } } : {}),
  });
  const text = await response.text();
  if (!isCut) return { text, isCut };
  // The last line, and even its last character, may be incomplete.
  const end = text.lastIndexOf('\n');
  return { text: end > 0 ? text.slice(0, end + 1) : text.slice(0, -1), isCut };
}
