import { expect } from 'chai';
import {
  createNameDetector,
  failedChecks,
  findSecret,
  redactBytes,
} from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const detector = createNameDetector(name, 'Ida Orr', 'Theodora Featherstonehaugh');

describe('redaction of text files', () => {
  it('replaces findings and their further occurrences, and nothing else', async () => {
    const text = `Dear ${name},\r\nQuellwasser wrote to MARA.\tUnmarad words, 12.5 %, stay.\r\n`;
    const redacted = await redactBytes('text', text, detector);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(redacted.output?.toString()).to.equal(
      'Dear [PERSON],\r\n[PERSON] wrote to [PERSON].\tUnmarad words, 12.5 %, stay.\r\n',
    );
    expect(
      redacted.result.removals.map(({ type, value, page }) => [type, value, page]),
    ).to.deep.equal([
      ['PERSON', name, 1],
      ['PERSON', 'Quellwasser', 1],
      ['PERSON', 'MARA', 1],
    ]);
  });

  it('finds values that span lines, keeping line ends, or contain invisible characters', async () => {
    const text =
      'for Mara\nQuellwasser; M\u00adara\u200b Quell\u2060wasser; mara@x\u00ad.example\n';
    const { output } = await redactBytes('text', text, detector);
    expect(output?.toString()).to.equal('for [PERSON]\n; [PERSON]; [EMAIL_ADDRESS]\n');
  });

  it('finds numbers with wide gaps, and in letters of mathematics', async () => {
    const bold = (text: string): string =>
      text.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)));
    const text = `a  4111   1111  1111    1111   b 7   8\n${bold('4111 1111 1111 1111')} c ${bold('78')}\n`;
    const redacted = await redactBytes('text', text, detector);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(redacted.output?.toString()).to.equal(
      `a  [CREDIT_CARD]   b 7   8\n[CREDIT_CARD] c ${bold('78')}\n`,
    );
  });

  it('hides the length of a value, also with black boxes', async () => {
    for (const style of ['label', 'blackbox'] as const) {
      const outputs = ['Ida Orr', name, 'Theodora Featherstonehaugh'].map(
        async (secret) =>
          (await redactBytes('text', `I, ${secret}, say so.\n`, detector, { style })).output,
      );
      const texts = (await Promise.all(outputs)).map(String);
      expect(new Set(texts).size).to.equal(1);
      expect(texts[0]).to.equal(`I, ${style === 'label' ? '[PERSON]' : '█████'}, say so.\n`);
    }
  });

  it('keeps the encoding', async () => {
    const text = `Grüße an ${name} – €5\n`;
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    const files: [string, Buffer, Buffer][] = [
      [
        'UTF-8 with a mark',
        Buffer.from(`\ufeff${text}`),
        Buffer.from('\ufeffGrüße an [PERSON] – €5\n'),
      ],
      ['UTF-16', utf16, Buffer.from('\ufeffGrüße an [PERSON] – €5\n', 'utf16le')],
      [
        'UTF-16 the other way',
        Buffer.from(utf16).swap16(),
        Buffer.from('\ufeffGrüße an [PERSON] – €5\n', 'utf16le').swap16(),
      ],
      [
        'Windows-1252',
        Buffer.from(`Gr\xfc\xdfe an ${name} \x96 \x805\n`, 'latin1'),
        Buffer.from('Gr\xfc\xdfe an [PERSON] \x96 \x805\n', 'latin1'),
      ],
    ];
    for (const [what, source, wanted] of files) {
      const { output } = await redactBytes('text', source, detector);
      expect(output?.equals(wanted), what).to.equal(true);
    }
  });

  it('keeps allowed values and writes no output if a check fails', async () => {
    const { output } = await redactBytes('text', `${name} met Mara.\n`, detector, {
      allowList: ['mara'],
    });
    expect(output?.toString()).to.equal('[PERSON] met Mara.\n');
    // Written backwards, it is found only by the checks.
    const backwards = await redactBytes('text', `${name} ressawlleuQ araM\n`, detector);
    expect(failedChecks(backwards)).to.deep.equal(['strings']);
    expect(backwards.output).to.equal(undefined);
  });
});

