import { type Maker, textOfLine } from '../../../test/support/corpus/maker.ts';
import { printLines } from '../pdf/page.ts';
import { plainPicture } from '../pictures/pixels.ts';
import { makeLines, type Trick, trickTypes } from '../trick.ts';

type Hide = (text: string, maker: Maker) => string;

const toEntities = (text: string): string =>
  [...text].map((letter) => `&#${letter.charCodeAt(0)};`).join('');
const style =
  (rules: string): Hide =>
  (text) =>
    `<p style="${rules}">${text}</p>`;

const hidingMethods: Record<string, Hide> = {
  'not displayed': style('display:none'),
  invisible: style('visibility:hidden'),
  'white text': style('color:#fff'),
  'without opacity': style('opacity:0'),
  'off the page': style('position:absolute;left:-9999px'),
  'of no size': style('font-size:0'),
  'clipped away': style('clip-path:inset(100%)'),
  'hidden attribute': (text) => `<p hidden>${text}</p>`,
  'generated content': (text) =>
    `<style>.g${idOf(text)}::before{content:"${text}"}</style><p class="g${idOf(text)}"></p>`,
  'content of an attribute': (text) =>
    `<style>.a::after{content:attr(data-x)}</style><p class="a" data-x="${text}"></p>`,
  'written from the right': (text) => `<p><bdo dir="rtl">${[...text].reverse().join('')}</bdo></p>`,
  'reversed by style': (text) =>
    `<p style="direction:rtl;unicode-bidi:bidi-override;text-align:left">${[...text].reverse().join('')}</p>`,
  'order by style': (text) =>
    `<p style="display:flex;white-space:pre">${[...text]
      .map((letter, at) => `<span style="order:${at}">${letter}</span>`)
      .reverse()
      .join('')}</p>`,
  'letter by letter': (text) =>
    `<p>${[...text].map((letter) => `<span>${letter}</span>`).join('')}</p>`,
  'letters as blocks': (text) =>
    `<p>${[...text].map((letter) => `<b style="font-weight:normal;display:inline-block;white-space:pre">${letter}</b>`).join('')}</p>`,
  'decoys between letters': (text, maker) =>
    `<p>${[...text].map((letter) => `${letter}<i style="display:none">${maker.pick(10)}</i>`).join('')}</p>`,
  'zero-width spaces': (text) => `<p>${[...text].join('\u200b')}</p>`,
  'soft hyphens': (text) => `<p>${[...text].join('&shy;')}</p>`,
  'word breaks': (text) => `<p>${[...text].join('<wbr>')}</p>`,
  'comments between letters': (text) => `<p>${[...text].join('<!-- -->')}</p>`,
  entities: (text) => `<p>${toEntities(text)}</p>`,
  'full width': (text) =>
    `<p>${text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))}</p>`,
  'letters of mathematics': (text) =>
    `<p>${text.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)))}</p>`,
  comment: (text) => `<!-- ${text.replaceAll('--', '')} --><p>Noted.</p>`,
  script: (text) => `<script>const said = ${JSON.stringify(text)};</script><p>Noted.</p>`,
  'data of a script': (text) =>
    `<script type="application/ld+json">{"said":${JSON.stringify(text)}}</script><p>Noted.</p>`,
  template: (text) => `<template><p>${text}</p></template><p>Noted.</p>`,
  noscript: (text) => `<noscript><p>${text}</p></noscript><p>Noted.</p>`,
  'value of a field': (text) => `<p><input value="${text}"></p>`,
  'hidden field': (text) => `<p>Noted. <input type="hidden" value="${text}"></p>`,
  'text of a picture': (text) => `<p><img alt="${text}" title="${text}" src="x.png"></p>`,
  'attribute of data': (text) => `<p data-note="${text}">Noted.</p>`,
  'frame in an attribute': (text) => `<iframe srcdoc="&lt;p&gt;${text}&lt;/p&gt;"></iframe>`,
  'frame as data': (text) =>
    `<iframe src="data:text/html;base64,${Buffer.from(`<p>${text}</p>`).toString('base64')}"></iframe>`,
  drawing: (text) =>
    `<svg width="600" height="30"><text x="4" y="20" font-size="15">${text}</text></svg>`,
  'drawing as data': (text) =>
    `<img src="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="30"><text x="4" y="20" font-size="15">${text}</text></svg>`)}">`,
  'target of a link': (text) =>
    `<p><a href="https://portal.example/?q=${encodeURIComponent(text)}">Noted.</a></p>`,
  'meta element': (text) => `<meta name="description" content="${text}"><p>Noted.</p>`,
  'document title': (text) => `<title>${text}</title><p>Noted.</p>`,
  'variable of style': (text) => `<p style="--note:'${text}'">Noted.</p>`,
  'custom element': (text) => `<x-note note="${text}">Noted.</x-note>`,
  'object as data': (text) =>
    `<object data="data:text/plain,${encodeURIComponent(text)}"></object>`,
};

