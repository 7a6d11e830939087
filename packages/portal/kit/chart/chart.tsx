import { useState } from 'preact/hooks';
import './chart.css';

/** Whether points are drawn as segments of bars or on a line. */
interface ChartSeries {
  name: string;
  tone: 'good' | 'bad' | 'warn' | 'accent';
  /** One value for each label; null is not drawn. */
  values: readonly (number | null)[];
}

interface ChartProps {
  /** The name of the chart, also for screen readers. */
  title: string;
  /** The labels of the points, such as times. */
  labels: readonly string[];
  /** Drawn as one bar for each point, with the first series at the bottom. */
  bars?: readonly ChartSeries[];
  /** Drawn as lines. */
  lines?: readonly ChartSeries[];
  /** Formats a value with its unit. */
  format: (value: number) => string;
}

const width = 600;
const height = 120;

/**
 * Stacked bars or lines over time. Pointing at a point, or moving to it with the arrow keys, shows
 * its values; a table contains all of them for screen readers.
 */
export function Chart({ title, labels, bars = [], lines = [], format }: ChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const top = highest(bars, lines, labels.length);
  const step = width / Math.max(1, labels.length);
  const all = [...bars, ...lines];
  const move = (by: number) =>
    setAt((now) => Math.min(labels.length - 1, Math.max(0, (now ?? labels.length) + by)));
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        tabindex={0}
        role="img"
        aria-label={title}
        onPointerMove={(event) => {
          const { left, width: wide } = event.currentTarget.getBoundingClientRect();
          const part = (event.clientX - left) / wide;
          setAt(Math.min(labels.length - 1, Math.max(0, Math.floor(part * labels.length))));
        }}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        onKeyDown={(event) => {
          const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
          if (by === 0) return;
          event.preventDefault();
          move(by);
        }}
      >
        {at !== null && <rect class="chart-at" x={at * step} y={0} width={step} height={height} />}
        {labels.map((label, place) => (
          <Bar key={label} of={bars} at={place} step={step} scale={height / top} />
        ))}
        {lines.map((line) => (
          <path
            key={line.name}
            class={`chart-line chart-${line.tone}`}
            d={pathOf(line, step, top)}
          />
        ))}
      </svg>
      <div class="chart-foot">
        <span>{at === null ? labels[0] : labels[at]}</span>
        <output class="chart-values">
          {all.map((one) => (
            <span key={one.name}>
              <i class={`chart-key chart-${one.tone}`} /> {one.name}
              {at !== null && `: ${shown(one.values[at], format)}`}
            </span>
          ))}
        </output>
        <span>{at === null ? `up to ${format(top)}` : ''}</span>
      </div>
      <table class="visually-hidden">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {all.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, place) =>
            // Points without a value would only make the table longer.
            all.some(({ values }) => values[place]) ? (
              <tr key={label}>
                <th scope="row">{label}</th>
                {all.map(({ name, values }) => (
                  <td key={name}>{shown(values[place], format)}</td>
                ))}
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
    </figure>
  );
}

function Bar(props: { of: readonly ChartSeries[]; at: number; step: number; scale: number }) {
  const { of, at, step, scale } = props;
  let y = height;
  return (
    <>
      {of.map(({ name, tone, values }) => {
        const tall = (values[at] ?? 0) * scale;
        y -= tall;
        return tall === 0 ? null : (
          <rect
            key={name}
            class={`chart-bar chart-${tone}`}
            x={at * step + step * 0.1}
            y={y}
            width={step * 0.8}
            height={tall}
          />
        );
      })}
    </>
  );
}

/** Returns a line through the points that have a value; a single point is a short dash. */
function pathOf({ values }: ChartSeries, step: number, top: number): string {
  let drawing = false;
  return values
    .map((value, at) => {
      if (value === null) {
        drawing = false;
        return '';
      }
      const y = (height - (value / top) * (height - 2)).toFixed(1);
      const [from, to] = [at * step, (at + 1) * step].map((x) => x.toFixed(1));
      const begun = drawing ? `L${from} ${y}` : `M${from} ${y}`;
      drawing = true;
      return `${begun}L${to} ${y}`;
    })
    .join('');
}

function highest(
  bars: readonly ChartSeries[],
  lines: readonly ChartSeries[],
  points: number,
): number {
  const stacks = Array.from({ length: points }, (_, at) =>
    bars.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  const values = lines.flatMap((line) => line.values.map((value) => value ?? 0));
  return Math.max(1, ...stacks, ...values);
}

const shown = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? 'none' : format(value);
