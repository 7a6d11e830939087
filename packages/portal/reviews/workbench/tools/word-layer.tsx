import { useRef, useState } from 'preact/hooks';
import { useResource } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import type { PagePosition } from '../pages/layout.ts';
import { useToolKeys } from './use-tool-keys.ts';

/** Selects words of a page, with a pointer or, on the current page, with keys. */
export function WordLayer(props: {
  position: PagePosition;
  jobId: string;
  isCurrent: boolean;
  /** `words`: positions of words on the page. */
  onAdd: (page: number, words: number[]) => void;
}) {
  const { position, jobId, isCurrent, onAdd } = props;
  const { size, page } = position;
  const { data } = useResource(
    requestFor('listJobPages', { id: jobId, page, op: 'ocr', include: 'words' }),
  );
  const words = data?.data.find((row) => row.words)?.words ?? [];
  const [range, setRange] = useState<{ anchor: number; head: number } | undefined>();
  const isDragging = useRef(false);
  const selectedSpan = range && {
    first: Math.min(range.anchor, range.head),
    last: Math.max(range.anchor, range.head),
  };
  const add = (): void => {
    if (!selectedSpan) return;
    const { first, last } = selectedSpan;
    onAdd(
      page,
      Array.from({ length: last - first + 1 }, (_, at) => first + at),
    );
    setRange(undefined);
  };
  useToolKeys(isCurrent && words.length > 0, (key, isShifted) => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (key === 'Enter' && range) add();
    else if (direction !== undefined) {
      const head = Math.min(words.length - 1, Math.max(0, (range?.head ?? -1) + direction));
      setRange({ anchor: isShifted ? (range?.anchor ?? head) : head, head });
    } else return false;
    return true;
  });
  if (data && words.length === 0) {
    return <p class="bench-no-words">The words of this page are not available. Draw a box.</p>;
  }
  return (
    <svg
      class="bench-layer bench-word-layer"
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Words of page ${page}: ${words.length}`}
      onPointerDown={(event) => {
        const at = wordAt(event);
        if (event.button !== 0 || at === undefined) return;
        isDragging.current = true;
        setRange({ anchor: at, head: at });
      }}
      onPointerMove={(event) => {
        const at = isDragging.current ? wordAt(event) : undefined;
        if (at !== undefined) setRange((now) => now && { ...now, head: at });
      }}
      onPointerUp={() => {
        if (isDragging.current) add();
        isDragging.current = false;
      }}
      onPointerCancel={() => {
        isDragging.current = false;
        setRange(undefined);
      }}
    >
      {words.map(({ box: [left = 0, top = 0, right = 0, bottom = 0] }, at) => (
        <rect
          key={at}
          data-word={at}
          class={
            selectedSpan && at >= selectedSpan.first && at <= selectedSpan.last ? 'chosen' : ''
          }
          x={left}
          y={top}
          width={Math.max(0.5, right - left)}
          height={Math.max(0.5, bottom - top)}
        />
      ))}
    </svg>
  );
}

/** Returns the word under the pointer. The target of a touch stays the element where it started. */
function wordAt({ clientX, clientY }: PointerEvent): number | undefined {
  const word = document.elementFromPoint(clientX, clientY)?.getAttribute('data-word');
  return word ? Number(word) : undefined;
}
