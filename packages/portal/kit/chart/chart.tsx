import { useState } from 'preact/hooks';
import { ticksUpTo } from './ticks.ts';
import './chart.css';

/** A series of values, drawn as segments of bars or as a line. */
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
 * Stacked bars or lines over time, between axes with numbers and times. Pointing at a point, or moving to it with the arrow keys, shows
 * its values; a table contains all of them for screen readers.
 */
export function Chart({ title, labels, bars = [], lines = [], format }: ChartProps) {
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const ticks = ticksUpTo(maxValueOf(bars, lines, labels.length));
  const maxValue = ticks.at(-1)!;
  const step = width / Math.max(1, labels.length);
  const allSeries = [...bars, ...lines];
  const move = (offset: number) =>
    setActiveIndex((now) =>
      Math.min(labels.length - 1, Math.max(0, (now ?? labels.length) + offset)),
    );
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      {/* The table below has all values. */}
      <div class="chart-values-axis" aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{format(tick)}</span>
        ))}
      </div>
      <svg
        style={{ '--chart-steps': ticks.length - 1 }}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        tabindex={0}
        role="img"
        aria-label={title}
        onPointerMove={(event) => {
          const { left, width: renderedWidth } = event.currentTarget.getBoundingClientRect();
          const fraction = (event.clientX - left) / renderedWidth;
          setActiveIndex(
            Math.min(labels.length - 1, Math.max(0, Math.floor(fraction * labels.length))),
          );
        }}
        onPointerLeave={() => setActiveIndex(null)}
        onBlur={() => setActiveIndex(null)}
        onKeyDown={(event) => {
          const offset = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
          if (offset === 0) return;
          event.preventDefault();
          move(offset);
        }}
      >
        {activeIndex !== null && (
          <rect class="chart-at" x={activeIndex * step} y={0} width={step} height={height} />
        )}
        {labels.map((label, index) => (
          <Bar key={label} series={bars} at={index} step={step} scale={height / maxValue} />
        ))}
        {lines.map((line) => (
          <path
            key={line.name}
            class={`chart-line chart-${line.tone}`}
            d={pathOf(line, step, maxValue)}
          />
        ))}
      </svg>
      <div class="chart-times-axis" aria-hidden="true">
        {[0, Math.floor((labels.length - 1) / 2), labels.length - 1].map((index) => (
          <span key={index}>{labels[index]}</span>
        ))}
      </div>
      <div class="chart-foot">
        <span>{activeIndex !== null && labels[activeIndex]}</span>
        <output class="chart-values">
          {allSeries.map((one) => (
            <span key={one.name}>
              <i class={`chart-key chart-${one.tone}`} /> {one.name}
              {activeIndex !== null && `: ${formatValue(one.values[activeIndex], format)}`}
            </span>
          ))}
        </output>
      </div>
      <table class="visually-hidden">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {allSeries.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, index) =>
            // Points without a value are left out, because they would only make the table longer.
            allSeries.some(({ values }) => values[index]) ? (
              <tr key={label}>
                <th scope="row">{label}</th>
                {allSeries.map(({ name, values }) => (
                  <td key={name}>{formatValue(values[index], format)}</td>
                ))}
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
    </figure>
  );
}

function Bar(props: { series: readonly ChartSeries[]; at: number; step: number; scale: number }) {
  const { series, at, step, scale } = props;
  let y = height;
  return (
    <>
      {series.map(({ name, tone, values }) => {
        const barHeight = (values[at] ?? 0) * scale;
        y -= barHeight;
        return barHeight === 0 ? null : (
          <rect
            key={name}
            class={`chart-bar chart-${tone}`}
            x={at * step + step * 0.1}
            y={y}
            width={step * 0.8}
            height={barHeight}
          />
        );
      })}
    </>
  );
}

/** Returns a line through the points that have a value; a single point is a short dash. */
function pathOf({ values }: ChartSeries, step: number, maxValue: number): string {
  let isDrawing = false;
  return values
    .map((value, at) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const y = (height - (value / maxValue) * (height - 2)).toFixed(1);
      const [from, to] = [at * step, (at + 1) * step].map((x) => x.toFixed(1));
      const segmentStart = isDrawing ? `L${from} ${y}` : `M${from} ${y}`;
      isDrawing = true;
      return `${segmentStart}L${to} ${y}`;
    })
    .join('');
}

function maxValueOf(
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

const formatValue = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? 'none' : format(value);
