import type { FindingRecord, ReviewTextRecord } from '@scriptorium/contracts/wire/reviews';
import { describeFinding, outcomeOf } from '../../finding-text.ts';
import { overlappingFindings, segmentsOf, splitSpan, type TextSpan } from './segments.ts';

interface HighlightState {
  /** Whether findings are covered. */
  isPreview: boolean;
  current: string | undefined;
  hovered: string | undefined;
  /** The words that are selected by keyboard. */
  selectedWords: { start: number; end: number } | undefined;
}

/** The lines of a piece of text, with its findings as marks. */
export function Lines(props: {
  piece: ReviewTextRecord;
  findings: readonly FindingRecord[];
  highlights: HighlightState;
}) {
  const { piece, findings, highlights } = props;
  const lines = splitSpan(piece, '\n');
  // A piece ends with a line break, unless it is part of a very long line.
  const visibleLines = lines.at(-1)?.text === '' ? lines.slice(0, -1) : lines;
  const pieceFindings = overlappingFindings(findings, piece.start, piece.start + piece.text.length);
  return (
    <>
      {visibleLines.map((line, at) => {
        const lineFindings = overlappingFindings(
          pieceFindings,
          line.start,
          line.start + line.text.length,
        );
        return (
          <div key={line.start} class={`text-line ${piece.layout}`}>
            {piece.layout !== 'sheet' && (
              <span class="text-number" data-line={piece.line + at} aria-hidden="true" />
            )}
            {piece.layout === 'lines' ? (
              <div dir="auto">
                <Segments line={line} findings={lineFindings} highlights={highlights} />
              </div>
            ) : (
              splitSpan(line, '\t').map((cell, column) => (
                <span
                  key={cell.start}
                  dir="auto"
                  class={piece.layout === 'sheet' && column === 0 ? 'text-row' : 'text-cell'}
                >
                  <Segments line={cell} findings={lineFindings} highlights={highlights} />
                </span>
              ))
            )}
          </div>
        );
      })}
    </>
  );
}

function Segments(props: {
  line: TextSpan;
  findings: readonly FindingRecord[];
  highlights: HighlightState;
}) {
  const { current, hovered, isPreview } = props.highlights;
  return (
    <>
      {segmentsOf(props.line, props.findings, props.highlights).map(
        ({ start, text, finding, isSelected }) => {
          const selectedClass = isSelected ? ' chosen' : '';
          if (!finding) {
            return (
              <span key={start} data-start={start} class={`text-plain${selectedClass}`}>
                {text}
              </span>
            );
          }
          const currentClass = finding.id === current ? ' current' : '';
          const hoveredClass = finding.id === hovered ? ' hovered' : '';
          return (
            <mark
              key={start}
              data-start={start}
              data-finding={finding.id}
              class={`text-mark ${outcomeOf(finding)}${currentClass}${hoveredClass}${selectedClass}`}
              title={describeFinding(finding)}
            >
              {isPreview ? '█'.repeat(text.length) : text}
            </mark>
          );
        },
      )}
    </>
  );
}
