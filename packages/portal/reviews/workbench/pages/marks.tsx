import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { describeFinding, standingOf } from '../../words.ts';

type Box = readonly number[];

/** The findings on a page: the boxes that will be painted, with the words inside. */
export function Marks(props: {
  page: number;
  findings: readonly FindingRecord[];
  size: { width: number; height: number };
  current: string | undefined;
  hovered: string | undefined;
  /** The scale of the page: pixels per point. */
  scale: number;
}) {
  const { page, findings, size, current, hovered, scale } = props;
  return (
    <svg
      class="bench-marks"
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Findings on page ${page}: ${findings.length}`}
    >
      {findings.map((finding) => {
        const removal = finding.removal ?? [];
        // At least 14 pixels high for touch, and never too narrow to be visible.
        const reach = 2 / scale;
        return (
          <g
            key={finding.id}
            data-finding={finding.id}
            class={[
              'bench-mark',
              standingOf(finding),
              finding.id === current ? 'current' : '',
              finding.id === hovered ? 'hovered' : '',
            ].join(' ')}
          >
            <title>{describeFinding(finding)}</title>
            {/* A single layer, so that overlapping boxes are not darker. */}
            <g class="bench-fill">
              {removal.map((box, at) => (
                <rect key={at} {...rect(box, 0)} />
              ))}
            </g>
            {removal.map((box, at) => (
              <rect key={`r${at}`} class="bench-removal" {...rect(box, 0)} />
            ))}
            {finding.boxes.map((box, at) => (
              <rect key={`w${at}`} class="bench-words" {...rect(box, 0)} />
            ))}
            {(removal.length > 0 ? removal : finding.boxes).map((box, at) => (
              <rect key={`o${at}`} class="bench-outline" {...rect(box, reach)} />
            ))}
          </g>
        );
      })}
    </svg>
  );
}

function rect([left = 0, top = 0, right = 0, bottom = 0]: Box, around: number) {
  return {
    x: left - around,
    y: top - around,
    width: Math.max(0.5, right - left) + 2 * around,
    height: Math.max(0.5, bottom - top) + 2 * around,
  };
}

/** Minimum difference in width for a box to be described as wider than the words, in points. */
const noticeable = 3;

/** Whether the painted box is wider than the words, so that it does not reveal their length. */
export function isWidened({ boxes, removal }: FindingRecord): boolean {
  const right = (box: Box): number => box[2] ?? 0;
  const left = (box: Box): number => box[0] ?? 0;
  return (removal ?? []).some((painted) => {
    const inside = boxes.filter(
      (box) => left(box) >= left(painted) - 1 && right(box) <= right(painted) + 1,
    );
    if (inside.length === 0) return false;
    const start = Math.min(...inside.map(left));
    const end = Math.max(...inside.map(right));
    return start - left(painted) > noticeable || right(painted) - end > noticeable;
  });
}
