import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EngineError } from '@scriptorium/documents';
import { expect } from 'chai';
import { rtfKind } from '../../../../packages/documents/src/redact/kinds/rtf/kind.ts';
import { requirePython } from '../../../support/python.ts';
import {
  createNameDetector,
  failedChecks,
  findSecret,
  type RedactedBytes,
  redactBytes,
} from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const detector = createNameDetector(name, 'Ida Orr', 'Łucja Żółw', '日本 太郎');
const reader = fileURLToPath(new URL('../../../support/programs/read-rtf.py', import.meta.url));

/** Reads a file with a program that shares no code with the project. */
const readWithPython = (bytes: Uint8Array): { text: string; words: string[]; depth: number } =>
  JSON.parse(execFileSync('python3', [reader], { input: bytes }).toString()) as never;

const rtf = (body: string): Buffer => Buffer.from(`{\\rtf1\\ansi\\ansicpg1252 ${body}}`, 'latin1');
const redact = (bytes: Uint8Array): Promise<RedactedBytes> => redactBytes('rtf', bytes, detector);

const fonts = 'Times New Roman;Arial;Courier New;';

/** Redacts a text, and checks that nothing of the name is left. Returns the text of the output. */
async function textOf(body: string | Buffer) {
  const redacted = await redact(typeof body === 'string' ? rtf(body) : body);
  expect(failedChecks(redacted)).to.deep.equal([]);
  const output = redacted.output!;
  const { text, words, depth } = readWithPython(output);
  expect(depth).to.equal(0);
  for (const secret of [name, 'Łucja Żółw', '日本 太郎']) {
    expect(findSecret(output, secret)).to.deep.equal([]);
    expect(findSecret(Buffer.from(text), secret)).to.deep.equal([]);
  }
  expect(text.startsWith(fonts)).to.equal(true);
  const read = { text: text.slice(fonts.length), words, output: output.toString() };
  return { ...read, result: redacted.result };
}

/** The body, and the text that must be left of it. */
const channels: Record<string, [string, string]> = {
  text: [`I, ${name}, am.`, 'I, [PERSON], am.'],
  'over runs': ['I, Mara {\\b Quell}{\\i was\\b0 ser}, am.', 'I, [PERSON], am.'],
  'over lines of the file': ['I, Mara \r\nQuell\r\nwasser, am.', 'I, [PERSON], am.'],
  'escaped bytes': ["I, M\\'61ra Quell\\'77asser, am.", 'I, [PERSON], am.'],
  'Unicode escapes': ['I, \\u77?\\u97?ra \\uc2\\u81??uellwasser, am.', 'I, [PERSON], am.'],
  'other code pages': [
    "{\\fonttbl{\\f1\\fcharset238 Arial;}{\\f2\\fcharset128 X;}}\\f1 \\'a3ucja \\'af\\'f3\\'b3w {\\f2\\'93\\'fa\\'96\\'7b \\'91\\'be\\'98\\'59}",
    '[PERSON] [PERSON]',
  ],
  'an optional hyphen': ['Mara Quell\\-wasser.', '[PERSON].'],
  'a hard space': ['Mara\\~Quellwasser.', '[PERSON].'],
  'around hidden text': ['Mara {\\v x}Quell{\\v\\b y}wasser.', '[PERSON].'],
  'hidden text': [`a{\\v ${name}}b\\v ${name}\\v0 c`, 'abc'],
  'deleted text': [`a{\\deleted\\revauthdel1 ${name}}b`, 'ab'],
  'inserted text': [`a {\\revised\\revauth1 ${name}} b`, 'a [PERSON] b'],
  properties: [`{\\info{\\title ${name}}{\\author ${name}}{\\*\\company ${name}}}x`, 'x'],
  'the program': [`{\\*\\generator ${name};}x`, 'x'],
  'fonts, colours and styles': [
    `{\\fonttbl{\\f0\\fswiss ${name};}}{\\colortbl;\\red1;}{\\stylesheet{\\s1 ${name};}}{\\*\\revtbl{${name};}}\\s1\\cf1 x`,
    'x',
  ],
  'a field': [
    `{\\field{\\*\\fldinst HYPERLINK "mailto:${name}"}{\\fldrslt see ${name}}}`,
    'see [PERSON]',
  ],
  'a form field': [
    `{\\field{\\*\\fldinst FORMTEXT{\\*\\formfield{\\*\\ffdeftext ${name}}}}{\\fldrslt x}}`,
    'x',
  ],
  'a comment': [
    `a{\\*\\atnid MQ}{\\*\\atnauthor ${name}}\\chatn{\\*\\annotation{\\*\\atndate 1}${name}}b`,
    'ab',
  ],
  bookmarks: [`{\\*\\bkmkstart ${name}}x{\\*\\bkmkend ${name}}`, 'x'],
  'an index': [`x{\\xe\\v ${name}}{\\tc\\v ${name}}`, 'x'],
  'document variables': [`{\\*\\docvar{a}{${name}}}{\\*\\userprops{\\propname ${name}}}x`, 'x'],
  'a picture': [
    `a{\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn x}{\\sv ${name}}}}\\pngblip 00ff}}{\\nonshppict{\\pict 11}}b`,
    'ab',
  ],
  'binary data': [`a{\\pict\\bin${name.length} ${name}}b`, 'ab'],
  'an object': [`a{\\object{\\*\\objdata 00}{\\result ${name}}}b`, 'ab'],
  'unknown destinations': [`a{\\*\\unknown ${name}} {\\unknown ${name}} b`, 'a [PERSON] b'],
  'a table': [
    `\\trowd\\cellx900\\cellx2000\\intbl Mara\\cell ${name}\\cell\\row x`,
    'Mara\t[PERSON]\t\nx'.replace('Mara', '[PERSON]'),
  ],
  'headers and notes': [
    `{\\header ${name}}a{\\footnote\\chftn  of ${name}}{\\footerf ${name}}b`,
    '[PERSON]a of [PERSON][PERSON]b',
  ],
  'a note in a name': ['Mara {\\footnote x}Quellwasser', '[PERSON]x'],
  'a text box': [
    `a{\\shp{\\*\\shpinst\\shpleft9{\\sp{\\sn wzName}{\\sv ${name}}}{\\shptxt in ${name}\\par}}{\\shprslt ${name}}}b`,
    'ain [PERSON]\nb',
  ],
  lists: [`{\\*\\listtable{\\list{\\listname ${name};}}}{\\listtext 1.\\tab}x`, '1.\tx'],
  'numbers of control words': ['\\li720\\li4111111111 x', 'x'],
  'characters with control words': [
    '\\lquote a\\rquote\\emdash b\\{\\}\\\\ \\u8364?',
    '‘a’—b{}\\ €',
  ],
  'unfinished groups': [`{\\b a {\\i ${name}`, 'a [PERSON]'],
};

