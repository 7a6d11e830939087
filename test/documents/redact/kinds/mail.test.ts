import { EngineError } from '@scriptorium/documents';
import { expect } from 'chai';
import { zipSync } from 'fflate';
import { mailKind } from '../../../../packages/documents/src/redact/kinds/mail/kind.ts';
import { entity, findInMail, inBase64, multipart, readWithPython } from '../../../support/mail.ts';
import { docx, paragraph, run, xlsx } from '../../../support/office.ts';
import { requirePython } from '../../../support/python.ts';
import {
  createNameDetector,
  failedChecks,
  mimes,
  type RedactedBytes,
  redactBytes,
} from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const address = 'm.quellwasser@mail.example';
const detector = createNameDetector(name, 'Ida Orr', 'Mära Quellwasser');

const redact = (bytes: Uint8Array): Promise<RedactedBytes> => redactBytes('mail', bytes, detector);

/** Redacts a message, and checks that no part of the output has the name or the address. */
async function parts(bytes: Uint8Array) {
  const redacted = await redact(bytes);
  expect(failedChecks(redacted)).to.deep.equal([]);
  const output = redacted.output!;
  const read = readWithPython(output);
  for (const secret of [name, address]) expect(findInMail(output, read, secret)).to.deep.equal([]);
  expect(read.flatMap(({ defects }) => defects)).to.deep.equal([]);
  return Object.assign(read, { result: redacted.result, output });
}

const head = [`From: ${name} <${address}>`, 'Subject: Lease', 'MIME-Version: 1.0'];
const plain = (text: string): Buffer => entity(['Content-Type: text/plain; charset=utf-8'], text);

/** Describes what the checks say about a file that is not quite what redaction writes. */
const disallowed = (text: string): string[] => mailKind.disallowedIn(Buffer.from(text, 'latin1'));

