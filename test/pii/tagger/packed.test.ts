import { Reader, Writer } from '@scriptorium/pii/tagger/packed';
import { expect } from 'chai';

const message = 'damaged';

function written(): Buffer {
  const writer = new Writer();
  writer.number(7);
  writer.varying([0, 1, 127, 128, 16_384, 2 ** 32 - 1]);
  writer.ascending(Int32Array.of(-(2 ** 31), -5, 0, 2 ** 31 - 1));
  writer.floats(Float32Array.of(0.5, -2));
  return writer.take();
}

describe('packed lists', () => {
  it('are read as they were written', () => {
    const reader = new Reader(written(), message);
    expect(reader.number()).to.equal(7);
    expect(reader.varying()).to.deep.equal([0, 1, 127, 128, 16_384, 2 ** 32 - 1]);
    expect([...reader.ascending()]).to.deep.equal([-(2 ** 31), -5, 0, 2 ** 31 - 1]);
    expect([...reader.floats(2)]).to.deep.equal([0.5, -2]);
    reader.end();
  });

  it('are rejected if they are truncated, longer, or of another length', () => {
    const file = written();
    const read = (bytes: Buffer, floats = 2): void => {
      const reader = new Reader(bytes, message);
      reader.number();
      reader.varying();
      reader.ascending();
      reader.floats(floats);
      reader.end();
    };
    expect(() => read(file)).to.not.throw();
    for (let length = 0; length < file.length; length++)
      expect(() => read(file.subarray(0, length)), `${length} bytes`).to.throw(message);
    expect(() => read(Buffer.concat([file, Buffer.alloc(1)]))).to.throw(message);
    expect(() => read(file, 3)).to.throw(message);
  });

  it('are rejected if the last number is not complete', () => {
    const writer = new Writer();
    writer.bytes(Uint8Array.of(0x80));
    expect(() => new Reader(writer.take(), message).varying()).to.throw(message);
  });
});