describe('redaction of CSV', () => {
  it('keeps delimiters, quotes, line ends and the bytes of unchanged cells', async () => {
    const csv = `\ufeffName;Phone;Note\r\n"Quellwasser, Mara";1;"says ""hi"" to ${name}"\r\n"a;b" ;;x\r\n${name};4111111111111111;"";`;
    const redacted = await redactBytes('csv', csv, detector);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(redacted.output?.toString()).to.equal(
      '\ufeffName;Phone;Note\r\n"[PERSON], [PERSON]";1;"says ""hi"" to [PERSON]"\r\n"a;b" ;;x\r\n[PERSON];[CREDIT_CARD];"";',
    );
  });

  it('reads every cell with its heading as context, not as text', async () => {
    const read: string[] = [];
    const { result } = await redactBytes('csv', 'Full name,Age\nx,1\n\n', (text) => {
      read.push(text);
      return [];
    });
    expect(read[0]).to.contain('Full name: x').and.contain('Age: 1');
    expect(result.pages).to.deep.equal(['Full name\tAge\nx\t1\n\n']);
  });

  it('removes a value found in one column from all columns', async () => {
    const csv = `a,b\nmail m.q@x.example,1\n"M.Q@X.EXAMPLE",<m.q@x.example>\n`;
    const { output } = await redactBytes('csv', csv, detector);
    expect(output?.toString()).to.equal(
      'a,b\nmail [EMAIL_ADDRESS],1\n"[EMAIL_ADDRESS]",<[EMAIL_ADDRESS]>\n',
    );
  });
});

