import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { quarteredPicture } from '../../support/pictures.ts';
import { type ImagingFixture, openImagingFixture } from './fixture.ts';

const segment = (mark: number, ...parts: (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.from([0xff, mark, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

const names =
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"';
const packet = (content: string, attributes = ''): string =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${names}><rdf:Description rdf:about="" ${attributes}>${content}</rdf:Description></rdf:RDF></x:xmpmeta>${' '.repeat(200)}<?xpacket end="w"?>`;
const xmp = (text: string): Buffer => segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', text);

/** Datasets of record 2 as a block of IPTC. */
const block = (values: Record<number, string | Buffer>, charset = ''): Buffer =>
  Buffer.concat(
    [
      ...(charset === '' ? [] : [[1, 90, charset] as const]),
      ...Object.entries(values).map(([id, value]) => [2, Number(id), value] as const),
    ].flatMap(([record, id, value]) => {
      const bytes = Buffer.from(value);
      const head = Buffer.from([0x1c, record, id, 0, 0]);
      head.writeUInt16BE(bytes.length, 3);
      return [head, bytes];
    }),
  );
const resource = (id: number, data: Buffer): Buffer => {
  const head = Buffer.from('8BIM\0\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt16BE(id, 4);
  head.writeUInt32BE(data.length, 8);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};
const iptc = (data: Buffer, ...more: Buffer[]): Buffer =>
  segment(0xed, 'Photoshop 3.0\0', ...more, resource(0x0404, data));

describe('what a picture says of itself', () => {
  let fixture: ImagingFixture;
  before(async () => {
    fixture = await openImagingFixture();
  });
  after(() => fixture.close());

  async function readAll(segments: Buffer[], exif: Record<string, Record<string, string>> = {}) {
    const bytes = await quarteredPicture(60, 40).withExif(exif).jpeg().toBuffer();
    const whole = Buffer.concat([bytes.subarray(0, 2), ...segments, bytes.subarray(2)]);
    return fixture.read(whole, 'image/jpeg');
  }
  async function read(...given: Parameters<typeof readAll>) {
    const { capturedAt, title, rating } = await readAll(...given);
    return { capturedAt, title, rating };
  }

  it('is read from XMP, as elements or as attributes', async () => {
    const elements = packet(
      '<dc:title><rdf:Alt><rdf:li xml:lang="de">Kran</rdf:li><rdf:li xml:lang="x-default"> Crane at\ndusk </rdf:li></rdf:Alt></dc:title>' +
        '<exif:DateTimeOriginal>2022-03-04T05:06:07+01:00</exif:DateTimeOriginal><xmp:Rating>4</xmp:Rating>',
    );
    const expected = { capturedAt: '2022-03-04T04:06:07.000Z', title: 'Crane at dusk', rating: 4 };
    expect(await read([xmp(elements)])).to.deep.equal(expected);
    const attributes = packet(
      '<dc:title>Crane at dusk</dc:title>',
      'photoshop:DateCreated="2022-03-04T04:06:07" xmp:Rating="4"',
    );
    expect(await read([xmp(attributes)])).to.deep.equal(expected);
  });

  it('is read from IPTC, in its encodings', async () => {
    const data = { 5: 'Crane', 55: '20210203', 60: '040506-0330' };
    expect(await read([iptc(block(data))])).to.deep.equal({
      capturedAt: '2021-02-03T07:35:06.000Z',
      title: 'Crane',
      rating: null,
    });
    const titleOf = async (value: string | Buffer, charset = '') =>
      (await read([iptc(block({ 5: value }, charset))])).title;
    expect(await titleOf('Größe', '\x1b%G')).to.equal('Größe');
    expect(await titleOf('Größe')).to.equal('Größe');
    expect(await titleOf(Buffer.from('Größe', 'latin1'))).to.equal('Größe');
  });

  it('names who made it, and their copyright', async () => {
    const creditsOf = async (...given: Parameters<typeof readAll>) => {
      const { creator, copyright } = await readAll(...given);
      return [creator, copyright];
    };
    const inXmp = xmp(
      packet(
        '<dc:creator><rdf:Seq><rdf:li>Ada Vane</rdf:li><rdf:li>Bo Lund</rdf:li></rdf:Seq></dc:creator><dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Ada Vane</rdf:li></rdf:Alt></dc:rights>',
      ),
    );
    const inIptc = iptc(
      Buffer.concat([block({ 80: 'Cy Dunn' }), block({ 80: 'Di Eck', 116: '© Cy Dunn' })]),
    );
    const inExif = { IFD0: { Artist: ' Eve Fox ', Copyright: '(c) Eve Fox' } };
    expect(await creditsOf([inXmp, inIptc], inExif)).to.deep.equal(['Eve Fox', '(c) Eve Fox']);
    expect(await creditsOf([inXmp, inIptc])).to.deep.equal(['Ada Vane; Bo Lund', '© Ada Vane']);
    expect(await creditsOf([inIptc])).to.deep.equal(['Cy Dunn; Di Eck', '© Cy Dunn']);
    expect(await creditsOf([], { IFD0: { Artist: ' ' } })).to.deep.equal([null, null]);
    const long = { IFD0: { Artist: 'x'.repeat(9_000) } };
    expect(await creditsOf([], long)).to.deep.equal(['x'.repeat(500), null]);
  });

  it('is read in the order of the Metadata Working Group', async () => {
    const data = block({ 5: 'From IPTC', 55: '20210203', 60: '000000' });
    const text = xmp(
      packet(
        '<dc:title>From XMP</dc:title><photoshop:DateCreated>2022-02-02T00:00</photoshop:DateCreated>',
      ),
    );
    const exif = { IFD2: { DateTimeOriginal: '2020:01:01 00:00:00' } };
    expect(await read([text, iptc(data)], exif)).to.include({
      capturedAt: '2020-01-01T00:00:00.000Z',
      title: 'From XMP',
    });
    expect(await read([text, iptc(data)])).to.include({
      capturedAt: '2022-02-02T00:00:00.000Z',
      title: 'From XMP',
    });
    // A digest of other bytes: a program has changed IPTC since, and did not know XMP.
    const stale = resource(0x0425, createHash('md5').update('before').digest());
    expect(await read([text, iptc(data, stale)])).to.include({
      capturedAt: '2021-02-03T00:00:00.000Z',
      title: 'From IPTC',
    });
    const fresh = resource(0x0425, createHash('md5').update(data).digest());
    expect((await read([text, iptc(data, fresh)])).title).to.equal('From XMP');
  });

  it('falls back on the time when it was digitised, and on that alone', async () => {
    const at = async (exif: Record<string, string>, ...segments: Buffer[]) =>
      (await read(segments, { IFD2: exif })).capturedAt;
    const digitized = { DateTimeDigitized: '2023:05:06 07:08:09', OffsetTimeDigitized: '+02:00' };
    expect(await at(digitized)).to.equal('2023-05-06T05:08:09.000Z');
    const none = { ...digitized, DateTimeOriginal: '0000:00:00 00:00:00' };
    expect(await at(none)).to.equal('2023-05-06T05:08:09.000Z');
    const original = xmp(packet('<exif:DateTimeOriginal>2019-01-01</exif:DateTimeOriginal>'));
    expect(await at(digitized, original)).to.equal('2019-01-01T00:00:00.000Z');
    const created = xmp(packet('<xmp:CreateDate>2018-01-01T10:00Z</xmp:CreateDate>'));
    expect(await at({}, created)).to.equal('2018-01-01T10:00:00.000Z');
    const modified = xmp(packet('<xmp:ModifyDate>2018-01-01T10:00Z</xmp:ModifyDate>'));
    expect(await at({}, modified)).to.equal(null);
  });

  it('is null where it is not plausible or not well-formed', async () => {
    const nothing = { capturedAt: null, title: null, rating: null };
    const texts = [
      packet('<xmp:Rating>0</xmp:Rating><dc:title> </dc:title>'),
      packet('<xmp:Rating>-1</xmp:Rating><exif:DateTimeOriginal>2022</exif:DateTimeOriginal>'),
      packet(
        '<xmp:Rating>9</xmp:Rating><exif:DateTimeOriginal>2022-02-31T00:00Z</exif:DateTimeOriginal>',
      ),
      packet('<exif:DateTimeOriginal>0001-01-01T00:00Z</exif:DateTimeOriginal>'),
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><unfinished',
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    ];
    for (const text of texts) expect(await read([xmp(text)]), text).to.deep.equal(nothing);
    const broken = [
      segment(0xed, 'Photoshop 3.0\0', '8BIM'),
      iptc(Buffer.from([0x1c, 2, 5, 0xff, 0xff, 1])),
      iptc(block({ 55: '20219999', 60: '999999' })),
    ];
    for (const one of broken) expect(await read([one])).to.deep.equal(nothing);
  });

  it('is read from PNG, WebP and TIFF as well', async () => {
    const text = packet('<dc:title>Crane</dc:title><xmp:Rating>2</xmp:Rating>');
    for (const format of ['png', 'webp', 'tiff'] as const) {
      const bytes = await quarteredPicture(60, 40).withXmp(text)[format]().toBuffer();
      const reading = await fixture.read(bytes, `image/${format}`);
      expect(reading, format).to.include({ title: 'Crane', rating: 2 });
    }
  });
});
