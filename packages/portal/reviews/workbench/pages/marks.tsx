import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { describeFinding, outcomeOf } from '../../finding-text.ts';

type Box = readonly number[];

/** The findings on a page: the boxes that will be painted over, and the words inside them. */
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
        const padding = 2 / scale;
        return (
          <g
            key={finding.id}
            data-finding={finding.id}
            class={[
              'bench-mark',
              outcomeOf(finding),
              finding.id === current ? 'current' : '',
              finding.id === hovered ? 'hovered' : '',
            ].join(' ')}
          >
            <title>{describeFinding(finding)}</title>
            {/* A single layer, so that overlapping boxes are not darker. */}
            <g class="bench-fill">
              {removal.map((box, at) => (
                <rect key={at} {...rectProps(box, 0)} />
              ))}
            </g>
            {removal.map((box, at) => (
              <rect key={`r${at}`} class="bench-removal" {...rectProps(box, 0)} />
            ))}
            {finding.boxes.map((box, at) => (
              <rect key={`w${at}`} class="bench-words" {...rectProps(box, 0)} />
            ))}
            {(removal.length > 0 ? removal : finding.boxes).map((box, at) => (
              <rect key={`o${at}`} class="bench-outline" {...rectProps(box, padding)} />
            ))}
          </g>
        );
      })}
    </svg>
  );
}

function rectProps([left = 0, top = 0, right = 0, bottom = 0]: Box, padding: number) {
  return {
    x: left - padding,
    y: top - padding,
    width: Math.max(0.5, right - left) + 2 * padding,
    height: Math.max(0.5, bottom - top) + 2 * padding,
  };
}

/** Minimum difference in width for a box to be described as wider than the words, in points. */
const minWidening = 3;

/** Whether the painted box is wider than the words, so that it does not reveal their length. */
export function isWidened({ boxes, removal }: FindingRecord): boolean {
  const rightOf = (box: Box): number => box[2] ?? 0;
  const leftOf = (box: Box): number => box[0] ?? 0;
  return (removal ?? []).some((painted) => {
    const wordBoxes = boxes.filter(
      (box) => leftOf(box) >= leftOf(painted) - 1 && rightOf(box) <= rightOf(painted) + 1,
    );
    if (wordBoxes.length === 0) return false;
    const start = Math.min(...wordBoxes.map(leftOf));
    const end = Math.max(...wordBoxes.map(rightOf));
    return start - leftOf(painted) > minWidening || rightOf(painted) - end > minWidening;
  });
}