describe('redaction of Markdown', () => {
  const mail = 'm.quellwasser@mail.example';
  const encoded = 'm%2Equellwasser%40mail%2Eexample';
  /** The text, and what must be left of it. */
  const channels: Record<string, [string, string]> = {
    'front matter': [`---\nauthor: ${name}\n---\n`, '---\nauthor: [PERSON]\n---\n'],
    heading: [`# On ${name}\n`, '# On [PERSON]\n'],
    emphasis: ['Mara **Quell**wasser *x*\n', '[PERSON] *x*\n'],
    'emphasis by underscores': ['_Mara_ __Quellwasser__ _x_\n', '_[PERSON]_ _x_\n'],
    escapes: [`Mara\\ Quellwasser m\\.quellwasser\\@mail.example\n`, ''],
    entities: ['Mara&nbsp;Quell&#119;asser &amp; co\n', '[PERSON] &amp; co\n'],
    target: [`[a](mailto:${encoded})\n`, '[a](#redacted)\n'],
    'target in brackets': [`[a](<mailto:${mail}>)\n`, '[a](#redacted)\n'],
    title: [`[a](x.html "of ${name}")\n`, '[a](x.html "of [PERSON]")\n'],
    image: [`![${name}](i.png)\n`, '![[PERSON]](i.png)\n'],
    definition: [
      `[a][1]\n\n[1]: mailto:${encoded} '${name}'\n`,
      "[a][1]\n\n[1]: #redacted '[PERSON]'\n",
    ],
    autolink: [`<${mail}>\n`, '<[EMAIL_ADDRESS]>\n'],
    comment: [`a<!-- ${name} -->b\n`, 'ab\n'],
    script: [`a<script>"${name}"</script>b\n`, 'ab\n'],
    attribute: [`<b title="${name}" onclick="a">x</b>\n`, '<b title="[PERSON]">x</b>\n'],
    'words in tags': ['<i>Mara</i> <b>Quellwasser</b>\n', '<i>[PERSON]</i><b></b>\n'],
    'unknown tag': [`<${name}> stays\n`, '<[PERSON]> stays\n'],
    'attribute’s name': [`<b data-quellwasser="1">x</b> ${name}\n`, ''],
    'fenced code': [
      `\`\`\`js\nlet a = "${name}"; // a_b *c*\n\`\`\`\n`,
      '```js\nlet a = "[PERSON]"; // a_b *c*\n```\n',
    ],
    'inline code': [`\`${name}\`\n`, '`[PERSON]`\n'],
    quote: ['> Mara\n> Quellwasser\n', ''],
    table: [`| a | ${name} |\n|---|---|\n`, '| a | [PERSON] |\n|---|---|\n'],
    'data in a target': [
      `![a](data:image/png;base64,AAAA) ${name}\n`,
      '![a](#redacted) [PERSON]\n',
    ],
  };

  for (const [channel, [source, wanted]] of Object.entries(channels)) {
    it(`removes a secret from: ${channel}`, async () => {
      const around = `before_it ${name} ${mail}\n\n`;
      const first = channel === 'front matter' ? '' : around;
      const redacted = await redactBytes('markdown', first + source, detector);
      expect(failedChecks(redacted)).to.deep.equal([]);
      expect(findSecret(redacted.output!, name)).to.deep.equal([]);
      expect(findSecret(redacted.output!, mail)).to.deep.equal([]);
      if (wanted === '') return;
      const head = first && 'before_it [PERSON] [EMAIL_ADDRESS]\n\n';
      expect(redacted.output?.toString()).to.equal(head + wanted);
    });
  }

  /** Code that shows HTML, with a name in it. */
  const shown: Record<string, string> = {
    'fenced code': `\`\`\`html\n<!-- of ${name} -->\n<script src="a.js"></script>\n\`\`\`\n`,
    'fenced code in a list': `- a\n\n  ~~~\n  <style>p { }</style> <!-- ${name}\n  ~~~\n`,
    'fenced code in a quote': `> \`\`\`\n> <iframe> ${name}\n> \`\`\`\n`,
    'indented code': `a\n\n    <!-- ${name} -->\n    <object>\n`,
    'inline code': `Put \`<script>\` or \`\`<!-- ${name}\`\` in, not <b>this</b>.\n`,
  };
  for (const [where, source] of Object.entries(shown)) {
    it(`keeps HTML that is shown as ${where}`, async () => {
      const redacted = await redactBytes('markdown', `For ${name}.\n\n${source}`, detector);
      expect(failedChecks(redacted)).to.deep.equal([]);
      expect(redacted.output?.toString()).to.equal(
        `For [PERSON].\n\n${source.replace(name, '[PERSON]')}`,
      );
    });
  }

  /** HTML that only looks as if it were in code. */
  const hidden: Record<string, string> = {
    'a fence inside HTML': '<div>\n```\n<!-- a -->\n```\n</div>\n',
    'backticks that do not match': '`<!-- a -->``\n',
    'backticks in different blocks': '- `a\n- <script>b</script>`\n',
    'indentation inside a paragraph': 'a\n    <!-- a -->\n',
    'an escaped backtick': '\\`<!-- a -->`\n',
    'a byte order mark in front': '\ufeff\ufeff`<!-- a -->`\n',
  };
  for (const [where, source] of Object.entries(hidden)) {
    it(`does not keep HTML as code behind ${where}`, async () => {
      const redacted = await redactBytes('markdown', `${source}\n${name}\n`, detector);
      const output = redacted.output?.toString() ?? '';
      expect(failedChecks(redacted).length > 0 || !/<!--|<script/.test(output)).to.equal(true);
    });
  }

  it('keeps a text without personal data byte for byte', async () => {
    const text = `# A *b* __c__ \`d\`\n\n1. [x](y_(z).md "t") \\* &lt; ~~no~~ a_b_c\n\n![i](j.png)\n<br>\n> q\n\n    code **x**\n\n[r]: http://x.test/a%20b\n`;
    const { output } = await redactBytes('markdown', text, detector);
    expect(output?.toString()).to.equal(text);
  });
});
