import { lazy } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { formatBytes } from '../../../contracts/format-bytes.ts';
import { asProblem } from '../../api/hooks.ts';
import type { ApiProblem } from '../../api/request.ts';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { Chunks } from './chunks.tsx';
import type { ShownFile } from './file.tsx';
import { type Beginning, readBeginning } from './read.ts';

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
