import { decode, encode, encodingOf } from '@scriptorium/documents/files/encoding';
import { decodeLeniently } from '@scriptorium/documents/files/encoding/decoders';
import { expect } from 'chai';
import { decodeHtml } from '../../../packages/documents/src/files/html.ts';

/** Texts as bytes of an encoding, written as hex. */
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** The inverse of a decoder for texts of its single bytes and pairs of bytes. */
function encoded(text: string, name: string): Buffer {
  const codes = new Map<string, number[]>();
  for (let high = 255; high >= 0x80; high -= 1) {
    for (let low = 255; low >= 0x40; low -= 1) {
      const character = decodeLeniently(Uint8Array.of(high, low), name);
      if ([...character].length === 1) codes.set(character, [high, low]);
    }
  }
  for (let code = 0; code < 256; code += 1) {
    const character = decodeLeniently(Uint8Array.of(code), name);
    if (character !== '\ufffd') codes.set(character, [code]);
  }
  return Buffer.from([...text].flatMap((character) => codes.get(character) ?? [0x3f]));
}

describe('the encoding of a text', () => {
  const texts: [string, string, string][] = [
    ['German', 'windows-1252', 'Sehr geehrte Frau Müßig,\nwir bestätigen den Eingang – 35 €.'],
    ['French', 'windows-1252', 'Nous avons reçu votre lettre à l’été; le délai est dépassé.'],
    ['English with a price', 'windows-1252', 'The fee is £20 for each of the 3 rooms.'],
    ['Polish', 'windows-1250', 'Dziękujemy za zgłoszenie; odpowiedź wyślemy w środę.'],
    ['Czech', 'windows-1250', 'Děkujeme za přihlášku, ozveme se příští týden.'],
    ['Hungarian', 'iso-8859-2', 'Köszönjük a megrendelését, a szállítás időpontja később.'],
    ['Russian', 'windows-1251', 'Благодарим за письмо, ответим на этой неделе.'],
    ['Russian', 'koi8-r', 'Благодарим за письмо, ответим на этой неделе.'],
    ['Turkish', 'windows-1254', 'Başvurunuz için teşekkür ederiz, yarın görüşürüz.'],
    ['Greek', 'windows-1253', 'Ευχαριστούμε για το γράμμα σας.'],
    ['Japanese', 'shift_jis', 'お問い合わせありがとうございます。明日ご連絡します。'],
    ['Japanese', 'euc-jp', 'お問い合わせありがとうございます。明日ご連絡します。'],
    ['Korean', 'euc-kr', '문의해 주셔서 감사합니다. 내일 연락드리겠습니다.'],
    ['Chinese', 'gb18030', '感谢您的来信，我们明天会与您联系。'],
    ['Chinese', 'big5', '感謝您的來信，我們明天會與您聯絡。'],
  ];
  for (const [language, name, text] of texts) {
    it(`is recognised for ${language} in ${name}`, () => {
      expect(decode(encoded(text, name)).text).to.equal(text);
    });
  }

  it('is recognised for UTF-16 without a mark, also of letters without zero bytes', () => {
    for (const text of ['Dear all,\nsee below.', '感谢您的来信，我们明天会与您联系。\n']) {
      const little = Buffer.from(text, 'utf16le');
      expect(decode(little).text).to.equal(text);
      expect(decode(Buffer.from(little).swap16()).text).to.equal(text);
    }
  });

  it('is recognised by the escapes of ISO-2022-JP', () => {
    expect(decode(hex('1b2442 2422 1b2842 20 61')).text).to.equal('あ a');
  });

  it('is UTF-8 for a text with a few invalid bytes', () => {
    const bytes = Buffer.concat([Buffer.from('Žluťoučký kůň pěl ďábelské ódy'), hex('ff')]);
    expect(decode(bytes).text).to.equal('Žluťoučký kůň pěl ďábelské ódy\ufffd');
  });

  it('is the declared one where the bytes are valid in it', () => {
    const page = encoded('<meta charset="koi8-u"><p>Щиро Ваш, Їжак</p>', 'koi8-u');
    expect(decodeHtml(page)).to.include('Щиро Ваш, Їжак');
    const old = encoded(
      '<html><head><meta http-equiv="Content-Type" content="text/html; charset=big5"></head>謝</html>',
      'big5',
    );
    expect(decodeHtml(old)).to.include('謝');
  });

  it('is found although the declared one is invalid', () => {
    const page = encoded('<meta charset="utf-8"><p>Der Schlüssel für die Tür</p>', 'windows-1252');
    expect(decodeHtml(page)).to.include('Der Schlüssel für die Tür');
  });

  it('is null for data that is not text', () => {
    const noise = Buffer.from(Array.from({ length: 400 }, (_, at) => (at * 167 + (at >> 3)) % 256));
    for (const bytes of [noise, noise.subarray(0, 40), hex('89504e470d0a1a0a0000000d49484452')]) {
      expect(encodingOf(bytes)).to.equal(null);
    }
  });

  describe('when a text is written back', () => {
    it('is kept if the text is read the same way', () => {
      const bytes = encoded('Благодарим за письмо, ответим на этой неделе.', 'koi8-r');
      const { text, encoding } = decode(bytes);
      expect(Buffer.from(encode(text, encoding)).equals(bytes)).to.equal(true);
    });
    it('becomes UTF-8 with a mark if it lacks letters or can no longer be recognised', () => {
      const bytes = Buffer.from(encode('[PERSON], ĺ', { name: 'windows-1251', bom: false }));
      expect(bytes.toString()).to.equal('\ufeff[PERSON], ĺ');
      const wide = Buffer.from(encode('お [PERSON]', { name: 'shift_jis', bom: false }));
      expect(wide.toString()).to.equal('\ufeffお [PERSON]');
    });
  });

  const old: [string, string, string][] = [
    ['German', 'cp437', 'Straße und Überführung können geschäftlich genutzt werden. Größe ändern.'],
    [
      'German',
      'cp850',
      'Müller & Söhne, Köln:\n│ Größe │ 12 │\n└───────┴────┘\nÄnderungen möglich.',
    ],
    ['French', 'cp850', 'Les dépôts sont fermés; réouverture à la fin de l’été.'.replace('’', "'")],
    ['Spanish', 'cp850', 'El año próximo será más difícil para la compañía.'],
    ['Polish', 'cp852', 'Dziękujemy za zgłoszenie; odpowiedź wyślemy w środę.'],
    ['Czech', 'cp852', 'Děkujeme za přihlášku, ozveme se příští týden.'],
    ['Russian', 'ibm866', 'Благодарим за письмо, ответим на этой неделе.'],
    ['French', 'macintosh', 'Les dépôts sont fermés – réouverture à l’été. Naïve façade, cœur.'],
    ['German', 'macintosh', 'Sehr geehrte Frau Müßig, wir bestätigen den Eingang.'],
  ];
  for (const [language, name, text] of old) {
    it(`is recognised for ${language} in ${name}, as DOS and old Macs wrote it`, () => {
      expect(decode(encoded(text, name)).text).to.equal(text);
    });
  }

  it('is UTF-8 for all that is valid, with other bytes in Windows-1252', () => {
    const parts = ['The café is open.\nThe ', hex('6e61ef7665'), ' fa', hex('e7'), 'ade. 5 €'];
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
    expect(decode(bytes).text).to.equal('The café is open.\nThe naïve façade. 5 €');
    const large = Buffer.concat([
      Buffer.from('Plain.\n'.repeat(20_000)),
      Buffer.from('Ein Müller, zwei Bäcker, drei Käser, vier Gärtner. '),
      encoded('Fünf', 'windows-1252'),
    ]);
    expect(decode(large).text.slice(-13)).to.equal('Gärtner. Fünf');
  });

  it('is not mixed if bytes look like UTF-8 by chance', () => {
    for (const text of ['«CAFÉ» et «THÉ»', 'NÃO “SEI”: É»', 'MÃE £5 ©']) {
      expect(decode(encoded(text, 'windows-1252')).text).to.equal(text);
    }
  });

  it('is a code page of DOS where a container declares it', () => {
    const page = '<meta charset="ibm850"><p>\x9b\xb5</p>';
    expect(decodeHtml(Buffer.from(page, 'latin1'))).to.include('øÁ');
  });
});
