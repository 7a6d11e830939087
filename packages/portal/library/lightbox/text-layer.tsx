import type { PageText } from '@scriptorium/contracts/wire/library/page-text';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiProblem } from '../../api/request.ts';
import type { Hit } from './find/matches.ts';
import { loadText } from './find/texts.ts';

/** A page that is only scrolled past is not requested. */
const restMs = 150;

/**
 * The words of a page over its picture: invisible, for selecting and copying, with the matches of a
 * search.
 */
export function TextLayer(props: {
  objectId: string;
  page: number;
  hits: readonly Hit[];
  current: Hit | undefined;
}) {
  const { objectId, page, current } = props;
  const text = useText(objectId, page);
  const layer = useRef<SVGSVGElement>(null);
  const hits = props.hits.filter((hit) => hit.page === page);
  const lines = useMemo(() => linesOf(text), [text]);
  useEffect(() => {
    const mark = layer.current?.querySelector('.current');
    mark?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }, [current, text]);
  if (!text || text.words.length === 0) return null;
  return (
    <>
      <svg
        ref={layer}
        class="lightbox-text"
        viewBox={`0 0 ${text.width} ${text.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onCopy={(event) => copySelected(event, text)}
      >
        {hits.map((hit, at) =>
          hit.boxes.map(([left, top, right, bottom], part) => (
            <rect
              key={`${at} ${part}`}
              class={hit === current ? 'current' : undefined}
              x={left - 1}
              y={top - 1}
              width={right - left + 2}
              height={bottom - top + 2}
            />
          )),
        )}
        {text.words.map((word, at) => {
          const [left = 0, top = 0, right = 0, bottom = 0] = word.box;
          const height = Math.max(0.1, bottom - top);
          return (
            <text
              key={at}
              data-word={at}
              x={left}
              y={bottom - height * 0.22}
              font-size={height * 0.9}
              textLength={Math.max(0.1, right - left)}
              lengthAdjust="spacingAndGlyphs"
            >
              {word.text}
            </text>
          );
        })}
      </svg>
      <p class="visually-hidden" dir="auto">
        {lines.join('\n')}
      </p>
    </>
  );
}

function useText(objectId: string, page: number): PageText | undefined {
  const [text, setText] = useState<PageText | undefined>();
  useEffect(() => {
    setText(undefined);
    const gone = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const loaded = await loadText(objectId, page, gone.signal);
        if (!gone.signal.aborted) setText(loaded);
      } catch (error) {
        // The picture is shown anyway.
        if (!gone.signal.aborted && !(error instanceof ApiProblem)) throw error;
      }
    };
    const timer = window.setTimeout(() => void load(), restMs);
    return () => {
      window.clearTimeout(timer);
      gone.abort();
    };
  }, [objectId, page]);
  return text;
}

/** Returns the text of each line. */
function linesOf(text: PageText | undefined): string[] {
  return joined(text?.words ?? []);
}

function joined(words: PageText['words']): string[] {
  const lines: string[] = [];
  let line = -1;
  for (const word of words) {
    if (word.line === line) lines.push(`${lines.pop()} ${word.text}`);
    else lines.push(word.text);
    line = word.line;
  }
  return lines;
}

/** Copies the selected words line by line, because the browser treats them as separate. */
function copySelected(event: ClipboardEvent, text: PageText): void {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || !(event.currentTarget instanceof Element)) return;
  const words = [...event.currentTarget.querySelectorAll('[data-word]')].flatMap((drawn) => {
    const word = text.words[Number(drawn.getAttribute('data-word'))];
    return word && selection.containsNode(drawn, true) ? [word] : [];
  });
  if (words.length === 0) return;
  event.clipboardData?.setData('text/plain', joined(words).join('\n'));
  event.preventDefault();
}
