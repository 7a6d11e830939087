import { expect } from 'chai';
import fc from 'fast-check';
import {
  cleanFilename,
  contentDisposition,
  extensionOf,
} from '../../../src/library/files/filename.ts';

describe('filenames', () => {
  describe('cleanFilename', () => {
    const cases: [string, string][] = [
      ['scan.pdf', 'scan.pdf'],
      ['/etc/passwd', 'passwd'],
      ['../../x.pdf', 'x.pdf'],
      ['C:\\Users\\me\\Scan 1.pdf', 'Scan 1.pdf'],
      ['dir/', 'dir'],
      ['..', 'file'],
      ['.', 'file'],
      ['', 'file'],
      ['   ', 'file'],
      ['\u0000\u202e\u200b', 'file'],
      ['///', 'file'],
      ['a\u0000b\r\nc.txt', 'abc.txt'],
      ['invoice\u202efdp.exe', 'invoicefdp.exe'],
      ['\u2066x\u2069.pdf', 'x.pdf'],
      ['e\u0301te\u0301.pdf', 'été.pdf'],
      ['\ud800bad.txt', 'bad.txt'],
      ['a<b>:"|?*.txt', 'a_b______.txt'],
      ['  two   spaces .txt  ', 'two spaces .txt'],
      ['name. . .', 'name'],
      ['.htaccess', '.htaccess'],
      ['文字 😀.png', '文字 😀.png'],
    ];
    for (const [given, clean] of cases) {
      it(`turns ${JSON.stringify(given)} into ${JSON.stringify(clean)}`, () => {
        expect(cleanFilename(given)).to.equal(clean);
      });
    }
    it('truncates to 255 bytes and keeps the extension', () => {
      const cut = cleanFilename(`${'文'.repeat(200)}.pdf`);
      expect(Buffer.byteLength(cut)).to.be.within(250, 255);
      expect(cut).to.match(/^文+\.pdf$/);
      expect(cleanFilename(`${'a'.repeat(1_000_000)}.jpeg`)).to.equal(`${'a'.repeat(250)}.jpeg`);
      expect(cleanFilename(`a.${'b'.repeat(400)}`)).to.equal(`a.${'b'.repeat(253)}`);
    });
    it('does not split a character', () => {
      const family = '👨‍👩‍👧';
      const cut = cleanFilename(`${'e\u0323\u0302'.repeat(200)}${family}.png`);
      expect(cut).to.match(/^ệ+\.png$/);
    });
    it('returns the default for an empty name', () => {
      expect(cleanFilename('', 'upload')).to.equal('upload');
    });
    it('returns a safe name for any input, and leaves it unchanged when called again', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (given) => {
          const clean = cleanFilename(given);
          expect(clean).not.to.equal('');
          expect(Buffer.byteLength(clean)).to.be.at.most(255);
          expect(clean).not.to.match(/[/\\\p{Cc}\p{Cf}]/u);
          expect(['.', '..']).not.to.include(clean);
          expect(cleanFilename(clean)).to.equal(clean);
        }),
      );
    });
  });

  describe('extensionOf', () => {
    for (const [name, extension] of [
      ['a.PDF', 'pdf'],
      ['a.tar.gz', 'gz'],
      ['.htaccess', ''],
      ['a', ''],
      ['a.', ''],
      ['a.b c', ''],
      ['dir.x/a', ''],
    ]) {
      it(`returns ${JSON.stringify(extension)} for ${name}`, () => {
        expect(extensionOf(name ?? '')).to.equal(extension);
      });
    }
  });

  describe('contentDisposition', () => {
    const cases: [string, string][] = [
      ['scan.pdf', 'attachment; filename="scan.pdf"'],
      ['été.pdf', `attachment; filename="ete.pdf"; filename*=UTF-8''%C3%A9t%C3%A9.pdf`],
      ['€ rates.csv', `attachment; filename="_ rates.csv"; filename*=UTF-8''%E2%82%AC%20rates.csv`],
      ["it's (1)*.txt", `attachment; filename="it's (1)_.txt"`],
      ['50%.txt', `attachment; filename="50_.txt"; filename*=UTF-8''50%25.txt`],
      ["é'()!.txt", `attachment; filename="e'()!.txt"; filename*=UTF-8''%C3%A9%27%28%29!.txt`],
      ['a"b\\c\r\nX: y.txt', 'attachment; filename="cX_ y.txt"'],
    ];
    for (const [name, header] of cases) {
      it(`encodes ${JSON.stringify(name)}`, () => {
        expect(contentDisposition(name)).to.equal(header);
      });
    }
    it('can be inline', () => {
      expect(contentDisposition('a.png', 'inline')).to.equal('inline; filename="a.png"');
    });
    it('is one header of printable ASCII from which any name can be decoded', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
          const header = contentDisposition(name);
          expect(header).to.match(
            /^attachment; filename="[^"\\%]*"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/,
          );
          expect(header).to.match(/^[\x20-\x7e]+$/);
          const encoded = /filename\*=UTF-8''(.*)$/.exec(header)?.[1];
          const plain = /filename="([^"]*)"/.exec(header)?.[1];
          expect(encoded === undefined ? plain : decodeURIComponent(encoded)).to.equal(
            cleanFilename(name),
          );
        }),
      );
    });
  });
});
