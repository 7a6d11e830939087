import { expect } from 'chai';
import { readMarkdown } from '../../../packages/documents/src/normalize/kinds/markdown/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';

const read = (text: string) => readMarkdown(Buffer.from(text));
const again = (text: string): string => [...markdownOf(read(text).blocks)].join('').trimEnd();

describe('normalised Markdown', () => {
  it('round-trips', () => {
    for (const text of [
      '# One\n\n## Two `code`\n\nText with *em*, **strong**, ***both*** and ~~gone~~.',
      '1. one\n2. two\n    - deep\n        - deeper\n3. three',
      '- [ ] todo\n- [x] done',
      '> said\n\n```js\nlet a = `b`;\n\n  c\n```',
      '| a | b |\n| - | - |\n| 1 | 2 \\| 3 |',
      'Line  \nbroken, [a link](https://example.com/a_(b)), $x^2$ and $5.',
      'Word[^1]\n\n[^1]: The note.',
      '$$E = mc^2$$',
      'snake_case_word, 2 * 3 * 4, \\*no star\\*',
    ]) {
      expect(again(text)).to.equal(text);
    }
  });

  it('keeps brackets around a link as text, since links cannot be nested', () => {
    const text = (source: string): string =>
      read(source)
        .blocks.flatMap((block) => ('spans' in block ? block.spans : []))
        .map((span) => span.text)
        .join('');
    expect(text('[a [b](x) c](y)')).to.equal('[a b c](y)');
    expect(text('[a [b](x) c] d [e](z)')).to.equal('[a b c] d e');
    expect(text('[![A duck](x.png) and more](y)')).to.equal('and more');
    const deep = 20_000;
    expect(text(`${'['.repeat(deep)}${'](x)'.repeat(deep)}`)).to.have.length(5 * (deep - 1));
  });

  it('understands the alternative syntaxes', () => {
    expect(again('Title\n=====\nOne\ntwo\n\nSub\n---\n* a\n+ b\n\nText\n\n    code\n')).to.equal(
      '# Title\n\nOne two\n\n## Sub\n\n- a\n- b\n\nText\n\n```\ncode\n```',
    );
    expect(again('See [a][Ref], [ref] and [not].\n\n[ref]: <https://example.com> "T"')).to.equal(
      'See [a](https://example.com), [ref](https://example.com) and [not].',
    );
    expect(again('<https://example.com> https://example.org/x. ![A duck](x.png)')).to.equal(
      '[https://example.com](https://example.com) [https://example.org/x](https://example.org/x).\n\n<!-- image: A duck -->',
    );
    expect(again('a &amp; b &copy; <b>c</b><br>d <!-- no -->')).to.equal('a & b © **c**  \nd');
    expect(again('- one\n\n  more\n- two\nlazy\n\ntext')).to.equal(
      '- one  \n  more\n- two lazy\n\ntext',
    );
  });

  it('distinguishes prices from formulas', () => {
    const [block] = read('$5 and $6, $x^2$').blocks;
    expect(block).to.deep.include({ text: '$5 and $6, x^2' });
  });

  it('includes embedded HTML, with tables by their spans', () => {
    expect(
      again('<table>\n<tr><td rowspan=2>A</td><td>B</td></tr>\n\n<tr><td>C</td></tr></table>\n\nX'),
    ).to.equal('| A | B |\n| - | - |\n| A | C |\n\nX');
    expect(again('[x](javascript:alert) <script>no()</script>\n')).to.not.contain('javascript');
  });

  it('takes its title from front matter or from its first heading', () => {
    expect(read('---\ntitle: "The thing"\n---\n# Other').title).to.equal('The thing');
    expect(read('# Other').title).to.equal('Other');
    expect(again('---\ntitle: x\n---\nText')).to.equal('Text');
  });

  it('takes linear time on hostile text', () => {
    for (const unit of [
      '[',
      '![',
      ']',
      '*a',
      '_',
      '`',
      '<',
      '> ',
      '- ',
      '$',
      '|',
      '&',
      '~a~',
      '[a](',
      '# ',
      '\n1. ',
    ]) {
      expect(read(unit.repeat(20_000)).blocks, unit).to.be.an('array');
    }
  });
});
