import { requestedTypes } from '@scriptorium/contracts/documents/profiles';
import { defaultConfidence } from '@scriptorium/contracts/operations';
import { createDetector } from '@scriptorium/pii';
import type { PiiFinding } from '@scriptorium/pii/finding';
import { expect } from 'chai';
import {
  createNameDetector,
  failedChecks,
  findSecret,
  redactBytes,
} from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const mail = 'm.quellwasser@mail.example';
const detector = createNameDetector(name, 'Ida Orr', 'Theodora Featherstonehaugh');

/** The detector of the service. */
const personal = createDetector({
  ...requestedTypes('personal'),
  minConfidence: defaultConfidence,
  customPatterns: [],
  allowList: [],
});

const mirrored = (text: string): string => [...text].reverse().join('');

/** The body, and what must be left of it; null if only the secret matters. */
const channels: Record<string, [string, string | null]> = {
  text: [`<p>I, ${name}, am.</p>`, '<p>I, [PERSON], am.</p>'],
  'over tags': ['<p>Mara <b>Quell</b>wasser am</p>', '<p>[PERSON]<b></b> am</p>'],
  'beside other elements': [
    `<label>Name</label><b>${name}</b><i>Phone</i>`,
    '<label>Name</label><b>[PERSON]</b><i>Phone</i>',
  ],
  'over lines': ['<p>Mara\n     Quellwasser am</p>', '<p>[PERSON] am</p>'],
  references: ['<p>Mara&nbsp;Quell&#x77;asser &lt;b></p>', '<p>[PERSON] &lt;b&gt;</p>'],
  'alternative text': [`<img src="a.png" alt="${name}">`, '<img src="a.png" alt="[PERSON]">'],
  title: [`<a href="b" title="${name}">x</a>`, '<a href="b" title="[PERSON]">x</a>'],
  target: ['<a href="mailto:m%2Equellwasser@mail.example">x</a>', '<a href="#redacted">x</a>'],
  'target twice encoded': ['<a href="/?q=Mara%2520Quellwasser">x</a>', '<a href="#redacted">x</a>'],
  'form field': [
    `<input value="${name}" placeholder="${mail}">`,
    '<input value="[PERSON]" placeholder="[EMAIL_ADDRESS]">',
  ],
  'hidden field': [
    `<input type="hidden" value="${name}">`,
    '<input type="hidden" value="[PERSON]">',
  ],
  textarea: [`<textarea>${name}</textarea>`, '<textarea>[PERSON]</textarea>'],
  option: [
    `<select><option value="${mail}">${name}</option></select>`,
    '<select><option value="[EMAIL_ADDRESS]">[PERSON]</option></select>',
  ],
  'form action': [`<form action="/u/${mail}"></form>`, '<form action="#redacted"></form>'],
  'data attribute': [`<p data-owner="${name}">x</p>`, '<p data-owner="[PERSON]">x</p>'],
  'name of an attribute': ['<p data-mara-quellwasser="1">x</p>', '<p>x</p>'],
  'label for readers': [`<p aria-label="${name}">x</p>`, '<p aria-label="[PERSON]">x</p>'],
  'encoded in data': [
    `<p data-a="${Buffer.from(`of ${name}.`).toString('base64')}" data-b='"M\\u0061ra Quellwasser"'>x</p>`,
    '<p data-a="[PERSON]" data-b="[PERSON]">x</p>',
  ],
  'attributes for keywords': [
    `<p lang="${name}"><a target="mara-quellwasser" rel="quellwasser">x</a></p>`,
    null,
  ],
  'class and id': ['<p class="mara-quellwasser big" id="quellwasser">x</p>', null],
  comment: [`x<!-- ${name} -->y`, 'xy'],
  script: [`x<script>var a = "${name}";</script>y`, 'xy'],
  style: [`x<style>p::after { content: "${name}" }</style>y`, 'xy'],
  'event handler': [`<p onclick="alert('${name}')">x</p>`, '<p>x</p>'],
  'style attribute': [`<p style="background: url('/${mail}')">x</p>`, '<p>x</p>'],
  frame: [`x<iframe srcdoc="${name}" src="/${mail}"></iframe>y`, 'xy'],
  object: [`x<object data="/${mail}">${name}</object>y`, 'xy'],
  'embedded data': [`x<img src="data:image/svg+xml,${name}">y`, 'x<img>y'],
  srcset: [`<img src="a.png" srcset="/${mail} 2x">`, '<img src="a.png">'],
  'code in a target': [`<a href=" java&#9;script:alert('${name}')">x</a>`, '<a>x</a>'],
  template: [`<template><p>${name}</p></template>`, '<template><p>[PERSON]</p></template>'],
  'not displayed': [
    `<p hidden style="display:none">${name}</p>`,
    '<p hidden="" style="display:none">[PERSON]</p>',
  ],
  'shown from the right': [
    `<p><bdo dir="rtl">${mirrored('Quellwasser')}<b>${mirrored('Mara ')}</b></bdo></p>`,
    '<p><span><b>[PERSON]</b></span></p>',
  ],
  'shown from the right by style': [
    `<p style="direction: RTL; unicode-bidi: bidi-override; color: red">${mirrored(name)}</p>`,
    '<p style="color:red">[PERSON]</p>',
  ],
  'shown from the right by characters': [
    `<p>\u202e${mirrored(name)}\u202c, once</p>`,
    '<p>[PERSON], once</p>',
  ],
  'letters between which others are not shown': [
    `<p>Mara<i style="display:none !important">x</i> Quell<i hidden>9</i>wasser</p>`,
    '<p>[PERSON]<i style="display:none">x</i><i hidden="">9</i></p>',
  ],
  'letters that are shown in another order': [
    `<p style="display:flex;order:2;margin:0 2px">x<i style="position:absolute;left:-9px;font-size:0;color:#fff">y</i></p>`,
    '<p style="margin:0 2px">x<i>y</i></p>',
  ],
  'letters in the colour of the ground': [
    '<table bgcolor="black"><tbody><tr><td><font color="#fff" face="Arial">x</font></td></tr></tbody></table>',
    '<table><tbody><tr><td><font face="Arial">x</font></td></tr></tbody></table>',
  ],
  'without scripts': [
    `<noscript><p>${name}</p></noscript>`,
    '<noscript><p>[PERSON]</p></noscript>',
  ],
  'raw text': [`<xmp>${name} <b></xmp>`, '<pre>[PERSON] &lt;b&gt;</pre>'],
  'own element': ['<mara-quellwasser>x</mara-quellwasser>', '<span>x</span>'],
  drawing: [`<svg><title>${name}</title><text>Mara <tspan>Quellwasser</tspan></text></svg>`, null],
  table: [
    `<table><tbody><tr><td>Mara</td><td>${name}</td></tr></tbody></table>`,
    '<table><tbody><tr><td>[PERSON]</td><td>[PERSON]</td></tr></tbody></table>',
  ],
};

