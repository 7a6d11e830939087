import type { Random } from '../pii/random.ts';

type Point = readonly [x: number, y: number];

/** A drawing as the content of an SVG of 150 dpi, with the boxes of the print in it. */
export interface Drawing {
  width: number;
  height: number;
  svg: string;
  print: [number, number, number, number][];
}

const between = (random: Random, min: number, max: number): number =>
  min + (max - min) * random.next();

const around = (random: Random, spread: number): number => between(random, -spread, spread);

/** A smooth path through points. */
function smooth(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.min(points.length - 1, Math.max(0, index))]!;
  let path = `M${at(0)[0].toFixed(1)} ${at(0)[1].toFixed(1)}`;
  for (let index = 0; index + 1 < points.length; index += 1) {
    const [a, b, c, d] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const curve = [
      b[0] + (c[0] - a[0]) / 6,
      b[1] + (c[1] - a[1]) / 6,
      c[0] - (d[0] - b[0]) / 6,
      c[1] - (d[1] - b[1]) / 6,
      ...c,
    ];
    path += `C${curve.map((value) => value.toFixed(1)).join(' ')}`;
  }
  return path;
}

/** The line of a pen. With pressure, its width changes along the line. */
function pen(random: Random, points: readonly Point[], width: number, colour: string): string {
  const style = `fill="none" stroke="${colour}" stroke-linecap="round" stroke-linejoin="round"`;
  if (random.chance(0.6)) return `<path d="${smooth(points)}" ${style} stroke-width="${width}"/>`;
  const phase = random.next() * 6;
  return points
    .slice(0, -1)
    .map((_, index) => {
      const part = points.slice(Math.max(0, index - 1), index + 3);
      const pressed = width * (1 + 0.45 * Math.sin(phase + index * 1.3));
      return `<path d="${smooth(part)}" ${style} stroke-width="${pressed.toFixed(2)}"/>`;
    })
    .join('');
}

/** The strokes of one signature around its baseline, in heights of a small letter, with y down. */
type Style = (random: Random) => Point[][];

const slanted = (strokes: readonly Point[][], slant: number): Point[][] =>
  strokes.map((points) => points.map(([x, y]): Point => [x - y * slant, y]));

const capital: Style = (random) => {
  const high = between(random, 2, 4);
  const wide = between(random, 0.8, 2.4);
  const count = random.int(4, 8);
  return [
    Array.from(
      { length: count },
      (_, at): Point => [
        (at / count) * wide + around(random, 0.8),
        at % 2 === 0 ? around(random, 0.4) : -high + around(random, 0.8),
      ],
    ),
  ];
};

/** A capital and waves that flatten out. */
const waves: Style = (random) => {
  const first = capital(random)[0]!;
  const count = random.int(5, 22);
  const step = between(random, 0.25, 0.7);
  const fall = between(random, 0.1, 0.9);
  const points = Array.from({ length: count }, (_, at): Point => {
    const high = random.chance(0.2) ? between(random, 1.4, 2.8) : between(random, 0.5, 1.2);
    const low = random.chance(0.1) ? between(random, 0.5, 1.8) : around(random, 0.15);
    const flat = 1 - (fall * at) / count;
    return [2 + at * step + around(random, 0.15), at % 2 === 0 ? low * flat : -high * flat];
  });
  return random.chance(0.5) ? [[...first, ...points]] : [first, points];
};

/** Loops of one line, as in initials and paraphs. */
const loops: Style = (random) => {
  const count = random.int(2, 9);
  const radius = between(random, 0.7, 2);
  const step = between(random, 0.3, 1.6);
  const points: Point[] = [];
  const shrink = between(random, 0, 0.6);
  const turns = random.chance(0.5) ? 1 : -1;
  for (let at = 0; at < count * 8; at += 1) {
    const angle = (turns * at * Math.PI) / 4;
    const size = radius * (1 - (shrink * at) / (count * 8)) * between(random, 0.85, 1.15);
    points.push([(at / 8) * step * 1.6 + size * Math.sin(angle), -1 + size * Math.cos(angle)]);
  }
  return [points];
};

/** Two or three letters of a few strokes. */
const initials: Style = (random) =>
  Array.from({ length: random.int(2, 4) }, (_, at) =>
    capital(random)[0]!.map(([x, y]): Point => [x + at * between(random, 1.2, 2), y]),
  );

