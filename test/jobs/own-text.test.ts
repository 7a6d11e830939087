import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { docx, paragraph, run } from '../support/office.ts';
import { type Redactions, shareRedactions } from '../support/redactions.ts';
import { bornDigitalPdf } from '../support/samples.ts';

describe('the text that a file holds', () => {
  let on: Redactions;
  before(async () => {
    on = await shareRedactions();
  });
  after(() => on.close());

  const pagesOf = async (id: string): Promise<number | null> =>
    (await on.api.call('GET', `/v1/objects/${id}`)).json.pages;
  /** The objects whose names or texts contain a word. */
  const found = async (q: string): Promise<string[]> => {
    const answer = await on.api.call('GET', `/v1/objects?q=${encodeURIComponent(q)}`);
    return answer.json.data.map(({ id }: { id: string }) => id);
  };
  const finds = (id: string, q: string) =>
    eventually(async () => ((await found(q)).includes(id) ? true : null));

  it('is searchable on arrival, and its pages are counted, without a job', async () => {
    const id = await on.upload(
      await bornDigitalPdf([
        ['The gharial sleeps'],
        ['The bandicoot of Ida Wigglesworth'],
        ['A cassowary'],
      ]),
      'animals.pdf',
    );
    await finds(id, 'cassowary');
    expect(await pagesOf(id)).to.equal(3);
    expect(await found('"gharial sleeps"')).to.deep.equal([id]);

    await on.run(id, [{ op: 'ocr' }], { pages: '2' });
    for (const word of ['gharial', 'bandicoot', 'cassowary']) {
      expect(await found(word), word).to.include(id);
    }
    await on.redact(id);
    expect(await found('Wigglesworth')).to.deep.equal([id]);
    expect(await found('gharial')).to.deep.equal([id]);
  });

  it('is found in Office files, e-mails and texts in other encodings', async () => {
    const files: [string, Buffer, string][] = [
      ['a.docx', Buffer.from(docx(paragraph(run('The quokka report')))), 'quokka'],
      [
        'b.eml',
        Buffer.from(
          'From: a@b.example\r\nMIME-Version: 1.0\r\nSubject: =?utf-8?B?V29tYmF0?=\r\n\r\nHi',
        ),
        'wombat',
      ],
      ['c.txt', Buffer.from('Der Gep\xe4cktr\xe4ger und die T\xfcr\n', 'latin1'), 'Gepäckträger'],
      ['d.csv', Buffer.from('name;place\nnumbat;Perth\n'), 'numbat'],
    ];
    for (const [name, bytes, word] of files) {
      const id = await on.upload(bytes, name);
      await finds(id, word);
      expect(await pagesOf(id), name).to.equal(1);
    }
  });

  it('is left out for a file that cannot be read, which stays available', async () => {
    const id = await on.upload(Buffer.from('%PDF-1.7 and nothing else'), 'damaged.pdf');
    const after = await on.upload(Buffer.from('the last echidna'), 'last.txt');
    await finds(after, 'echidna');
    const { json } = await on.api.call('GET', `/v1/objects/${id}`);
    expect(json).to.include({ state: 'available', pages: null });
  });

  it('counts a picture as a page at once', async () => {
    const { default: sharp } = await import('sharp');
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } });
    const id = await on.upload(await picture.png().toBuffer(), 'dot.png');
    expect(await pagesOf(id)).to.equal(1);
  });
});