describe('Rich Text Format', () => {
  before(async function () {
    await requirePython(this);
  });

  for (const [what, [body, left]] of Object.entries(channels)) {
    it(`is redacted in every channel: ${what}`, async () => {
      expect((await textOf(body)).text).to.equal(left);
    });
  }

  it('keeps layout and formatting, and drops everything else', async () => {
    const { words, output } = await textOf(
      '\\paperw11906\\viewkind4\\sectd\\pard\\qc\\sb120\\fs28\\b\\cf2\\lang1031\\s3\\rsid12345 Title\\b0\\par',
    );
    expect(output).to.contain(
      '\\paperw11906 \\sectd \\pard \\qc \\sb120 \\fs28 \\b Title\\b0 \\par',
    );
    expect(words).to.not.include.members(['cf2', 'lang1031', 's3', 'rsid12345', 'viewkind4']);
  });

  it('reports what it drops', async () => {
    const { result } = await textOf(
      'a{\\v secret}{\\object{\\result x}}{\\*\\unknown words}{\\pict 00}{\\*\\shppict{\\pict 00}}{\\info{\\title t}}',
    );
    expect(result.dropped).to.deep.equal(['hidden text', 'object', 'unknown']);
    expect(result.picturesReplaced).to.equal(2);
  });

  it('is written with the same bytes for secrets of any length, and redacted again unchanged', async () => {
    const made = [name, 'Ida Orr'].map(async (secret) => {
      const body = `{\\info{\\author ${secret}}}I, {\\b ${secret}}, am \\'fc {\\v ${secret}}.\\par`;
      return (await redact(rtf(body))).output!;
    });
    const [one, other] = await Promise.all(made);
    expect(one!.toString()).to.equal(other!.toString());
    expect((await redact(one!)).output?.toString()).to.equal(one!.toString());
  });

  it('passes the checks only in the form in which redaction writes it', async () => {
    const { output } = await textOf('a{\\b \\u8364?}\\par b');
    const disallowed = (text: string): string[] =>
      rtfKind.disallowedIn(Buffer.from(text, 'latin1'));
    expect(disallowed(output)).to.deep.equal([]);
    const faults: [from: string | RegExp, to: string][] = [
      ['Arial', 'Mara'],
      ['{\\b', '{\\*\\x x}{\\b'],
      ['{\\b', '{\\info x}{\\b'],
      ['{\\b', '{\\pict 00}{\\b'],
      ['{\\b', '{\\v x}{\\b'],
      ['{\\b', '\\bin4 {\\b'],
      ['{\\b', "\\'41{\\b"],
      ['{\\b', '\xe9{\\b'],
      ['{\\b', '\\li4111111111 {\\b'],
      [/$/, 'x'],
      [/\}\n$/, '}x}\n'],
      [/\}\n$/, '\n'],
      [/\}\n$/, '{}\n'],
    ];
    for (const [from, to] of faults) {
      const changed = output.replace(from, to);
      expect(changed).to.not.equal(output);
      expect(disallowed(changed), `${from} → ${to}`).to.not.deep.equal([]);
    }
  });

  it('is rejected if it is another format or nested without end', async () => {
    for (const [bytes, code, says] of [
      [Buffer.from('text'), 'unsupported', /not Rich Text/],
      [Buffer.alloc(0), 'empty', /empty/],
      [rtf('{'.repeat(2000)), 'too_large', /nested/],
      [rtf('word '.repeat(5e6)), 'too_large', /24 million/],
    ] as const) {
      const error: unknown = await redact(bytes).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(EngineError).with.property('code', code);
      expect((error as EngineError).message).to.match(says);
    }
  });
});
