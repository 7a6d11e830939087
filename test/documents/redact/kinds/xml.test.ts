import { gzipSync } from 'node:zlib';
import { EngineError } from '@scriptorium/documents';
import { expect } from 'chai';
import {
  createNameDetector,
  failedChecks,
  findSecret,
  redactBytes,
} from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const detector = createNameDetector(name, 'Ida Orr', 'Zoë Ångström');
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const svgHead =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

async function redact(kind: 'xml' | 'svg', text: string | Uint8Array) {
  const made = await redactBytes(kind, text, detector);
  expect(failedChecks(made)).to.deep.equal([]);
  expect(findSecret(made.output!, name)).to.deep.equal([]);
  return { text: made.output!.toString().replace(head, ''), result: made.result };
}

async function codeOf(kind: 'xml' | 'svg', bytes: string | Uint8Array): Promise<string> {
  const error: unknown = await redactBytes(kind, bytes, detector).catch(
    (thrown: unknown) => thrown,
  );
  return error instanceof EngineError ? error.code : 'no error';
}

/** Content in a root element, and what must be left of it. */
const xmlChannels: Record<string, [string, string]> = {
  text: [`<a>of ${name}</a>`, '<a>of [PERSON]</a>'],
  'text over elements': ['<p>I, Mara <b>Quell</b>wasser, am</p>', '<p>I, [PERSON]<b></b>, am</p>'],
  'elements side by side': [
    `<a>Name</a><b>${name}</b><c>Phone</c>`,
    '<a>Name</a><b>[PERSON]</b><c>Phone</c>',
  ],
  attribute: [`<a who="${name}" no="12"/>`, '<a who="[PERSON]" no="12"/>'],
  'character data': [`<a><![CDATA[<${name}>]]></a>`, '<a>&lt;[PERSON]&gt;</a>'],
  references: ['<a>M&#97;ra Quell&#x77;asser</a>', '<a>[PERSON]</a>'],
  'encoded address': [
    '<a href="https://x.example/?q=Mara%20Quellwasser"/>',
    '<a href="#redacted"/>',
  ],
  'number in an attribute': ['<a no="4111111111111111"/>', '<a no="[CREDIT_CARD]"/>'],
  'names of elements and attributes': [
    `<quellwasser mara-quellwasser="1">${name}</quellwasser>`,
    '<redacted2 redacted3="1">[PERSON]</redacted2>',
  ],
  'name of a namespace': [
    `<a xmlns="urn:mara:quellwasser">${name}</a>`,
    '<a xmlns="urn:redacted">[PERSON]</a>',
  ],
  'comments and instructions': [`<a><!-- ${name} --><?x ${name}?>b</a>`, '<a>b</a>'],
  'files in base64': [
    `<a>${Buffer.from(`${name}. `.repeat(40)).toString('base64')}</a><b src="data:text/plain,${name}"/>`,
    '<a></a><b src=""/>',
  ],
};

describe('redaction of XML', () => {
  for (const [channel, [body, wanted]] of Object.entries(xmlChannels)) {
    it(`removes a secret from: ${channel}`, async () => {
      const { text } = await redact('xml', `<r>${body}<n>${name}</n></r>`);
      expect(text).to.equal(`<r>${wanted}<n>[PERSON]</n></r>`);
    });
  }

  it('tells the detector the name of an element, in words', async () => {
    const seen: string[] = [];
    await redactBytes(
      'xml',
      '<r><birthDate>1971-03-12</birthDate><a due_date="x"/></r>',
      (text) => {
        seen.push(text);
        return [];
      },
    );
    expect(seen).to.include('birth date: 1971-03-12\n');
    expect(seen).to.include('due date: x\n');
  });

  it('reads the declared encoding', async () => {
    const source = '<?xml version="1.0" encoding="ISO-8859-1"?><r>Zoë Ångström, Øre</r>';
    const { text } = await redact('xml', Buffer.from(source, 'latin1'));
    expect(text).to.equal('<r>[PERSON], Øre</r>');
  });

  it('rejects damaged files, and files that define entities', async () => {
    expect(await codeOf('xml', `<a>${name}`)).to.equal('damaged');
    expect(await codeOf('xml', `<!DOCTYPE a [<!ENTITY b "${name}">]><a>&b;</a>`)).to.equal(
      'unsupported',
    );
    expect(await codeOf('xml', '<a>'.repeat(300) + '</a>'.repeat(300))).to.equal('too_large');
    const encoding = '<?xml version="1.0" encoding="x-none"?><a/>';
    expect(await codeOf('xml', encoding)).to.equal('damaged');
  });
});

