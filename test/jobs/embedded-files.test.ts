import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import {
  embeddedIn,
  photograph,
  pictureOf,
  redactWhole,
  withPictures,
} from '../support/embedded.ts';
import { callOptions, sharedEngines } from '../support/engines.ts';
import { entity, inBase64, multipart, readWithPython } from '../support/mail.ts';
import { findSecret } from '../support/redact-kinds.ts';
import { bornDigitalPdf, textOf } from '../support/samples.ts';

const letter = [
  'Dear Penelope Quillfeather,',
  'the harbour opens at nine.',
  'IBAN GB33 BUKB 2020 1555 5555 55',
];

/** What a recogniser reads in a picture, without spaces and signs. */
async function readPicture(engines: Engines, bytes: Buffer, mime: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'read-'));
  try {
    const path = join(folder, 'picture');
    await writeFile(path, bytes);
    const { text } = await engines.recognisePage({ path, mime, page: 1 }, callOptions);
    return text.toLowerCase().replace(/[^a-z0-9]/g, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('redactions of files with pictures and PDF files inside', () => {
  let engines: Engines;
  before(() => {
    engines = sharedEngines();
  });

  it('remove values from the pictures of a document, and what they show from its text', async () => {
    const source = withPictures('docx', 'Quillfeather called Mr Ambrose Kettleworth.', [
      await pictureOf('png', letter),
      await pictureOf('jpeg', ['A note on Ambrose Kettleworth', 'about the harbour.']),
    ]);
    const { assembly, output } = await redactWhole(engines, 'docx', source);
    expect(assembly.result).to.include({
      embedded_redacted: 2,
      embedded_kept: 0,
      pictures_replaced: 0,
      verified: true,
    });
    expect(assembly.warnings).to.deep.equal([]);
    for (const secret of ['Quillfeather', 'Kettleworth']) {
      expect(findSecret(output, secret)).to.deep.equal([]);
    }
    const [png, jpeg] = embeddedIn('docx', output);
    const [first, second] = [
      await readPicture(engines, png!, 'image/png'),
      await readPicture(engines, jpeg!, 'image/jpeg'),
    ];
    expect(first)
      .to.include('theharbouropensatnine')
      .and.not.match(/quill|feather|5555/);
    expect(second)
      .to.include('abouttheharbour')
      .and.not.match(/ambrose|kettle/);
    expect(assembly.pages?.map(({ text }) => text).join()).to.match(
      /^\[PERSON\] called Mr \[PERSON\]/,
    );
  });

  it('redact what is attached to a message, and to messages inside it', async () => {
    const picture = await pictureOf('png', letter);
    const pdf = await bornDigitalPdf([['Report for Penelope Quillfeather', 'The hall is closed.']]);
    const attach = (type: string, bytes: Uint8Array): Buffer =>
      inBase64(type, bytes, 'Content-Disposition: attachment; filename="penelope.bin"');
    const nested = (parts: Uint8Array[], boundary: string): Buffer =>
      multipart('mixed', parts, ['From: desk@office.example', 'Subject: Papers'], boundary);
    const innermost = nested([attach('application/pdf', pdf), attach('image/png', picture)], 'c');
    const inner = nested([entity(['Content-Type: message/rfc822'], innermost)], 'b');
    const source = nested(
      [
        entity(['Content-Type: text/plain'], 'Quillfeather wrote again.'),
        entity(['Content-Type: message/rfc822'], inner),
      ],
      'a',
    );
    const { assembly, output } = await redactWhole(engines, 'mail', source);
    expect(assembly.warnings).to.deep.equal([]);
    expect(assembly.result).to.include({ embedded_redacted: 2, pictures_replaced: 0 });
    const parts = readWithPython(output);
    expect(parts.map(({ text }) => text).join()).to.include('[PERSON] wrote again.');
    const attachedPdf = parts.find(({ type }) => type === 'application/pdf')!;
    const attachedPicture = parts.find(({ type }) => type === 'image/png')!;
    expect(attachedPdf.filename).to.equal('attachment-1.pdf');
    const [page] = await textOf(attachedPdf.bytes);
    expect(page).to.include('The hall is closed.').and.not.include('Quillfeather');
    expect(await readPicture(engines, attachedPicture.bytes, 'image/png')).to.not.match(
      /quill|feather|5555/,
    );
  });

  it('replace pictures that cannot be proved, and say why', async () => {
    const failing: Engines = {
      ...engines,
      checkPage: async () => [
        { name: 'ocr_regions', passed: false, detail: 'Text can be read on a box.', pages: [] },
      ],
    };
    const source = withPictures('docx', 'See the picture.', [await pictureOf('png', letter)]);
    const { assembly, output } = await redactWhole(failing, 'docx', source);
    expect(embeddedIn('docx', output)).to.deep.equal([]);
    expect(assembly.result).to.include({ embedded_redacted: 0, pictures_replaced: 1 });
    expect(assembly.warnings?.map(({ code, message }) => [code, message])).to.deep.equal([
      [
        'pictures_replaced',
        '1 picture was replaced or removed, because it could not be redacted. Different files that are left out: 1 with a redaction that failed its checks.',
      ],
    ]);
  });

  it('replace a damaged picture, and keep one in which nothing was found', async () => {
    const photo = await photograph(120, 90);
    const damaged = (await pictureOf('png', letter)).subarray(0, 2000);
    const source = withPictures('docx', 'See the picture.', [photo, damaged]);
    const { assembly, output } = await redactWhole(engines, 'docx', source);
    expect(assembly.result).to.include({ embedded_kept: 1, pictures_replaced: 1 });
    expect(embeddedIn('docx', output).length).to.equal(1);
    expect(assembly.warnings?.[0]?.message).to.include('1 damaged');
  });

  it('stop when the job is cancelled', async () => {
    const controller = new AbortController();
    const cancelling: Engines = {
      ...engines,
      findPage: (request, options) => {
        controller.abort();
        return engines.findPage(request, options);
      },
    };
    const source = withPictures('docx', 'x', [await pictureOf('png', letter)]);
    const outcome = await redactWhole(cancelling, 'docx', source, {}, controller.signal).catch(
      (error: unknown) => error,
    );
    expect(outcome).to.be.instanceOf(Error).with.property('code', 'cancelled');
  });
});
