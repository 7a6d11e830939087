import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { sharedEngines } from '../../support/engines.ts';

describe('a redacted PDF', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dropped-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function warningsOf(
    build: (source: PDFDocument) => void | Promise<void>,
  ): Promise<string[]> {
    const source = await PDFDocument.create();
    source.addPage([400, 300]).drawText('Write to jane.roe@example.com', { x: 50, y: 100 });
    await build(source);
    const path = join(folder, 'file.pdf');
    await writeFile(path, await source.save());
    const made = await redactFile(
      sharedEngines(),
      { path, mime: 'application/pdf' },
      redactOptions({ entities: ['EMAIL_ADDRESS'] }),
      join(folder, 'made'),
    );
    expect(made.verified).to.equal(true);
    return made.warnings.map(({ code, message }) => `${code}: ${message}`);
  }

  it('says which comments and attachments of its source it lacks', async () => {
    const dropped = await warningsOf(async (source) => {
      const note = source.context.obj({
        Type: 'Annot',
        Subtype: 'Highlight',
        Rect: [50, 95, 200, 115],
        F: 4,
        Contents: PDFString.of('Is this so?'),
      });
      source.getPage(0).node.set(PDFName.of('Annots'), source.context.obj([note]));
      await source.attach(Buffer.from('words'), 'a.txt');
    });
    expect(dropped).to.deep.equal([
      'content_not_read: The file has content that was not read and is not in the outputs: comments, embedded files.',
    ]);
  });

  it('says nothing of what it keeps, such as notes drawn on the page', async () => {
    expect(await warningsOf(() => undefined)).to.deep.equal([]);
    const kept = await warningsOf((source) => {
      const field = source.getForm().createTextField('remark');
      field.setText('Seen by the clerk');
      field.addToPage(source.getPage(0), { x: 50, y: 150, width: 200, height: 20 });
    });
    expect(kept).to.deep.equal([]);
  });
});
