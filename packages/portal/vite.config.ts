import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/**
 * Files that pdf.js loads by name: fonts, character maps, decoders. The version in the folder name
 * makes them cacheable, as hashes do for other assets.
 */
function pdfFiles(): Plugin {
  const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return {
    name: 'pdf-files',
    apply: 'build',
    generateBundle() {
      for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'iccs']) {
        const from = join(dirname(manifest), folder);
        for (const name of readdirSync(from)) {
          const fileName = `assets/pdfjs-${version}/${folder}/${name}`;
          this.emitFile({ type: 'asset', fileName, source: readFileSync(join(from, name)) });
        }
      }
    },
  };
}

/** Returns the licence of the font, which must be distributed with it. */
function fontLicence(): Plugin {
  const manifest = createRequire(import.meta.url).resolve(
    '@fontsource-variable/inter/package.json',
  );
  return {
    name: 'font-licence',
    apply: 'build',
    generateBundle() {
      const source = readFileSync(join(dirname(manifest), 'LICENSE'));
      this.emitFile({ type: 'asset', fileName: 'assets/inter-LICENSE.txt', source });
    },
  };
}

/** The module with the outline of all land, as a path in degrees. */
const outline = 'virtual:world-outline';

/**
 * Returns the outline of the world, from Natural Earth at 1:110 million: a path of 360 by 180
 * degrees, north at the top, in tenths of a degree.
 */
function worldOutline(): Plugin {
  return {
    name: 'world-outline',
    resolveId: (id) => (id === outline ? `\0${outline}` : null),
    load(id) {
      if (id !== `\0${outline}`) return null;
      const file = createRequire(import.meta.url).resolve('world-atlas/land-110m.json');
      const { arcs, transform, objects } = JSON.parse(readFileSync(file, 'utf8')) as Topology;
      const rings = objects.land.geometries.flatMap(({ arcs: polygons }) => polygons.flat());
      const [scale, origin] = [transform.scale, transform.translate];
      const lines = arcs.map((arc) => {
        let [x, y] = [0, 0];
        return arc.map(([dx, dy]): Point => {
          x += dx;
          y += dy;
          const longitude = x * scale[0] + origin[0];
          const latitude = y * scale[1] + origin[1];
          return [Math.round((longitude + 180) * 10), Math.round((90 - latitude) * 10)];
        });
      });
      const path = rings.map((ring) => ringPath(ring.flatMap((at) => lineAt(lines, at)))).join('');
      return `export default ${JSON.stringify(path)};`;
    },
  };
}

type Point = [number, number];

/** The part of TopoJSON that the outline needs. */
interface Topology {
  arcs: Point[][];
  transform: { scale: Point; translate: Point };
  objects: { land: { geometries: { arcs: number[][][] }[] } };
}

/** Returns an arc; the complement of its index means that it is reversed. */
const lineAt = (lines: readonly Point[][], at: number): Point[] =>
  at < 0 ? [...(lines[~at] ?? [])].reverse() : (lines[at] ?? []);

const world = 3600;
const southPole = 1800;

/**
 * Returns a ring as a path. A ring that crosses the 180th meridian continues beyond the edge of the
 * world, and is drawn again at the other edge; a ring around a pole is closed there.
 */
function ringPath(ring: readonly Point[]): string {
  let turn = 0;
  const points = ring.map(([x, y], at): Point => {
    const step = x - (ring[at - 1]?.[0] ?? x);
    if (Math.abs(step) > world / 2) turn -= Math.sign(step) * world;
    return [x + turn, y];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  if (Math.abs(last[0] - first[0]) > world / 2) {
    points.push([last[0], southPole], [first[0], southPole]);
  }
  const all = points.map(([x]) => x);
  const copies = [0];
  if (Math.min(...all) < 0) copies.push(world);
  if (Math.max(...all) > world) copies.push(-world);
  return copies.map((by) => closedPath(points.map(([x, y]): Point => [x + by, y]))).join('');
}

/** Returns a closed path with relative steps, without zero-length ones. */
function closedPath([first, ...others]: readonly Point[]): string {
  if (!first) return '';
  let path = `M${first.join(' ')}l`;
  let [x, y] = first;
  for (const [nextX, nextY] of others) {
    if (nextX === x && nextY === y) continue;
    path += `${nextX - x} ${nextY - y} `;
    [x, y] = [nextX, nextY];
  }
  return `${path.trimEnd()}z`;
}

/** Builds the portal into dist/browser, from where the API serves it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/portal/',
  plugins: [pdfFiles(), fontLicence(), worldOutline()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/browser',
    emptyOutDir: true,
    // The Content-Security-Policy does not allow data: URLs.
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Used by the test that limits the size of the first load.
    manifest: true,
    // The licences of the bundled code, for recipients of the image.
    license: true,
    reportCompressedSize: false,
  },
});