const page = (body: string) =>
  `<!DOCTYPE html><html><head><title>t</title></head><body><p>${name} ${mail}</p>${body}</body></html>`;

describe('redaction of HTML', () => {
  for (const [channel, [body, wanted]] of Object.entries(channels)) {
    it(`removes a secret from: ${channel}`, async () => {
      const redacted = await redactBytes('html', page(body), detector);
      expect(failedChecks(redacted)).to.deep.equal([]);
      expect(findSecret(redacted.output!, name)).to.deep.equal([]);
      expect(findSecret(redacted.output!, mail)).to.deep.equal([]);
      if (wanted === null) return;
      expect(redacted.output?.toString()).to.equal(
        `<!DOCTYPE html><html><head><meta charset="utf-8"><title>t</title></head><body><p>[PERSON] [EMAIL_ADDRESS]</p>${wanted}</body></html>\n`,
      );
    });
  }

  it('reads data after its name, which tells what it is', async () => {
    const body = '<p data-user-name="mquell59" data-row="mquell60">x</p>';
    const redacted = await redactBytes('html', page(body), personal);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(redacted.output?.toString()).to.include(
      '<p data-user-name="[PERSONAL_ID]" data-row="mquell60">',
    );
  });

  it('reads the value of a form field after its label', async () => {
    const body = '<p><label>Customer number <input value="4471-22908"></label></p>';
    const redacted = await redactBytes('html', page(body), personal);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(redacted.output?.toString()).to.include('<input value="[PERSONAL_ID]">');
  });

  it('finds a name in an attribute behind a link', async () => {
    const title = 'Secondo Vittorio Quaribrese, la caldaia si è guastata due volte.';
    const body = `<a href="mailto:serena.castiglione6@kestrelmail.example?subject=Lease" title="${title}">x</a>`;
    const { output } = await redactBytes('html', page(body), personal);
    expect(output?.toString()).to.include('title="Secondo [PERSON], la caldaia');
  });

  it('finds a name with an underscore in place of its space', async () => {
    const { output } = await redactBytes('html', page('<p title="Ida_Orr">x</p>'), detector);
    expect(output?.toString()).to.include('title="[PERSON]"');
  });

  it('searches an attribute again if a finding begins in the previous one', async () => {
    const inOrder = (text: string): PiiFinding[] => {
      const both = /harbour\s+Quellwasser/.exec(text);
      if (both) return [{ type: 'PERSON', start: both.index, end: text.length, score: 0.9 }];
      const start = text.indexOf('Quellwasser');
      return start < 0 ? [] : [{ type: 'PERSON', start, end: start + 11, score: 0.9 }];
    };
    const body = '<p title="The harbour" aria-label="Quellwasser">x</p>';
    const { output } = await redactBytes('html', page(body), inOrder);
    expect(output?.toString()).to.include('<p title="The [PERSON]" aria-label="[PERSON]">');
  });

  it('does not join one attribute with the next', async () => {
    const both = (text: string) => {
      const start = text.indexOf('river');
      return start < 0 ? [] : [{ type: 'LOCATION' as const, start, end: start + 14, score: 1 }];
    };
    const page = '<p title="the river" aria-label="meadows">a</p><p aria-label="meadows">b</p>';
    const redacted = await redactBytes('html', page, both);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(redacted.result.removals.map(({ value }) => value)).to.deep.equal(['river']);
  });

  it('removes secrets from the head', async () => {
    const head = `<title>${name}</title><meta name="author" content="${name}"><meta http-equiv="refresh" content="0;url=/${mail}"><link rel="author" href="/${mail}"><base href="/${mail}/">`;
    const { output } = await redactBytes('html', `<head>${head}</head><p lang=en>x</p>`, detector);
    expect(output?.toString()).to.equal(
      '<html><head><meta charset="utf-8"><title>[PERSON]</title><meta name="author" content="[PERSON]"></head><body><p lang="en">x</p></body></html>\n',
    );
  });

  it('writes the same bytes for secrets of any length', async () => {
    const made = ['Ida Orr', name, 'Theodora Featherstonehaugh'].map(async (secret) => {
      const [first, last] = secret.split(' ');
      const body = `<p>${first}\n<b>${last}</b>, once <i title="${secret}">${last}</i> <a href="/${first}_${last}">x</a><!--${secret}--></p>`;
      return (await redactBytes('html', `<body>${body}`, detector)).output;
    });
    const texts = (await Promise.all(made)).map(String);
    expect(new Set(texts).size).to.equal(1);
    expect(texts[0]).to.contain('[PERSON]');
  });

  it('reports the text of the page by line', async () => {
    const body = '<h1>On  us</h1><ul><li>Mara\n<b>Quellwasser</b></li><li>x<br>y</li></ul>';
    const { result } = await redactBytes('html', `<body>${body}`, detector);
    expect(result.pages).to.deep.equal(['On us\n[PERSON]\nx\ny']);
  });

  it('reads back a page with very many elements', async () => {
    const redacted = await redactBytes('html', `${'<br>'.repeat(200_000)}${name}`, detector);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(findSecret(redacted.output!, name)).to.deep.equal([]);
  });

  it('reads other encodings and writes UTF-8', async () => {
    const source = Buffer.from(
      '<meta charset="iso-8859-2"><p>\xb3\xf3d\xbc Mara Quellwasser',
      'latin1',
    );
    const { output } = await redactBytes('html', source, detector);
    expect(output?.toString()).to.contain('<meta charset="utf-8">').and.contain('łódź [PERSON]');
  });
});
