import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../../api/hooks.ts';
import { type ApiProblem, fetchOrThrow, requestFor, urlOf } from '../../api/request.ts';
import { lazyComponent } from '../../kit/lazy-component.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { ChunkList } from './chunks.tsx';
import type { PreviewedFile } from './file.tsx';

const Markdown = lazyComponent(
  async () => ({ default: (await import('./markdown.tsx')).Markdown }),
  { placeholder: <Loading what="text" lines={8} /> },
);

/** A text file: chunks, rendered Markdown, indented JSON or plain text. */
export function TextPreview({ file }: { file: PreviewedFile }) {
  const [beginning, setBeginning] = useState<TextBeginning | undefined>();
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [attempt, setAttempt] = useState(0);
  const { objectId: id, bytes } = file;
  useEffect(() => {
    const controller = new AbortController();
    readBeginning(id, bytes, controller.signal).then(setBeginning, (error: unknown) => {
      if (!controller.signal.aborted) setProblem(asProblem(error));
    });
    return () => controller.abort();
  }, [id, bytes, attempt]);
  if (problem) {
    const retry = (): void => {
      setProblem(undefined);
      setAttempt(attempt + 1);
    };
    return <ProblemState problem={problem} onRetry={retry} />;
  }
  if (!beginning) return <Loading what="text" lines={8} />;
  return (
    <div class="stack">
      {beginning.isTruncated && (
        <p class="notice warn">
          Only the beginning is shown. Download the file ({formatBytes(bytes)}) to see the rest.
        </p>
      )}
      {beginning.text === '' ? (
        <p class="soft">Empty file</p>
      ) : (
        <TextBody file={file} beginning={beginning} />
      )}
    </div>
  );
}

function TextBody({ file, beginning }: { file: PreviewedFile; beginning: TextBeginning }) {
  if (file.kind === 'chunks') return <ChunkList text={beginning.text} />;
  if (file.mime === 'text/markdown') return <Markdown text={beginning.text} />;
  const text =
    file.mime === 'application/json' && !beginning.isTruncated
      ? indentJson(beginning.text)
      : beginning.text;
  return (
    <pre class="code preview-text" dir="auto" tabIndex={0}>
      {text}
    </pre>
  );
}

/** Indents JSON; other text is returned unchanged. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The maximum size of a preview, in bytes. */
const maxBytes = 512 * 1024;

interface TextBeginning {
  text: string;
  /** Whether the text was truncated. */
  isTruncated: boolean;
}

/**
 * Reads the beginning of a stored text, truncated at the end of a line.
 * @throws ApiProblem if the content cannot be downloaded
 */
async function readBeginning(
  objectId: string,
  bytes: number,
  signal: AbortSignal,
): Promise<TextBeginning> {
  const isCut = bytes > maxBytes;
  const response = await fetchOrThrow(urlOf(requestFor('getObjectContent', { id: objectId })), {
    signal,
    ...(isCut ? { headers: { Range: `bytes=0-${maxBytes - 1}` } } : {}),
  });
  const text = await response.text();
  if (!isCut) return { text, isTruncated: isCut };
  // The last line, and even its last character, may be incomplete.
  const end = text.lastIndexOf('\n');
  return { text: end > 0 ? text.slice(0, end + 1) : text.slice(0, -1), isTruncated: isCut };
}
