import type { PageText } from '@scriptorium/contracts/wire/library/page-text';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiProblem } from '../../api/request.ts';
import type { TextMatch } from './find/matches.ts';
import { loadText } from './find/page-texts.ts';
import './text-layer.css';

/** Time that a page must be shown before its text is requested, in milliseconds. */
const requestDelayMs = 150;

/**
 * The words of a page over its picture: invisible, for selecting and copying, with the matches of a
 * search.
 */
export function TextLayer(props: {
  objectId: string;
  page: number;
  matches: readonly TextMatch[];
  current: TextMatch | undefined;
}) {
  const { objectId, page, current } = props;
  const text = usePageText(objectId, page);
  const layer = useRef<SVGSVGElement>(null);
  const pageMatches = props.matches.filter((hit) => hit.page === page);
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
        {pageMatches.map((hit, at) =>
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

function usePageText(objectId: string, page: number): PageText | undefined {
  const [text, setText] = useState<PageText | undefined>();
  useEffect(() => {
    setText(undefined);
    const controller = new AbortController();
    const load = async (): Promise<void> => {
      try {
        const loaded = await loadText(objectId, page, controller.signal);
        if (!controller.signal.aborted) setText(loaded);
      } catch (error) {
        // The picture is shown even without its text.
        if (!controller.signal.aborted && !(error instanceof ApiProblem)) throw error;
      }
    };
    const timer = window.setTimeout(() => void load(), requestDelayMs);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [objectId, page]);
  return text;
}

/** Returns the text of each line. */
function linesOf(text: PageText | undefined): string[] {
  return joinLines(text?.words ?? []);
}

function joinLines(words: PageText['words']): string[] {
  const lines: string[] = [];
  let line = -1;
  for (const word of words) {
    if (word.line === line) lines.push(`${lines.pop()} ${word.text}`);
    else lines.push(word.text);
    line = word.line;
  }
  return lines;
}

/** Copies the selected words line by line. The browser would copy them as separate texts. */
function copySelected(event: ClipboardEvent, text: PageText): void {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || !(event.currentTarget instanceof Element)) return;
  const words = [...event.currentTarget.querySelectorAll('[data-word]')].flatMap((element) => {
    const word = text.words[Number(element.getAttribute('data-word'))];
    return word && selection.containsNode(element, true) ? [word] : [];
  });
  if (words.length === 0) return;
  event.clipboardData?.setData('text/plain', joinLines(words).join('\n'));
  event.preventDefault();
}
