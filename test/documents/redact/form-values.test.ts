import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFNumber, type PDFObject, PDFString } from 'pdf-lib';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { compact } from '../../support/corpus/secrets.ts';
import { sharedEngines } from '../../support/engines.ts';
import { textOf } from '../../support/samples.ts';

const [shown, stored] = ['078-05-1120', '219-09-9999'];

describe('form fields that draw something else than they hold', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'form-values-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Redacts a form of one field. */
  async function redacted(values: Record<string, PDFObject | string>, appearance: string) {
    const source = await PDFDocument.create();
    const { context } = source;
    const page = source.addPage([400, 300]);
    page.drawText('A form of one field', { x: 50, y: 40, size: 12 });
    const font = context.register(
      context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }),
    );
    const resources = { Font: { F1: font } };
    const stream = context.stream(`/Tx BMC BT /F1 12 Tf 2 5 Td (${appearance}) Tj ET EMC`, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 200, 20],
      Resources: resources,
    });
    const widget = context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      T: PDFString.of('SSN'),
      Rect: [50, 200, 250, 220],
      F: 4,
      DA: PDFString.of('/F1 12 Tf 0 g'),
      ...(appearance === '' ? {} : { AP: { N: context.register(stream) } }),
    });
    for (const [name, value] of Object.entries(values)) {
      widget.set(PDFName.of(name), typeof value === 'string' ? PDFName.of(value) : value);
    }
    const reference = context.register(widget);
    page.node.addAnnot(reference);
    source.catalog.set(
      PDFName.of('AcroForm'),
      context.obj({ Fields: [reference], NeedAppearances: true, DR: resources }),
    );
    const path = join(folder, 'form.pdf');
    await writeFile(path, await source.save({ updateFieldAppearances: false }));
    const made = await redactFile(
      sharedEngines(),
      { path, mime: 'application/pdf' },
      redactOptions({ entities: ['US_SSN'] }),
      join(folder, 'made'),
    );
    expect(made.verified).to.equal(true);
    return {
      planned: [...made.planned].sort(),
      text: (await textOf(await readFile(made.path!))).join(),
    };
  }
  const both = [shown, stored].map(compact).sort();
  const expectBothGone = ({ planned, text }: Awaited<ReturnType<typeof redacted>>): void => {
    expect(planned).to.deep.equal(both);
    expect(text).to.contain('A form of one field');
    for (const value of [shown, stored]) expect(text).not.to.contain(value);
  };

  it('are searched for what was filled in, where the appearance is out of date', async () => {
    expectBothGone(await redacted({ FT: 'Tx', V: PDFString.of(stored) }, shown));
  });

  const choice = (options: [exported: string, label: string][], value: string, list = false) => ({
    FT: 'Ch',
    Ff: PDFNumber.of(list ? 0 : 1 << 17),
    V: PDFString.of(value),
    Opt: options,
  });
  for (const isList of [false, true]) {
    const kind = isList ? 'list' : 'combo box';
    it(`are searched for what a ${kind} shows and what it stores`, async () => {
      const context = (await PDFDocument.create()).context;
      const made = choice(
        [
          [stored, shown],
          ['0', 'none'],
        ],
        stored,
        isList,
      );
      const Opt = context.obj(made.Opt.map((pair) => pair.map((text) => PDFString.of(text))));
      for (const appearance of [stored, shown, '']) {
        expectBothGone(await redacted({ ...made, Opt }, appearance));
      }
    });
  }
});