const idOf = (text: string): string => Buffer.from(text).toString('hex').slice(-16);

const htmlTricks = Object.entries(hidingMethods).map(
  ([name, hide]): Trick => ({
    name: `html ${name}`,
    build(maker, isHonest) {
      const above = maker
        .prose({ channel: 'plain text', page: 1, types: trickTypes }, 4, 1)
        .map(textOfLine);
      const lines = makeLines(maker, name).map(textOfLine);
      const body = [
        ...above.map((text) => `<p>${text}</p>`),
        ...lines.map((text) => (isHonest ? `<p>${text}</p>` : hide(text, maker))),
      ];
      const page = `<!doctype html><html><head><meta charset="utf-8"></head><body>${body.join('\n')}</body></html>`;
      return { mime: 'text/html', bytes: Buffer.from(page) };
    },
  }),
);

const pictureAsData: Trick = {
  name: 'html picture as data',
  async build(maker, isHonest) {
    const lines = makeLines(maker, 'picture as data');
    const picture = await plainPicture(await printLines(maker, lines))
      .png()
      .toBuffer();
    const body = isHonest
      ? lines.map((line) => `<p>${textOfLine(line)}</p>`).join('')
      : `<img src="data:image/png;base64,${picture.toString('base64')}">`;
    return {
      mime: 'text/html',
      bytes: Buffer.from(`<!doctype html><html><body>${body}</body></html>`),
    };
  },
};

/** Plain text formats, and the ways in which each can encode the letters of a value. */
const textFormats: Record<
  string,
  { mime: 'text/plain' | 'text/markdown' | 'text/csv'; hide: Hide }
> = {
  'text zero-width spaces': { mime: 'text/plain', hide: (text) => [...text].join('\u200b') },
  'text full width': {
    mime: 'text/plain',
    hide: (text) => hidingMethods['full width']!(text, null as never).slice(3, -4),
  },
  'text tabs': { mime: 'text/plain', hide: (text) => text.replace(': ', ':\t\t') },
  'text spaced out': { mime: 'text/plain', hide: (text) => text.replaceAll(' ', '   ') },
  'markdown comment': {
    mime: 'text/markdown',
    hide: (text) => `<!-- ${text.replaceAll('--', '')} -->`,
  },
  'markdown reference': {
    mime: 'text/markdown',
    hide: (text) => `[note][n]\n\n[n]: https://portal.example/ "${text}"`,
  },
  'markdown emphasis': {
    mime: 'text/markdown',
    hide: (text) => text.replace(/(\w{2})(?=\w)/g, '**$1**'),
  },
  'markdown escapes': { mime: 'text/markdown', hide: (text) => text.replace(/[-.@+()]/g, '\\$&') },
  'markdown entities': { mime: 'text/markdown', hide: toEntities },
  'markdown code': { mime: 'text/markdown', hide: (text) => `\`\`\`\n${text}\n\`\`\`` },
  'csv cells': {
    mime: 'text/csv',
    hide: (text) =>
      text
        .split(/(?<=: )/)
        .map((cell) => `"${cell}"`)
        .join(','),
  },
  'csv quotes': { mime: 'text/csv', hide: (text) => `"say ""${text}"""` },
};
const textTricks = Object.entries(textFormats).map(
  ([name, { mime, hide }]): Trick => ({
    name,
    build(maker, isHonest) {
      const lines = makeLines(maker, name).map(textOfLine);
      const quote = (text: string): string => (mime === 'text/csv' ? `"${text}"` : text);
      const hiddenLines = lines.map((text) => (isHonest ? quote(text) : hide(text, maker)));
      return {
        mime,
        bytes: Buffer.from(`${hiddenLines.join(mime === 'text/csv' ? '\n' : '\n\n')}\n`),
      };
    },
  }),
);

export const webTricks: readonly Trick[] = [...htmlTricks, pictureAsData, ...textTricks];
