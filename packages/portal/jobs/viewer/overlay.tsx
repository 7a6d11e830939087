import { pluralise } from '@scriptorium/contracts/pluralise';
import type { FoundEntity, RecognisedWord } from '@scriptorium/contracts/wire/jobs';
import { useEffect, useRef } from 'preact/hooks';
import { entityTitle } from '../../kit/entity-titles.ts';

interface Size {
  width: number;
  height: number;
}

/** Words with a lower confidence are highlighted. */
const lowConfidence = 0.7;

/** The words of a page at their positions: shown on hover, and selectable. */
export function WordLayer(props: {
  words: readonly RecognisedWord[];
  size: Size;
  /** Draws the words as text, for pages without an image. */
  isVisible: boolean;
  onHover: (text: string | undefined) => void;
}) {
  const { words, size, isVisible, onHover } = props;
  return (
    <svg
      class={`page-words${isVisible ? ' visible' : ''}`}
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={pluralise(words.length, 'recognised word')}
      onMouseMove={(event) => {
        const word = words[targetIndex(event)];
        onHover(word && `“${word.text}”, confidence ${Math.round(word.confidence * 100)}%`);
      }}
      onMouseLeave={() => onHover(undefined)}
    >
      {words.map(({ text, confidence, box: [left = 0, top = 0, right = 0, bottom = 0] }, at) => {
        const height = Math.max(0.1, bottom - top);
        const width = Math.max(0.1, right - left);
        return (
          <g key={at} data-at={at}>
            <rect
              class={confidence < lowConfidence ? 'unsure' : ''}
              x={left}
              y={top}
              width={width}
              height={height}
            />
            <text
              x={left}
              y={bottom - height * 0.22}
              font-size={height * 0.9}
              textLength={width}
              lengthAdjust="spacingAndGlyphs"
            >
              {text}{' '}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The findings of a redaction, at their positions. */
export function RedactionLayer(props: {
  entities: readonly FoundEntity[];
  size: Size;
  /** The index of the selected finding: it is highlighted and scrolled into view. */
  selectedIndex: number | null;
  onSelect: (at: number | null) => void;
  onHover: (text: string | undefined) => void;
}) {
  const { entities, size, selectedIndex, onSelect, onHover } = props;
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => {
    if (selectedIndex === null) return;
    const box = svg.current?.querySelector(`[data-at="${selectedIndex}"]`);
    box?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selectedIndex]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list of findings beside the page picks them by keyboard
    <svg
      ref={svg}
      class="page-redactions"
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={pluralise(entities.length, 'redaction')}
      onMouseMove={(event) => {
        const entity = entities[targetIndex(event)];
        onHover(entity && describeEntity(entity));
      }}
      onMouseLeave={() => onHover(undefined)}
      onClick={(event) => {
        const at = targetIndex(event);
        if (at >= 0) onSelect(at === selectedIndex ? null : at);
      }}
    >
      {entities.map((entity, at) =>
        entity.boxes.map(([left = 0, top = 0, right = 0, bottom = 0], part) => (
          <rect
            key={`${at} ${part}`}
            class={at === selectedIndex ? 'picked' : undefined}
            x={left}
            y={top}
            width={Math.max(0.1, right - left)}
            height={Math.max(0.1, bottom - top)}
            data-at={at}
          />
        )),
      )}
    </svg>
  );
}

/** Returns the index of the drawn item that an event targets; -1 for none. */
function targetIndex({ target }: Event): number {
  const element = target instanceof Element ? target.closest('[data-at]') : null;
  return Number(element?.getAttribute('data-at') ?? -1);
}

/** Returns a finding as text, with its value if the key can read it. */
export function describeEntity({ type, score, value }: FoundEntity): string {
  const finding = `${entityTitle(type)}, confidence ${Math.round(score * 100)}%`;
  return value === undefined ? finding : `${finding}: ${value}`;
}
