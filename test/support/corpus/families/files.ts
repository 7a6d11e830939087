import { standardFont } from '../fonts.ts';
import { drawText, type Maker } from '../maker.ts';
import { ref, utf16 } from '../pdf-writer.ts';
import type { Family } from './family.ts';

/** Two pages of prose. */
function writeProse(maker: Maker, channel: string): void {
  const font = standardFont(maker.writer, 'F1');
  for (let page = 1; page <= 2; page += 1) {
    const lines = maker.prose({ channel, page }, 10, 1);
    maker.requireKept(page, lines);
    maker.page(drawText(lines, { font }), { fonts: [font] });
  }
}

/** A file that was changed after it was saved: what it said before is still in it. */
const revisions: Family = {
  name: 'revisions',
  count: 10,
  build(maker, index) {
    const { writer } = maker;
    const font = standardFont(writer, 'F1');
    const old = maker.prose(
      { channel: 'text of an earlier revision', page: 1, findable: false },
      9,
      2,
    );
    const lines = maker.prose({ channel: 'text of the last revision', page: 1 }, 9, 1);
    maker.requireKept(1, lines);
    const content = writer.stream('', drawText(old, { font }));
    const page = maker.page(content, { fonts: [font] });
    const author = maker.secret({
      channel: 'Info of an earlier revision',
      page: null,
      findable: false,
    });
    const info = writer.add(`<< /Author ${utf16(author.value)} >>`);
    const { trailer } = maker.root();
    const pdf = writer.toUpdated(`${trailer} /Info ${ref(info)}`, () => {
      const changed = writer.stream('', drawText(lines, { font }));
      writer.replace(page, `/Contents ${ref(content)}`, `/Contents ${ref(changed)}`);
      writer.set(info, index % 2 ? '<< >>' : '<< /Author (nobody) >>');
    });
    return { pdf };
  },
};

const objectStreams: Family = {
  name: 'object-streams',
  count: 8,
  build(maker) {
    writeProse(maker, 'text in a file of object streams');
    const wish = { channel: 'Info in an object stream', page: null, findable: false };
    const info = maker.writer.add(`<< /Author ${utf16(maker.secret(wish).value)} >>`);
    const { number } = maker.root();
    return { pdf: maker.writer.toObjectStreams(number, `/Info ${ref(info)}`) };
  },
};

/** To be encrypted by a tool that can: what only an owner password restricts opens without it. */
const encrypted: Family = {
  name: 'encrypted',
  count: 6,
  build(maker) {
    writeProse(maker, 'text in an encrypted file');
    return { pdf: maker.writer.toBuffer(maker.root().trailer), ownerPassword: 'owner' };
  },
};

export const fileFamilies = [revisions, objectStreams, encrypted];
