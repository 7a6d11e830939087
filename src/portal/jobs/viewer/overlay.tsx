import type { FoundEntity, RecognisedWord } from '../../../contracts/wire/jobs.ts';

interface Size {
  width: number;
  height: number;
}

/** What recognition is less sure of than this is drawn in another colour. */
const unsure = 0.7;

/** The words of a page where they stand: seen on hover, to be selected and copied. */
export function Words(props: {
  words: readonly RecognisedWord[];
  size: Size;
  /** Drawn as text, where there is no picture of the page. */
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
      aria-label={`${words.length} recognised words`}
      onMouseMove={(event) => {
        const word = words[placeOf(event)];
        onTell(word && `“${word.text}”, ${Math.round(word.confidence * 100)} % sure`);
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

/** What a redaction found, where it stands. */
export function Redactions(props: {
  entities: readonly FoundEntity[];
  size: Size;
  onTell: (text: string | undefined) => void;
}) {
  const { entities, size, onTell } = props;
  return (
    <svg
      class="page-redactions"
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${entities.length} places that were redacted`}
      onMouseMove={(event) => {
        const entity = entities[placeOf(event)];
        onTell(entity && saidOf(entity));
      }}
      onMouseLeave={() => onTell(undefined)}
    >
      {entities.map((entity, at) =>
        entity.boxes.map(([left = 0, top = 0, right = 0, bottom = 0], part) => (
          <rect
            key={`${at} ${part}`}
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

/** Which of the things drawn an event is about; -1 for none. */
function placeOf({ target }: Event): number {
  const drawn = target instanceof Element ? target.closest('[data-at]') : null;
  return Number(drawn?.getAttribute('data-at') ?? -1);
}

/** A finding in words; its value only where the key may read it. */
export function saidOf({ type, score, value }: FoundEntity): string {
  const sure = `${type}, ${Math.round(score * 100)} % sure`;
  return value === undefined ? sure : `${sure}: ${value}`;
}