/** Words of separate small letters: arches, bowls and stems. */
const letters: Style = (random) => {
  const strokes: Point[][] = [capital(random)[0]!];
  let x = 2.4;
  const isJoined = random.chance(0.5);
  for (let at = random.int(3, 12); at > 0; at -= 1) {
    const wide = between(random, 0.6, 1.1);
    const forms: Point[][] = [
      [
        [0, -1],
        [0, 0],
        [0.2, -0.7],
        [wide, -1],
        [wide, 0],
      ],
      [
        [wide, -0.9],
        [0.2, -1],
        [0, -0.3],
        [0.5, 0],
        [wide, -0.5],
      ],
      [
        [0, 0],
        [0.3, -2],
        [0.5, -1.8],
        [0.2, 0],
        [wide, -0.1],
      ],
      [
        [0, -1],
        [0.2, 0],
        [wide, -1],
        [wide, 1],
        [0.2, 1.2],
      ],
      [
        [0.1, -0.5],
        [wide, -0.6],
        [0.5, -1],
        [0, -0.4],
        [0.5, 0],
        [wide, -0.2],
      ],
    ];
    const form = random
      .pick(forms)
      .map(([px, py]): Point => [x + px + around(random, 0.12), py + around(random, 0.12)]);
    const last = strokes.at(-1);
    if (isJoined && last) last.push(...form);
    else strokes.push(form);
    x += wide + between(random, 0.1, 0.4);
    if (random.chance(0.1)) x += 1;
  }
  return strokes;
};

const styles: Readonly<Record<string, Style>> = { waves, loops, initials, letters };
export const styleNames: readonly string[] = Object.keys(styles);

/** A signature in one of the styles, on paper that may have a rule and print. */
export function drawSignature(random: Random, name: string): Drawing {
  const drawn = slanted(styles[name]!(random), between(random, -0.1, 0.6));
  if (random.chance(0.35)) {
    const end = Math.max(...drawn.flat().map(([x]) => x));
    const y = between(random, 0, 1.4);
    drawn.push([
      [end, 0],
      [end * 0.3, y],
      [-0.5, y + around(random, 0.3)],
      [end * 1.1, y - 0.3],
    ]);
  }
  const size = between(random, 9, 30);
  const [xs, ys] = [drawn.flat().map(([x]) => x), drawn.flat().map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const scale = Math.min(size, 640 / (Math.max(...xs) - left), 230 / (Math.max(...ys) - top));
  const margin = 30;
  const toPixels = ([x, y]: Point): Point => [
    (x - left) * scale + margin,
    (y - top) * scale + margin,
  ];
  const width = Math.ceil((Math.max(...xs) - left) * scale) + 2 * margin;
  const height = Math.ceil((Math.max(...ys) - top) * scale) + 2 * margin;
  const colour = random.pick(['#111111', '#1a2a6c', '#203a9a', '#333366', '#555555', '#701c1c']);
  const line = between(random, 1.4, 4.6);
  const parts = drawn.map((points) => pen(random, points.map(toPixels), line, colour));
  const base = toPixels([0, 0])[1];
  const print: Drawing['print'] = [];
  if (random.chance(0.4))
    parts.push(
      `<path d="M0 ${base} H${width}" stroke="black" stroke-width="${random.int(1, 3)}"/>`,
    );
  if (random.chance(0.3)) {
    const y = base + between(random, -20, 34);
    parts.push(
      `<text x="10" y="${y}" font-size="23" font-family="Liberation Serif">${words(random, 2)}</text>`,
    );
    print.push([8, y - 20, width, y + 6]);
  }
  return { width, height, svg: parts.join(''), print };
}

const syllables = 'ka ren to mi sol ver and est lin gor pas tel ou rie nth war qui bo'.split(' ');
const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () =>
    Array.from({ length: random.int(1, 4) }, () => random.pick(syllables)).join(''),
  ).join(' ');

