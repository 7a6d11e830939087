import { expect } from 'chai';
import { describeMetadata } from '../../../../../packages/documents/src/redact/check/metadata.ts';
import { stripJpx } from '../../../../../packages/documents/src/redact/remove/pdf/pictures/jpx.ts';

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(marker);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

function box(kind: string, body: Buffer): Buffer {
  const head = Buffer.from(`\0\0\0\0${kind}`, 'latin1');
  head.writeUInt32BE(body.length + 8);
  return Buffer.concat([head, body]);
}

const secret = segment(0xff64, Buffer.from('\0\x01Anna Secret', 'latin1'));
const nothing = Buffer.alloc(0);

/** A code stream of one tile-part; its header marks are real, their contents are not. */
function codestream(inMain: Buffer, inTile: Buffer): Buffer {
  const size = segment(0xff51, Buffer.alloc(39, 1));
  const tile = segment(0xff90, Buffer.alloc(8));
  const data = Buffer.from('ff93010203', 'hex');
  tile.writeUInt32BE(tile.length + inTile.length + data.length, 6);
  const start = Buffer.from('ff4f', 'hex');
  const end = Buffer.from('ffd9', 'hex');
  return Buffer.concat([start, size, inMain, tile, inTile, data, end]);
}

function file(picture: Buffer): Buffer {
  return Buffer.concat([
    box('jP  ', Buffer.from('0d0a870a', 'hex')),
    box('ftyp', Buffer.from('jpx \0\0\0\0jp2 ')),
    box('rreq', Buffer.alloc(22)),
    box('jp2h', Buffer.alloc(37)),
    box('xml ', Buffer.from('<name>Anna Secret</name>')),
    box('jp2c', picture),
    box('uuid', Buffer.from('Anna Secret')),
  ]);
}

describe('JPEG 2000 pictures', () => {
  it('keep only their pixels, and then pass the check', () => {
    const given = file(codestream(secret, secret));
    expect(describeMetadata('jp2', given)).to.be.a('string');
    const bare = stripJpx(given);
    expect(describeMetadata('jp2', bare)).to.equal(undefined);
    expect(bare.includes('Secret')).to.equal(false);
    expect(bare.includes('rreq')).to.equal(false);
    expect(bare.includes(codestream(nothing, nothing))).to.equal(true);
  });

  it('are treated alike as bare code streams', () => {
    for (const given of [codestream(secret, nothing), codestream(nothing, secret)]) {
      expect(describeMetadata('jp2', given)).to.be.a('string');
      expect(stripJpx(given)).to.deep.equal(codestream(nothing, nothing));
    }
    expect(describeMetadata('jp2', codestream(nothing, nothing))).to.equal(undefined);
  });

  it('are unchanged if they cannot be parsed, and do not pass', () => {
    const whole = file(codestream(secret, secret));
    for (const cut of [13, 40, whole.length - 30, codestream(secret, nothing).length]) {
      const given = whole.subarray(0, cut);
      expect(describeMetadata('jp2', stripJpx(given))).to.be.a('string');
    }
  });
});
