import { expect } from 'chai';
import { readHtml } from '../../../packages/documents/src/normalize/kinds/html/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';

const read = (html: string) => readHtml(Buffer.from(html));
const markdown = (html: string): string => [...markdownOf(read(html).blocks)].join('').trimEnd();

describe('a normalised web page', () => {
  it('has the visible text, a title and a language', () => {
    const page = `<html lang="en-GB"><head><title> A  page </title><style>p{}</style></head><body>
      <h1>Head <span>line</span></h1><p>One<br>two &amp; <b>three</b></p><p hidden>no</p>
      <div style="display: none">no</div><script>no()</script><!-- no --><div>Last<p>in</p>out</div>`;
    expect(read(page)).to.include({ title: 'A page', language: 'en-GB' });
    expect(markdown(page)).to.equal('# Head line\n\nOne  \ntwo & **three**\n\nLast\n\nin\n\nout');
  });

  it('nests lists, whatever is around and inside their items', () => {
    expect(
      markdown(
        `<ol start="3"><li>a<p>more</p><div><ul><li>deep</ul></div><li>b<ul><li>c</li></ul></ol><ol type="a"><li>x</ol>`,
      ),
    ).to.equal('3. a  \n   more\n    - deep\n4. b\n    - c\n- a. x');
    expect(markdown('<dl><dt>Term</dt><dd>What it is</dd></dl>')).to.equal(
      '- Term\n    - What it is',
    );
  });

  it('lays out tables by their spans', () => {
    const table = `<table><caption>Sales</caption><thead><tr><th>Year<th colspan=2>Sum</thead>
      <tr><td rowspan=3>2025</td></tr><tr><td>1<td>2</tr><tr><td>3<td><ul><li>x<li>y</ul></tr></table>`;
    expect(markdown(table)).to.equal(
      'Sales\n\n| Year | Sum | Sum |\n| - | - | - |\n| 2025 | 1 | 2 |\n| 2025 | 3 | - x - y |',
    );
    expect(markdown('<table><tr><td><h2>Framed</h2>text</td></tr></table>')).to.equal(
      '## Framed\n\ntext',
    );
  });

  it('limits spans to their section, and has no columns in which no cell starts', () => {
    const [table] = read(
      '<table><tr><td rowspan=99999999 colspan=99999999>a<td>b</tr><tr><td>c<td>d</tr></table>',
    ).blocks;
    expect(table).to.include({ role: 'table', rows: 2, columns: 3 });
    const cells = table?.role === 'table' ? table.cells : [];
    expect(
      cells.map(({ row, column, rowSpan, columnSpan, text }) => [
        row,
        column,
        rowSpan,
        columnSpan,
        text,
      ]),
    ).to.deep.equal([
      [0, 0, 2, 1, 'a'],
      [0, 1, 1, 1, 'b'],
      [1, 1, 1, 1, 'c'],
      [1, 2, 1, 1, 'd'],
    ]);
  });

  it('keeps code, quotations, links and pictures', () => {
    expect(
      markdown(
        `<pre><code class="language-js">a\n  b</code></pre><blockquote><p>said</p></blockquote>
         <a href="/rel"><div>Block link</div></a><p><a href="javascript:x()">bad</a>
         <a href="#top">up</a></p><figure><img src=x alt="A duck"><figcaption>Duck</figcaption></figure>`,
      ),
    ).to.equal(
      '```js\na\n  b\n```\n\n> said\n\n[Block link](/rel)\n\nbad [up](#top)\n\n<!-- image: A duck -->\n\nDuck',
    );
  });

  it('shows filled-in and ticked form fields', () => {
    expect(
      markdown(
        `<form><label>Name <input value="Ann"></label><p><input type=checkbox checked> Agreed</p>
         <select><option>a<option selected>b</select><input type=hidden value=secret></form>`,
      ),
    ).to.equal('Name Ann\n\n- [x] Agreed\n\nb');
  });

  it('treats menus before the first heading and the page footer as page furniture', () => {
    const page =
      '<nav>Menu</nav><a href="#x">Skip</a><p>Lead</p><h1>T</h1><nav>Contents</nav><footer>Foot</footer>';
    expect(markdown(page)).to.equal('Lead\n\n# T\n\nContents');
    expect(read(page).blocks.map(({ role }) => role)).to.deep.equal([
      'page_header',
      'page_header',
      'paragraph',
      'heading',
      'paragraph',
      'page_footer',
    ]);
  });

  it('is complete if elements are nested endlessly', () => {
    expect(markdown(`${'<div>'.repeat(3000)}deep`)).to.equal('deep');
    expect(markdown(`${'<b><ul><li>'.repeat(2000)}deep`)).to.contain('deep');
    expect(markdown(`${'<table><tr><td>'.repeat(500)}deep`)).to.contain('deep');
  });

  it('is decoded with the encoding that the file declares', () => {
    const bytes = Buffer.from('<meta charset="iso-8859-2"><p>\xb3\xf3d\xbc', 'latin1');
    expect([...markdownOf(readHtml(bytes).blocks)].join('')).to.equal('łódź\n');
  });

  it('reports embedded content that is not read, and no others', () => {
    const unread = (body: string) => readHtml(Buffer.from(`<p>Text</p>${body}`)).unread;
    const complete = [
      '<svg><title>Arrow</title><path d="M0 0"/></svg>',
      '<iframe src="https://example.com/"></iframe><video src="a.mp4"></video><object data="a.pdf"></object>',
      '<script>x</script><style>y</style><template><p>z</p></template><noscript>w</noscript>',
    ];
    for (const body of complete) expect(unread(body)).to.deep.equal([]);
    expect(unread('<svg><g><text>Sales</text></g></svg>')).to.deep.equal([]);
    expect(unread('<iframe srcdoc="<p>Inner</p>"></iframe>')).to.deep.equal(['iframe']);
    expect(unread('<object data="data:text/html,a"></object>')).to.deep.equal(['object']);
    expect(unread('<embed src="data:text/html,a">')).to.deep.equal(['embed']);
    const frames = '<html><frameset><frame src="a.html"></frameset></html>';
    expect(readHtml(Buffer.from(frames)).unread).to.deep.equal(['frame']);
  });

  it('has drawings with text as pictures, and no others', () => {
    const pictures = (body: string) =>
      readHtml(Buffer.from(`<p>Text</p>${body}`)).blocks.flatMap((block) =>
        block.role === 'picture' ? [[block.alt, block.written ?? null]] : [],
      );
    expect(
      pictures(
        '<svg><title>Tide curve</title><g><text x="1">High <tspan>water</tspan></text><text>Low</text></g></svg>',
      ),
    ).to.deep.equal([['Tide curve', 'High water\nLow']]);
    expect(pictures('<svg><foreignObject><p>A note</p></foreignObject></svg>')).to.deep.equal([
      [null, 'A note'],
    ]);
    expect(pictures('<svg><title>Menu</title><path d="M0 0"/></svg>')).to.deep.equal([]);
    expect(pictures('<svg style="display:none"><text>hidden</text></svg>')).to.deep.equal([]);
  });
});
