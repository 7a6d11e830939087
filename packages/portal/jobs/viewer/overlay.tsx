import { pluralise } from '@scriptorium/contracts/pluralise';
import type { FoundEntity, RecognisedWord } from '@scriptorium/contracts/wire/jobs';
import { useEffect, useRef } from 'preact/hooks';
import { entityTitle } from '../../kit/entity-titles.ts';

interface Size {
  width: number;
  height: number;
}

/** Words with a lower confidence are highlighted. */
const unsure = 0.7;

/** The words of a page in place: shown on hover, and selectable. */
export function Words(props: {
  words: readonly RecognisedWord[];
  size: Size;
  /** Draws the words as text, for pages without an image. */
  visible: boolean;
  onTell: (text: string | undefined) => void;
}) {
  const { words, size, visible, onTell } = props;
  return (
    <svg
      class={`page-words${visible ? ' visible' : ''}`}
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={pluralise(words.length, 'recognised word')}
      onMouseMove={(event) => {
        const word = words[placeOf(event)];
        onTell(word && `“${word.text}”, confidence ${Math.round(word.confidence * 100)}%`);
      }}
      onMouseLeave={() => onTell(undefined)}
    >
      {words.map(({ text, confidence, box: [left = 0, top = 0, right = 0, bottom = 0] }, at) => {
        const height = Math.max(0.1, bottom - top);
        const width = Math.max(0.1, right - left);
        return (
          <g key={at} data-at={at}>
            <rect
              class={confidence < unsure ? 'unsure' : ''}
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

/** The findings of a redaction, in place. */
export function Redactions(props: {
  entities: readonly FoundEntity[];
  size: Size;
  /** The index of the selected finding: it is highlighted and scrolled into view. */
  picked: number | null;
  onPick: (at: number | null) => void;
  onTell: (text: string | undefined) => void;
}) {
  const { entities, size, picked, onPick, onTell } = props;
  const drawing = useRef<SVGSVGElement>(null);
  useEffect(() => {
    if (picked === null) return;
    const box = drawing.current?.querySelector(`[data-at="${picked}"]`);
    box?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [picked]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list of findings beside the page picks them by keyboard
    <svg
      ref={drawing}
      class="page-redactions"
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={pluralise(entities.length, 'redaction')}
      onMouseMove={(event) => {
        const entity = entities[placeOf(event)];
        onTell(entity && describeEntity(entity));
      }}
      onMouseLeave={() => onTell(undefined)}
      onClick={(event) => {
        const at = placeOf(event);
        if (at >= 0) onPick(at === picked ? null : at);
      }}
    >
      {entities.map((entity, at) =>
        entity.boxes.map(([left = 0, top = 0, right = 0, bottom = 0], part) => (
          <rect
            key={`${at} ${part}`}
            class={at === picked ? 'picked' : undefined}
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
function placeOf({ target }: Event): number {
  const drawn = target instanceof Element ? target.closest('[data-at]') : null;
  return Number(drawn?.getAttribute('data-at') ?? -1);
}

/** Returns a finding as text, with its value if the key can read it. */
export function describeEntity({ type, score, value }: FoundEntity): string {
  const finding = `${entityTitle(type)}, confidence ${Math.round(score * 100)}%`;
  return value === undefined ? finding : `${finding}: ${value}`;
}
