import type { FindingRecord, ReviewTextRecord } from '@scriptorium/contracts/wire/reviews';
import { describeFinding, standingOf } from '../../words.ts';
import { partsOf, type Stretch, segmentsOf, touching } from './segments.ts';

interface Shown {
  current: string | undefined;
  hovered: string | undefined;
  /** The words that are selected by keyboard. */
  chosen: { start: number; end: number } | undefined;
}

/** A piece of text, with its lines one below the other and its findings as marks. */
export function Lines(props: {
  piece: ReviewTextRecord;
  findings: readonly FindingRecord[];
  shown: Shown;
}) {
  const { piece, findings, shown } = props;
  const lines = partsOf(piece, '\n');
  // A piece ends with a line end, unless it is part of a very long line.
  const own = lines.at(-1)?.text === '' ? lines.slice(0, -1) : lines;
  const here = touching(findings, piece.start, piece.start + piece.text.length);
  return (
    <>
      {own.map((line, at) => {
        const on = touching(here, line.start, line.start + line.text.length);
        return (
          <div key={line.start} class={`text-line ${piece.layout}`}>
            {piece.layout !== 'sheet' && (
              <span class="text-number" data-line={piece.line + at} aria-hidden="true" />
            )}
            {piece.layout === 'lines' ? (
              <div dir="auto">
                <Stretches line={line} findings={on} shown={shown} />
              </div>
            ) : (
              partsOf(line, '\t').map((cell, column) => (
                <span
                  key={cell.start}
                  dir="auto"
                  class={piece.layout === 'sheet' && column === 0 ? 'text-row' : 'text-cell'}
                >
                  <Stretches line={cell} findings={on} shown={shown} />
                </span>
              ))
            )}
          </div>
        );
      })}
    </>
  );
}

function Stretches(props: { line: Stretch; findings: readonly FindingRecord[]; shown: Shown }) {
  const { current, hovered } = props.shown;
  return (
    <>
      {segmentsOf(props.line, props.findings, props.shown).map(
        ({ start, text, finding, isChosen }) => {
          const chosen = isChosen ? ' chosen' : '';
          if (!finding) {
            return (
              <span key={start} data-start={start} class={`text-plain${chosen}`}>
                {text}
              </span>
            );
          }
          const now = finding.id === current ? ' current' : '';
          const over = finding.id === hovered ? ' hovered' : '';
          return (
            <mark
              key={start}
              data-start={start}
              data-finding={finding.id}
              class={`text-mark ${standingOf(finding)}${now}${over}${chosen}`}
              title={describeFinding(finding)}
            >
              {text}
            </mark>
          );
        },
      )}
    </>
  );
}