const letterPath = `M ${'1 2 Q 3 4 5 6 '.repeat(8)}Z`;

/** Content of a drawing, and what must be left of it. */
const svgChannels: Record<string, [string, string]> = {
  text: [`<text x="1" y="2">of ${name}</text>`, '<text x="1" y="2">of [PERSON]</text>'],
  'letters one by one': [
    `<text>${[...name].map((letter) => `<tspan dx="1">${letter}</tspan>`).join('')}</text>`,
    '<text><tspan dx="1">[PERSON]</tspan></text>',
  ],
  'letters with positions': [
    `<text x="${[...name].map((_, at) => at).join(' ')}" textLength="90">${name}</text>`,
    '<text x="0">[PERSON]</text>',
  ],
  'title, description and labels': [
    `<g aria-label="${name}"><title>${name}</title><desc>${name}</desc></g>`,
    '<g aria-label="[PERSON]"><title>[PERSON]</title><desc>[PERSON]</desc></g>',
  ],
  'target of a link': [
    '<a xlink:href="https://x.example/Mara%20Quellwasser"><text>x</text></a>',
    '<a xlink:href="#redacted"><text>x</text></a>',
  ],
  'name of an element': [`<g id="mara-quellwasser"/>`, '<g id="[PERSON]"/>'],
  'scripts, styles, metadata and handlers': [
    `<script>"${name}"</script><style>a{content:"${name}"}</style><metadata>${name}</metadata><g onclick="${name}" style="--a:'${name}'" data-a="${name}"/>`,
    '<g/>',
  ],
  'foreign content': [
    `<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">${name}</p></foreignObject><x:a xmlns:x="urn:x">${name}</x:a>`,
    '',
  ],
  pictures: [
    `<image x="1" y="2" width="3" height="4" href="file:///${name}.png"/>`,
    '<rect x="1" y="2" width="3" height="4" fill="#808080"/>',
  ],
  'references to other files': [
    `<use href="${name}.svg#a"/><rect fill="url(${name}.svg#b)" width="1"/><use href="#a"/>`,
    '<use/><rect width="1"/><use href="#a"/>',
  ],
  'shapes that may be letters': [
    `<path d="${letterPath}"/><path d="M 0 0 L 10 0"/><polygon points="0,0 1,0 1,1"/>`,
    '<path d="M 0 0 L 10 0"/><polygon points="0,0 1,0 1,1"/>',
  ],
};

describe('redaction of SVG', () => {
  for (const [channel, [body, wanted]] of Object.entries(svgChannels)) {
    it(`removes a secret from: ${channel}`, async () => {
      const { text } = await redact('svg', `${svgHead}>${body}<text>${name}</text></svg>`);
      expect(text).to.equal(`${svgHead}>${wanted}<text>[PERSON]</text></svg>`);
    });
  }

  it('reports pictures, foreign content and shapes that were removed', async () => {
    const body = `<image href="a.png"/><foreignObject/><path d="${letterPath}"/>`;
    const { result } = await redact('svg', `${svgHead}>${body}</svg>`);
    expect(result.picturesReplaced).to.equal(1);
    expect(result.dropped).to.deep.equal(['foreignObject', 'path']);
  });

  it('removes so many shapes that they may draw letters together', async () => {
    const pixels = '<rect width="1"/>'.repeat(401);
    const { text, result } = await redact('svg', `${svgHead}>${pixels}</svg>`);
    expect(text).to.equal(`${svgHead}/>`);
    expect(result.dropped).to.deep.equal(['rect']);
  });

  it('reads compressed drawings', async () => {
    const { text } = await redact('svg', gzipSync(`${svgHead}><text>${name}</text></svg>`));
    expect(text).to.equal(`${svgHead}><text>[PERSON]</text></svg>`);
    expect(await codeOf('svg', gzipSync('x').subarray(0, 12))).to.equal('damaged');
    expect(await codeOf('svg', gzipSync(Buffer.alloc(2 ** 26 + 1)))).to.equal('too_large');
  });

  it('rejects other XML', async () => {
    expect(await codeOf('svg', '<a/>')).to.equal('unsupported');
    expect(await codeOf('svg', '<svg/>')).to.equal('unsupported');
  });
});