/** A drawing without writing by hand: print, charts, maps, shapes, patterns. */
export function drawOther(random: Random): Drawing {
  const [width, height] = [random.int(120, 640), random.int(80, 260)];
  const x = (): number => between(random, 10, width - 10);
  const y = (): number => between(random, 10, height - 10);
  const line = between(random, 0.8, 4);
  const tone = random.pick(['#000', '#333', '#666', '#1a4fa0', '#a03030']);
  const stroke = `fill="none" stroke="${tone}" stroke-width="${line.toFixed(1)}"`;
  const times = (min: number, max: number, make: (at: number) => string): string =>
    Array.from({ length: random.int(min, max) }, (_, at) => make(at)).join('');
  const fonts = [
    'Liberation Sans',
    'Liberation Serif',
    'DejaVu Sans',
    'DejaVu Serif',
    'Liberation Mono',
  ];
  const kinds: (() => string)[] = [
    () =>
      times(1, 4, (at) => {
        const size = random.int(12, 60);
        const turn = random.chance(0.3) ? around(random, 60) : 0;
        const style = random.pick(['normal', 'italic']);
        return `<text x="15" y="${size + at * size * 1.3}" font-size="${size}" font-style="${style}" font-weight="${random.pick([400, 700])}" font-family="${random.pick(fonts)}" fill="${tone}" transform="rotate(${turn})">${words(random, random.int(1, 4))}</text>`;
      }),
    () =>
      times(1, 4, () => {
        const count = random.int(5, 24);
        const points = Array.from(
          { length: count },
          (_, at) => `${10 + (at * (width - 20)) / count},${y()}`,
        );
        return `<polyline points="${points.join(' ')}" ${stroke}/>`;
      }),
    () =>
      times(1, 3, () => {
        let level = y();
        const count = random.int(6, 30);
        const points = Array.from({ length: count }, (_, at): Point => {
          level = Math.min(height - 10, Math.max(10, level + around(random, height / 5)));
          return [10 + (at * (width - 20)) / count, level];
        });
        return `<path d="${smooth(points)}" ${stroke}/>`;
      }),
    () =>
      times(1, 5, () => {
        // A coast or contour: a closed line of random radius.
        const [cx, cy, radius] = [x(), y(), between(random, 15, height / 2)];
        const count = random.int(10, 50);
        const rough = between(random, 0.05, 0.4);
        const points = Array.from({ length: count + 1 }, (_, at): Point => {
          const angle = (2 * Math.PI * at) / count;
          const r = radius * (1 + around(random, rough));
          return [cx + r * Math.cos(angle) * 1.4, cy + r * Math.sin(angle)];
        });
        return `<path d="${random.chance(0.5) ? smooth(points) : `M${points.join('L')}`}" ${stroke}/>`;
      }),
    () =>
      times(2, 9, () =>
        random.pick([
          `<circle cx="${x()}" cy="${y()}" r="${between(random, 5, 50)}" ${stroke}/>`,
          `<rect x="${x()}" y="${y()}" width="${between(random, 10, 90)}" height="${between(random, 10, 60)}" rx="${random.int(0, 8)}" ${stroke}/>`,
          `<path d="M${x()} ${y()} L${x()} ${y()} l8 4 l-2 -8 z" ${stroke}/>`,
          `<path d="M${x()} ${y()} Q${x()} ${y()} ${x()} ${y()}" ${stroke}/>`,
          `<ellipse cx="${x()}" cy="${y()}" rx="${between(random, 5, 70)}" ry="${between(random, 5, 30)}" ${stroke}/>`,
        ]),
      ),
    () => {
      const gap = between(random, 6, 18);
      const turn = between(random, 0, 180);
      return `<g transform="rotate(${turn} ${width / 2} ${height / 2})">${times(8, 30, (at) => `<path d="M-50 ${at * gap} H${width + 50}" ${stroke}/>`)}</g>`;
    },
    () =>
      times(
        3,
        40,
        () => `<circle cx="${x()}" cy="${y()}" r="${between(random, 1, 14)}" fill="${tone}"/>`,
      ),
    () =>
      times(1, 4, () => {
        const [x0, y0, side] = [x(), y(), between(random, 16, 70)];
        const points = Array.from(
          { length: random.int(3, 9) },
          () => `${x0 + random.next() * side},${y0 + random.next() * side}`,
        );
        return `<polygon points="${points.join(' ')}" fill="${random.chance(0.5) ? tone : 'none'}" stroke="${tone}" stroke-width="${line}"/>`;
      }),
    () => {
      // Waves, springs and the curves of functions.
      const [high, period] = [between(random, 6, height / 2.5), between(random, 10, 120)];
      const damped = random.chance(0.4) ? between(random, 0.002, 0.01) : 0;
      const points = Array.from(
        { length: Math.ceil(width / 3) },
        (_, at): Point => [
          at * 3,
          height / 2 +
            high * Math.exp(-damped * at * 3) * Math.sin((at * 3 * 2 * Math.PI) / period),
        ],
      );
      return `<path d="${smooth(points)}" ${stroke}/>`;
    },
    () => {
      // A graph of boxes or dots, joined by lines.
      const nodes = Array.from({ length: random.int(4, 12) }, (): Point => [x(), y()]);
      return (
        nodes
          .map(([a, b]) => `<circle cx="${a}" cy="${b}" r="${random.int(3, 10)}" ${stroke}/>`)
          .join('') +
        times(4, 16, () => {
          const [from, to] = [random.pick(nodes), random.pick(nodes)];
          return `<path d="M${from.join(' ')} L${to.join(' ')}" ${stroke}/>`;
        })
      );
    },
  ];
  const svg = times(1, 2, () => random.pick(kinds)());
  return { width, height, svg, print: [] };
}