describe('messages', () => {
  before(async function () {
    await requirePython(this);
  });

  it('keep only known fields, and rewrite them', async () => {
    const [message] = await parts(
      entity(
        [
          `Return-Path: <${address}>`,
          `Received: from [192.0.2.1] (${name})`,
          '\tby mx.mail.example; Tue, 1 Dec 2026 04:16:56 +0100',
          `DKIM-Signature: v=1; i=${address}`,
          `ARC-Seal: i=1; d=${address}`,
          `Authentication-Results: mx; smtp.mailfrom=${address}`,
          `From: ${name} <${address}>`,
          `To: "Board" <board@club.example>, Ida Orr <ida@club.example>, ${address}`,
          'Cc: undisclosed-recipients:;',
          `Bcc: ${address}`,
          `Reply-To: ${address}`,
          `Sender: ${address}`,
          `Subject: For =?iso-8859-1?Q?M=E4ra_Quell?= =?iso-8859-1?Q?wasser?= and ${name}`,
          'Date: Tue, 1 Dec 2026 05:16:56 +0100 (CET)',
          `Message-ID: <1.${address}>`,
          `In-Reply-To: <0.${address}>`,
          `References: <0.${address}>`,
          `X-Originating-User: ${name}`,
          `List-Unsubscribe: <mailto:${address}>`,
          `Thread-Topic: ${name}`,
        ],
        'Hello.\r\n',
      ),
    );
    expect(message?.fields).to.deep.equal([
      ['From', '"[PERSON] [EMAIL_ADDRESS]":;'],
      ['To', '"[EMAIL_ADDRESS]":;, "[PERSON] [EMAIL_ADDRESS]":;, "[EMAIL_ADDRESS]":;'],
      ['Cc', 'undisclosed-recipients:;'],
      ['Date', 'Tue, 01 Dec 2026 04:16:56 +0000'],
      ['Subject', 'For [PERSON] and [PERSON]'],
      ['MIME-Version', '1.0'],
      ['Content-Type', 'text/plain; charset="utf-8"'],
      ['Content-Disposition', 'inline'],
      ['Content-Transfer-Encoding', 'base64'],
    ]);
    expect(message?.text).to.equal('Hello.\r\n');
  });

  it('lose the name before a removed address, but not its words elsewhere', async () => {
    const [message] = await parts(
      entity([`To: News of the "club" <${address}>`, 'Subject: News'], 'The News of the club'),
    );
    expect(message?.fields.slice(0, 2)).to.deep.equal([
      ['To', '"[EMAIL_ADDRESS]":;'],
      ['Subject', 'News'],
    ]);
    expect(message?.text).to.equal('The News of the club\r\n');
  });

  it('keep their recipients if asked to, but not those of attached messages', async () => {
    const inner = entity(['To: Zoe Brandt <zoe@b.example>', 'From: x'], 'from Zoe Brandt');
    const message = multipart(
      'mixed',
      [
        plain(`Dear Ida Brandt, ida@b.example. Yours, ${name} Brandt`),
        inBase64('message/rfc822', inner),
      ],
      [`From: ${name} <${address}>`, 'To: "Brandt, Ida" <ida@b.example>', 'Cc: zed@b.example'],
    );
    const names = createNameDetector(name, 'Ida Brandt', 'Brandt, Ida', 'Zoe Brandt');
    const { result, output } = await redactBytes('mail', message, names, { keepRecipients: true });
    expect(result.checks.filter(({ passed }) => !passed)).to.deep.equal([]);
    const read = readWithPython(output!);
    expect(read[0]?.fields.slice(0, 3)).to.deep.equal([
      ['From', '"[PERSON] [EMAIL_ADDRESS]":;'],
      ['To', '"Brandt, Ida" <ida@b.example>'],
      ['Cc', 'zed@b.example'],
    ]);
    expect(read[1]?.text).to.equal('Dear Ida Brandt, ida@b.example. Yours, [PERSON] Brandt\r\n');
    expect(read.at(-1)?.fields[1]).to.deep.equal(['To', '"[PERSON] [EMAIL_ADDRESS]":;']);
    expect(read.at(-1)?.text).to.equal('from [PERSON]\r\n');
  });

  it('keep names and addresses that are not removed', async () => {
    const [message] = await parts(
      entity(['From: =?utf-8?Q?K=C3=BCche?= <kitchen at club>', 'Subject: S'], 'x'),
    );
    expect(message?.fields.slice(0, 2)).to.deep.equal([
      ['From', 'Küche kitchen at club:;'],
      ['Subject', 'S'],
    ]);
  });

  const quotedPrintable = (text: string, charset: BufferEncoding): string =>
    [...Buffer.from(text, charset)]
      .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join('')
      .replace(/.{72}/g, '$&=\r\n');
  const bodies: Record<string, [fields: string[], body: string | Uint8Array]> = {
    plain: [['Content-Type: text/plain'], `I, ${name}, am.\r\n`],
    'without a type': [[], `I, ${name}, am.\r\n`],
    'quoted-printable': [
      ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'],
      quotedPrintable(`I, ${name}, am.\r\n`, 'utf8'),
    ],
    base64: [
      ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: BASE64'],
      Buffer.from(`I, ${name}, am.\r\n`).toString('base64'),
    ],
    'UTF-16 in base64': [
      ['Content-Type: text/plain; charset=utf-16le', 'Content-Transfer-Encoding: base64'],
      Buffer.from(`I, ${name}, am.\r\n`, 'utf16le').toString('base64'),
    ],
    flowed: [['Content-Type: text/plain; format=flowed'], 'I, Mara \r\nQuellwasser, am.\r\n'],
    enriched: [['Content-Type: text/enriched'], 'I, Mara <bold>Quell</bold>wasser, am.\r\n'],
  };
  for (const [what, [fields, body]] of Object.entries(bodies)) {
    it(`are read in every encoding: ${what}`, async () => {
      const [message] = await parts(entity([...head, ...fields], body));
      expect(message?.text).to.equal('I, [PERSON], am.\r\n');
    });
  }

  it('are read in the declared charset and written in UTF-8', async () => {
    const japanese = Buffer.from('1b2442467c4b5c1b2842', 'hex');
    for (const [charset, bytes, text] of [
      ['iso-8859-1', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'Grüße'],
      ['koi8-r', Buffer.from('f0d2c9d7c5d4', 'hex'), 'Привет'],
      ['iso-2022-jp', japanese, '日本'],
    ] as const) {
      const type = `Content-Type: text/plain; charset=${charset}`;
      const body = Buffer.concat([bytes, Buffer.from(`\r\n${name}`)]);
      const [message] = await parts(entity([...head, type], body));
      expect(message?.text).to.equal(`${text}\r\n[PERSON]\r\n`);
    }
  });

  it('are left out rather than read in a guessed charset', async () => {
    // Two bytes per letter, of which the first has only one.
    const broken = Buffer.concat([Buffer.from('bac4cab9', 'hex'), Buffer.from([0xa4, 13, 10])]);
    const type = 'Content-Type: text/plain; charset=euc-jp';
    const word = `=?euc-jp?B?${broken.toString('base64')}?=`;
    const read = await parts(
      multipart('mixed', [plain('x'), entity([type], broken)], [`Subject: a ${word} b`, 'From: x']),
    );
    expect(read[0]?.fields[1]).to.deep.equal(['Subject', 'a b']);
    expect(read.result.dropped).to.deep.equal(['text/plain']);
  });

  it('find a name that a reply has wrapped', async () => {
    const [message] = await parts(
      entity(head, '> we asked Mara\r\n> Quellwasser.\r\n> > Ida\r\n> > Orr\r\n'),
    );
    expect(message?.text).to.equal('> we asked [PERSON]\r\n> .\r\n> > [PERSON]\r\n> > \r\n');
  });

  it('keep their structure, with a name found in one part removed from all', async () => {
    const html = `<p>Dear <b>Mara</b> Quellwasser <img src="cid:logo@x"></p><script>1</script>`;
    const body = multipart('alternative', [
      plain(`Dear ${name}`),
      multipart('related', [
        entity(['Content-Type: text/html'], html),
        inBase64('image/png', 'xyz', 'Content-ID: <logo@x>'),
      ]),
    ]);
    const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>of Quellwasser</t></is></c></row>';
    const attached = (type: string, content: string | Uint8Array, file: string): Buffer =>
      inBase64(type, content, `Content-Disposition: attachment; filename="${file}"`);
    const read = await parts(
      multipart(
        'mixed',
        [
          body,
          attached(mimes.docx, docx(paragraph(run(name))), 'Quellwasser.docx'),
          attached('application/octet-stream', xlsx({ One: { rows } }), `${name}.XLSX`),
          attached('text/csv', `a;b\r\n1;${address}\r\n`, 'a.csv'),
          attached('text/html', `<p title="${name}">x`, 'a.html'),
          inBase64('text/rtf', `{\\rtf1 in {\\b Mara} Quellwasser}`, 'Content-Disposition: inline'),
        ],
        head,
      ),
    );
    expect(read.map(({ type, filename }) => (filename ? [type, filename] : type))).to.deep.equal([
      'multipart/mixed',
      'multipart/alternative',
      'text/plain',
      'multipart/related',
      'text/html',
      [mimes.docx, 'attachment-1.docx'],
      [mimes.xlsx, 'attachment-2.xlsx'],
      ['text/csv', 'attachment-3.csv'],
      ['text/html', 'attachment-4.html'],
      ['application/rtf', 'attachment-5.rtf'],
    ]);
    expect(read[2]?.text).to.equal('Dear [PERSON]\r\n');
    expect(read[4]?.text).to.contain('<p>Dear <b>[PERSON]</b> <img></p>');
    expect(read[7]?.text).to.equal('a;b\r\n1;[EMAIL_ADDRESS]\r\n');
    expect(read[9]?.text).to.contain('in {\\b [PERSON]}');
    expect(read.result.picturesReplaced).to.equal(2);
    expect(read.result.pages).to.have.length(1);
    expect(read.result.pages[0]).to.contain('of [PERSON]');
  });

  it('redact attached messages, however they are attached', async () => {
    const inner = entity(
      [`From: ${address}`, `Subject: ${name}`, `X-Secret: ${name}`],
      `from ${name}`,
    );
    const read = await parts(
      multipart(
        'mixed',
        [
          entity(['Content-Type: message/rfc822'], inner),
          inBase64('message/rfc822', inner, 'Content-Disposition: attachment; filename=a.eml'),
          inBase64(
            'application/octet-stream',
            inner,
            'Content-Disposition: attachment; filename=a.eml',
          ),
          multipart('digest', [entity([], inner)]),
        ],
        head,
      ),
    );
    const messages = read.filter(({ fields }) => fields.some(([field]) => field === 'Subject'));
    expect(messages.slice(1).map(({ text }) => text)).to.deep.equal(
      Array(4).fill('from [PERSON]\r\n'),
    );
    for (const { fields } of messages.slice(1)) {
      expect(fields.map(([field]) => field)).to.not.include('X-Secret');
      expect(fields[1]).to.deep.equal(['Subject', '[PERSON]']);
    }
  });

  it('leave out and name what cannot be redacted', async () => {
    const secret = `of ${name}`;
    const read = await parts(
      multipart(
        'mixed',
        [
          plain('x'),
          entity(['Content-Type: text/calendar'], `BEGIN:VCALENDAR\r\nORGANIZER;CN=${name}:x`),
          entity(['Content-Type: text/vcard; name=mara.vcf'], `BEGIN:VCARD\r\nFN:${name}`),
          inBase64('application/pdf', `%PDF-1.4 ${name}`),
          inBase64(`application/x-${name.replace(' ', '-')}`, secret),
          inBase64('application/ms-tnef', secret),
          inBase64(mimes.docx, `PK damaged ${name}`),
          entity(['Content-Type: text/plain; charset=utf-7'], '+AE0-ara Quellwasser'),
          entity(['Content-Type: text/plain', 'Content-Transfer-Encoding: x-uuencode'], secret),
          entity(['Content-Type: text/plain'], Buffer.from('ff00fe0102', 'hex')),
          entity(['Content-Type: message/delivery-status'], `Final-Recipient: ${address}`),
          multipart('signed', [plain('y'), inBase64('application/pkcs7-signature', secret)]),
        ],
        head,
      ),
    );
    expect(read.result.dropped).to.deep.equal([
      'another type',
      'application/ms-tnef',
      'application/pdf',
      'application/pkcs7-signature',
      mimes.docx,
      'message/delivery-status',
      'text/calendar',
      'text/plain',
      'text/vcard',
    ]);
    const note = '(A part of this message was removed here.)\r\n';
    const texts = read.map(({ text }) => text);
    expect(texts.filter((text) => text === note)).to.have.length(10);
    expect(texts).to.include('y\r\n');
  });

  it('remove files inside the text', async () => {
    const encoded = Buffer.from(name).toString('base64');
    const files = [
      `begin 644 a.txt\r\n0${encoded}\r\n\`\r\nend`,
      `-----BEGIN PGP MESSAGE-----\r\n\r\n${encoded}\r\n-----END PGP MESSAGE-----`,
      `> =ybegin line=128 size=9 name=a\r\n> ${encoded}\r\n> =yend size=9`,
      `-----BEGIN CERTIFICATE-----\r\n${encoded}`,
    ];
    const read = await parts(entity(head, `a\r\n${files.join('\r\nb\r\n')}`));
    const note = '(A file was removed here.)';
    expect(read[0]?.text).to.equal(
      `a\r\n${note}\r\nb\r\n${note}\r\nb\r\n> ${note}\r\nb\r\n${note}\r\n`,
    );
    expect(read.result.dropped).to.deep.equal(['file inside text']);
    expect(read[0]?.text).to.not.contain(encoded);
  });

  it('drop encoded words that cannot be read', async () => {
    const long = `=?utf-8?B?${Buffer.from(name.repeat(200)).toString('base64')}?=`;
    const [message] = await parts(
      entity([`Subject: a =?utf-7?Q?+AE0-ara?= ${long} b`, `From: ${long}`], 'x'),
    );
    expect(message?.fields[0]).to.deep.equal(['Subject', 'a b']);
    const [other] = await parts(
      entity(
        ['Subject: a', `From: <=?utf-8?B?${Buffer.from(name).toString('base64')}?=@b.invalid>`],
        'x',
      ),
    );
    expect(other?.fields[0]).to.deep.equal(['From', '"[PERSON]@b.invalid":;']);
  });

  it('let no decoded text end a field', async () => {
    const text = Buffer.from('a\r\nX-Evil: b\r\n\r\nc').toString('base64');
    const [message] = await parts(entity([`Subject: =?utf-8?B?${text}?=`, 'From: x'], 'x'));
    expect(message?.fields[1]).to.deep.equal(['Subject', 'a X-Evil: b c']);
  });

  it('write the same bytes for secrets of any length', async () => {
    const made = [name, 'Ida Orr'].map(async (secret) => {
      const fields = [
        `From: ${secret} <a@b.example>`,
        `Subject: ${secret}`,
        `Message-ID: ${secret}`,
      ];
      const attached = inBase64(
        'text/plain',
        secret,
        `Content-Disposition: attachment; filename="${secret}.txt"`,
      );
      return (
        await redact(multipart('mixed', [plain(secret), attached], fields, secret.slice(0, 3)))
      ).output;
    });
    const [one, other] = await Promise.all(made);
    expect(one?.toString()).to.equal(other?.toString());
  });

  it('can be redacted again without a change', async () => {
    const once = await parts(
      multipart(
        'mixed',
        [
          plain(`${name}\r\n> x\r\n`),
          inBase64('text/csv', 'a;b\r\n', 'Content-Disposition: attachment'),
        ],
        [...head, `Subject: ${'ü'.repeat(200)} ${name}`],
      ),
    );
    const twice = await redact(once.output);
    expect(twice.output?.toString()).to.equal(once.output.toString());
  });

  it('pass the checks only in the form in which redaction writes them', async () => {
    const { output } = await redact(
      multipart('mixed', [plain('x'), inBase64('text/html', '<p>y')], head),
    );
    const good = output!.toString();
    expect(disallowed(good)).to.deep.equal([]);
    const faults: [from: string | RegExp, to: string][] = [
      ['MIME-Version', `Received: ${name}\r\nMIME-Version`],
      ['MIME-Version', 'Message-ID: <1@x>\r\nMIME-Version'],
      ['Subject: ', 'Subject: a\r\nSubject: '],
      ['\r\n\r\n--', `\r\n\r\n${name}\r\n--`],
      [/--\r\n$/, `--\r\n${name}\r\n`],
      ['=\r\n\r\n--', `=\r\n\r\n${name}\r\n--`],
      ['Content-Disposition: inline', `Content-Disposition: inline; filename=${name}`],
      ['boundary="=_0001"', `boundary="=_0001"; x=${name}`],
      ['Content-Transfer-Encoding: base64', 'Content-Transfer-Encoding: 8bit'],
      ['eA0K', name],
      ['eA0K', '\xe9'],
      ['eA0K\r\n', 'eA0K\n'],
    ];
    for (const [from, to] of faults) {
      const changed = good.replace(from, to);
      expect(changed).to.not.equal(good);
      expect(disallowed(changed), `${from}`).to.not.deep.equal([]);
    }
    const script = Buffer.from('<script>1</script>').toString('base64');
    const withScript = good.replace(/(text\/html[\s\S]*?\r\n\r\n)[^-]*/, `$1${script}\r\n\r\n`);
    expect(disallowed(withScript)).to.deep.equal(['the element script']);
    expect(() => disallowed(good.replaceAll('text/html', 'text/calendar'))).to.throw(/type/);
    expect(disallowed(good.replaceAll('text/html', 'application/pdf'))).to.deep.equal([
      'a picture or PDF file',
    ]);
  });

  it('have no text that the checks do not search', async () => {
    const inner = entity(['Subject: in the inner subject', 'From: x'], 'in the inner body');
    const reading = mailKind.read(
      multipart(
        'mixed',
        [
          plain('in the text'),
          entity(['Content-Type: text/html'], '<p title="in an attribute">in the page'),
          inBase64(mimes.docx, docx(paragraph(run('in the document')))),
          entity(['Content-Type: message/rfc822'], inner),
        ],
        ['From: "in a name" <in@an-address.example>', `Subject: in the subjéct ${'x'.repeat(90)}`],
      ),
    );
    const { shown, hidden } = mailKind.textsOf(reading.write());
    const all = [...shown, ...hidden].join('\n');
    for (const text of [
      'in the text',
      'in an attribute',
      'in the page',
      'in the document',
      'in the inner subject',
      'in the inner body',
      'in a name',
      'in@an-address.example',
    ]) {
      expect(all).to.contain(text);
    }
  });

  it('are rejected if they are not messages or exceed the limits', async () => {
    const levels = (count: number): string => 'Content-Type: message/rfc822\r\n\r\n'.repeat(count);
    const many = Array.from({ length: 10_000 }, () => plain('x'));
    const attachedIn = (inner: Uint8Array): Buffer =>
      inBase64('message/rfc822', inner, 'Content-Disposition: attachment');
    let nested = entity(head, 'x');
    for (let level = 0; level < 25; level += 1) nested = attachedIn(nested);
    const bomb = zipSync({ 'a.xml': new Uint8Array(50 * 2 ** 20) });
    const bombs = Array.from({ length: 3 }, () => inBase64(mimes.docx, bomb));
    for (const [bytes, code, says] of [
      [multipart('mixed', bombs, head), 'too_large', /128 MiB unpacked/],
      [Buffer.from('no header\r\n\r\nat all'), 'unsupported', /not an e-mail/],
      [Buffer.from([0, 1, 2, 255, 254]), 'unsupported', /not an e-mail/],
      [Buffer.alloc(0), 'empty', /empty/],
      [multipart('mixed', many, head), 'too_large', /2000 parts/],
      [Buffer.from(`Subject: S\r\n${levels(30)}x`), 'too_large', /20 levels/],
      [nested, 'too_large', /20 levels/],
      [
        multipart('mixed', [plain('word '.repeat(25e5)), plain('word '.repeat(25e5))], head),
        'too_large',
        /24 million/,
      ],
    ] as const) {
      const error: unknown = await redact(bytes).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(EngineError).with.property('code', code);
      expect((error as EngineError).message).to.match(says);
    }
  });
});
