import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkSync } from 'recheck';
import { parseAst } from 'rolldown/parseAst';
import { once } from '../../../src/api/frame/serve-json.ts';
import { allShapes, bodySchemas, querySchemas } from '../../support/request-schemas.ts';
import { checkout } from '../../support/run.ts';

/** The folders whose code reads what clients send. */
const folders = [
  'api',
  'access',
  'library',
  'policies',
  'jobs',
  'webhooks',
  'outbox',
  '../packages/contracts/src',
];

/** Patterns that are not linear, with the reason why their cost is bounded nevertheless. */
const bounded: Readonly<Record<string, string>> = {
  '/("(?:[^"\\\\]|\\\\.)*"(?:\\s*:)?|\\b(?:true|false|null)\\b|-?\\d+(?:\\.\\d+)?)/':
    'api/docs/code.ts: only samples of the documentation',
  '/"(?:[^"\\\\]|\\\\.)*"/g': 'api/openapi/samples.ts: only samples of the documentation',
  '/^(\\s*)"([A-Za-z_]\\w*)":/gm': 'api/openapi/samples.ts: only samples of the documentation',
  '/[. ]+$/': 'library/files/filename.ts: at most 2,048 characters, white space collapsed',
  '/^[-.]+|[-.]+$/g': 'jobs/packs/packing/contents.ts: the name of an object, at most 255 bytes',
  '/\\s*(?:PUBLIC\\s+(?:"[^"<>&]*"|\'[^\'<>&]*\')\\s*|SYSTEM\\s*)?(?:"[^"<>&]*"|\'[^\'<>&]*\')?\\s*/y':
    'library/files/markup/doctype.ts: every part is optional, so a match never fails, and it starts in one place',
  '/<!ENTITY\\s{1,8}([\\w.-]{1,64})\\s{1,8}(?:"(https?:\\/\\/[\\w./#:?=~-]{0,256})"|\'(https?:\\/\\/[\\w./#:?=~-]{0,256})\')\\s{0,8}>|<!--(?:[^-]|-(?!-)){0,4096}-->|\\s{1,4096}/y':
    'library/files/markup/doctype.ts: at most 4,096 steps from one place, and the first failure ends it',
  '/(-(?=\\S))?(?:"([^"]*)"?|([^\\s"]+))/g':
    'library/images/search/query-language.ts: a search of at most 500 characters',
};

/** Every verdict depends on counted steps only, never on time, so it is the same on any machine. */
const withoutTime = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
};

interface Pattern {
  source: string;
  flags: string;
  places: string[];
}

/** The regular expressions in the sources and in the schemas of requests, each once. */
function allPatterns(): Map<string, Pattern> {
  const found = new Map<string, Pattern>();
  const add = (source: string, flags: string, place: string): void => {
    const name = `/${source}/${flags}`;
    const known = found.get(name);
    if (known) known.places.push(place);
    else found.set(name, { source, flags, places: [place] });
  };
  for (const folder of folders) {
    const root = join(checkout, 'src', folder);
    for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      for (const { pattern, flags } of literalsIn(readFileSync(join(root, file), 'utf8'))) {
        add(pattern, flags, `${folder}/${file}`);
      }
    }
  }
  for (const { name, shape } of [...bodySchemas, ...querySchemas]) {
    for (const { pattern } of allShapes(shape)) if (pattern !== undefined) add(pattern, 'u', name);
  }
  return found;
}

/** The regular expression literals of a source file. */
function literalsIn(text: string): { pattern: string; flags: string }[] {
  const found: { pattern: string; flags: string }[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node && isLiteral(node.regex)) found.push(node.regex);
    for (const part of Object.values(node)) visit(part);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

function isLiteral(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;
}

/** Whether anything in a pattern may repeat more than a thousand times. */
function repeats(source: string): boolean {
  const withoutClasses = source.replace(/\\.|\[(?:[^\]\\]|\\.)*\]/g, '_');
  return /[*+]|\{\d+,\}|\{(?:\d+,)?\d{4,}\}/.test(withoutClasses);
}

describe('the regular expressions that clients’ text meets', () => {
  const patterns = allPatterns();
  before(() => {
    // In this process, without the programs that it may start instead.
    process.env.RECHECK_SYNC_BACKEND = 'pure';
  });

  for (const [name, { source, flags, places }] of patterns) {
    if (!repeats(source) || name in bounded) continue;
    it(`takes a number of steps proportional to the text: ${name}`, () => {
      const result = checkSync(source, flags, withoutTime);
      const worst = result.status === 'vulnerable' ? result.attack.pattern : '';
      expect(result.status, `${places.join(', ')}: ${worst}`).to.equal('safe');
    });
  }

  it('lists no pattern as bounded that is gone', () => {
    expect(Object.keys(bounded).filter((name) => !patterns.has(name))).to.deep.equal([]);
  });

  it('finds quadratic and exponential patterns', () => {
    for (const [{ pattern = '', flags = '' } = {}] of [
      literalsIn('const blanks: RegExp = /\\s+$/;'),
      literalsIn('/^a*a*$/u.test(text)'),
      literalsIn('f(/^(?:a|a)*$/)'),
      literalsIn('f({ a: [/"(?:[^"\\\\]|\\\\.)*"/g] })'),
    ]) {
      expect(repeats(pattern)).to.equal(true);
      expect(checkSync(pattern, flags, withoutTime).status).to.equal('vulnerable');
    }
  });
});

describe('a request that is parsed once', () => {
  it('is not parsed again after an error', () => {
    let times = 0;
    const parse = once(() => {
      times += 1;
      throw new Error(`attempt ${times}`);
    });
    expect(parse).to.throw('attempt 1');
    expect(parse).to.throw('attempt 1');
    expect(times).to.equal(1);
  });

  it('keeps a value that is undefined', () => {
    let times = 0;
    const parse = once(() => {
      times += 1;
    });
    parse();
    parse();
    expect(times).to.equal(1);
  });
});
