import { expect } from 'chai';
import { readMailDocument } from '../../../packages/documents/src/normalize/kinds/mail/index.ts';
import { markdownOf } from '../../../packages/documents/src/normalize/write/markdown.ts';

const read = (...lines: string[]) => readMailDocument(Buffer.from(lines.join('\r\n'), 'latin1'));
const markdown = (...lines: string[]): string =>
  [...markdownOf(read(...lines).blocks)].join('').trimEnd();
const html = (body: string): string =>
  markdown('Subject: S', 'Content-Type: text/html; charset=utf-8', '', body);

describe('a normalised e-mail', () => {
  it('has its subject as title and heading, and the fields that people read', () => {
    const lines = [
      'Received: from a.example by b.example; Mon, 2 Nov 2026 10:00:00 +0000',
      'From: =?utf-8?Q?J=C3=BCrg_M?= =?utf-8?B?w7xsbGVy?= <j@example.com>',
      'To: a@example.com,',
      ' b@example.com',
      'Subject: =?iso-8859-1?Q?Gr=FC=DFe?= from us',
      '',
      'Dear all,',
    ];
    expect(markdown(...lines)).to.equal(
      '# Grüße from us\n\nFrom: Jürg Müller \\<j@example.com>  \nTo: a@example.com, b@example.com\n\nDear all,',
    );
    expect(read(...lines).title).to.equal('Grüße from us');
  });

  it('reads encodings of text: quoted-printable, base64, any set of letters, flowed lines', () => {
    const body = (type: string, encoding: string, text: string) =>
      markdown(
        'Subject: S',
        `Content-Type: ${type}`,
        `Content-Transfer-Encoding: ${encoding}`,
        '',
        text,
      );
    expect(
      body('text/plain; charset=koi8-r', 'quoted-printable', '=F0=D2=C9=D7=\r\n=C5=D4'),
    ).to.include('Привет');
    expect(body('text/plain; charset="shift_jis"', 'base64', 'k/qWew==')).to.include('日本');
    expect(body('text/plain', '8bit', 'Sch\xf6ne Gr\xfc\xdfe')).to.include('Schöne Grüße');
    expect(
      body('text/plain; format=flowed', '7bit', 'A line that \r\ngoes on.\r\nAnother.'),
    ).to.include('A line that goes on.  \nAnother.');
  });

  it('prefers HTML, and lists attachments and inner messages', () => {
    const lines = [
      'Subject: Outer',
      'Content-Type: multipart/mixed; boundary="m"',
      '',
      '--m',
      'Content-Type: multipart/alternative; boundary=a',
      '',
      '--a',
      'Content-Type: text/plain',
      '',
      'plain form',
      '--a',
      'Content-Type: text/html',
      '',
      '<h2>Rich</h2><p>form</p>',
      '--a--',
      '--m',
      "Content-Type: application/pdf; name*0*=utf-8''R%C3%A9; name*1*=sum%C3%A9.pdf",
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERg==',
      '--m',
      'Content-Type: message/rfc822',
      '',
      'Subject: Inner',
      '',
      'forwarded words',
      '--m--',
    ];
    expect(markdown(...lines)).to.equal(
      '# Outer\n\n## Rich\n\nform\n\n## Attachments\n\n- Résumé.pdf (application/pdf, 4 bytes)\n\n## Inner\n\nforwarded words',
    );
  });

  it('reads the names of attachments in all forms, also with a character in two pieces', () => {
    const names: [string, string][] = [
      ["filename*0*=UTF-8''%E2%82; filename*1*=%AC.pdf", '€.pdf'],
      ["filename*1*=%AC.pdf; filename*0*=UTF-8''%E2%82", '€.pdf'],
      ["filename*0*=shift_jis'ja'%93; filename*1*=%FA%96%7B; filename*2=.pdf", '日本.pdf'],
      ['filename="fallback.pdf"; filename*=UTF-8\'\'%E2%82%AC%20rates.pdf', '€ rates.pdf'],
      ['filename*=UTF-8\'\'%E2%82%AC.pdf; filename="fallback.pdf"', '€.pdf'],
      ['filename*0="annual rep"; filename*1="ort.pdf"', 'annual report.pdf'],
      ['filename="=?utf-8?Q?=E2=82=AC?= =?utf-8?Q?.pdf?="', '€.pdf'],
      ['filename*0="=?utf-8?Q?=E2=82=AC?="; filename*1=".pdf"', '€.pdf'],
      ["filename*=''100%.pdf", '100%.pdf'],
    ];
    for (const [parameter, name] of names) {
      const { attached } = read(
        'Subject: S',
        'Content-Type: application/pdf',
        `Content-Disposition: attachment; ${parameter}`,
        '',
        '%PDF-',
      );
      expect(
        attached?.map(({ filename }) => filename),
        parameter,
      ).to.deep.equal([name]);
    }
  });

  it('shows what a reader sees: no previews, pixels, markers for other programs or layout tables', () => {
    const text = html(
      '<div style="display:none;max-height:0">Preview</div><div style="font-size:0px">hidden</div>' +
        '<div>&#847;&zwnj;&nbsp;&#847;&zwnj;</div>' +
        '<table><tr><td>&nbsp;</td><td><table><tr><td>One</td></tr><tr><td>Two</td></tr></table></td></tr></table>' +
        '<!--[if mso]><p>only Outlook</p><![endif]--><img src="https://t.example/x" width="1px" height="1">' +
        "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>First<o:p></o:p></p>" +
        "<p style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>a)</span>Below</p><p><o:p>&nbsp;</o:p></p>" +
        '<table><tr><td>Item</td><td>Price</td></tr><tr><td>Roof</td><td>£9</td></tr></table>',
    );
    expect(text).to.equal(
      '# S\n\nOne\n\nTwo\n\n- First\n    - a) Below\n\n| Item | Price |\n| - | - |\n| Roof | £9 |',
    );
  });

  it('is bounded for endless nesting and many parts', () => {
    const part = '--m\r\nContent-Type: text/plain\r\n\r\nx\r\n';
    const many = ['Subject: S', 'Content-Type: multipart/mixed; boundary=m', '', part.repeat(2100)];
    expect(() => read(...many)).to.throw(/more than 2000 parts/);
    const deep = 'Content-Type: message/rfc822\r\n\r\n'.repeat(30);
    expect(() => read('Subject: S', `${deep}Subject: T\r\n\r\nend`)).to.throw(/levels/);
  });

  it('reports parts that hold its text in a form that is not read, and no others', () => {
    const unread = (type: string, body = 'words', ...more: string[]) =>
      read('Subject: S', 'From: a@example.com', `Content-Type: ${type}`, ...more, '', body).unread;
    const complete =
      `text/plain text/html text/markdown text/enriched message/rfc822 application/pdf image/png
      text/calendar text/x-vcard message/delivery-status application/pgp-signature
      application/octet-stream text/rtf audio/wav`.split(/\s+/);
    for (const type of complete) expect(unread(type), type).to.deep.equal([]);
    const reported = [
      'application/pkcs7-mime',
      'application/x-pkcs7-mime',
      'application/pgp-encrypted',
      'application/ms-tnef',
      'application/vnd.ms-tnef',
      'message/partial',
      'message/external-body',
      'multipart/mixed',
      'multipart/new',
    ];
    for (const type of reported) expect(unread(type)).to.deep.equal([type]);
    const noise = Buffer.from(Array.from({ length: 400 }, (_, at) => (at * 167) % 256));
    expect(
      unread('text/plain', noise.toString('base64'), 'Content-Transfer-Encoding: base64'),
    ).to.deep.equal(['text/plain']);
  });
});
