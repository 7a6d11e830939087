import { expect } from 'chai';
import { PDFName, PDFString } from 'pdf-lib';
import { Bench, pageOf } from './support.ts';

const at = (x: number, y: number, shown: string): string =>
  `BT /F 12 Tf ${x} ${y} Td ${shown} ET\n`;

const rest = at(50, 60, '(Another line of the page that stays) Tj');

/** A string drawn glyph by glyph, as some producers do. */
const spelt = (text: string): string =>
  [...text].map((letter, index) => `(${letter}) Tj ${5 + (index % 3)} 0 Td`).join(' ');

describe('documents that differ only in their secrets', () => {
  const bench = new Bench();
  before(() => bench.open());
  after(() => bench.close());

  async function expectSame(
    make: (secret: string) => Promise<Uint8Array>,
    secrets: readonly string[],
    words = true,
  ): Promise<void> {
    const made = [];
    for (const secret of secrets) {
      const wanted = { ...(words ? { words: [secret] } : {}), style: 'label' as const };
      made.push(await bench.redact(await make(secret), wanted));
    }
    expect(made[0]?.report.pages[0]?.treatment).to.equal(words ? 'redacted' : 'copied');
    expect(new Set(made.map(({ sha256 }) => sha256)).size).to.equal(1);
  }

  it('become identical for any length if nothing follows on the line', () =>
    expectSame(
      (secret) => pageOf(at(50, 250, `(Name: ${secret}) Tj`) + rest),
      ['Ann', 'Maximilian', 'Wolfeschlegelsteinhausen'],
    ));

  it('become identical whatever the overhang of the first letter', () =>
    expectSame(
      (secret) => pageOf(at(50, 250, `(Name: ${secret}) Tj`) + rest),
      ['josephine', 'beatrice', 'Adam', 'vincent', 'john'],
    ));

  it('become identical with trailing blanks, and with individually placed letters', async () => {
    await expectSame(
      (secret) => pageOf(at(50, 250, `(Name: ${secret}   ) Tj`) + rest),
      ['Ann', 'Maximilian'],
    );
    await expectSame(
      (secret) => pageOf(at(50, 250, `(Name: ) Tj 40 0 Td ${spelt(secret)}`) + rest),
      ['Ann', 'Maximilian'],
    );
    const blocks = (secret: string): string =>
      [...secret]
        .map((letter, index) => `q 0 0 1 rg ${at(90 + index * 8, 250, `(${letter}) Tj`)} Q\n`)
        .join('');
    await expectSame(
      (secret) => pageOf(at(50, 250, '(Name:) Tj') + blocks(secret) + rest),
      ['Ann', 'Maximilian'],
    );
  });

  it('become identical for equal widths in running text, kerned or not', async () => {
    const kerned = (secret: string): string =>
      `[(Dear ) 20 ${[...secret].map((letter) => `(${letter})`).join(' 15 ')} -10 (, hello)] TJ`;
    await expectSame(
      (secret) => pageOf(at(50, 250, `(Dear ${secret}, hello) Tj`) + rest),
      ['123456', '654321', '909090'],
    );
    await expectSame((secret) => pageOf(at(50, 250, kerned(secret)) + rest), ['123456', '654321']);
  });

  it('become identical with a rule beneath', () =>
    expectSame(
      (secret) =>
        pageOf(
          `${at(50, 250, `(Mail ${secret}) Tj`)} 79 248 ${secret.length * 6} 0.6 re f\n${rest}`,
        ),
      ['ann', 'maximilian'],
    ));

  it('become identical if the secret is only in notes, outlines, names and metadata', () =>
    expectSame(
      (secret) =>
        pageOf(at(50, 250, '(Plain) Tj') + rest, {
          change: (document) => {
            const { context, catalog } = document;
            document.setTitle(secret);
            const note = { Type: 'Annot', Subtype: 'Popup', Rect: [0, 0, 10, 10] };
            document
              .getPage(0)
              .node.addAnnot(
                context.register(context.obj({ ...note, Contents: PDFString.of(secret) })),
              );
            catalog.set(PDFName.of('Lang'), PDFString.of(secret));
            const item = context.register(context.obj({ Title: PDFString.of(secret) }));
            catalog.set(PDFName.of('Outlines'), context.obj({ First: item, Last: item }));
            const { Resources } = { Resources: document.getPage(0).node.Resources() };
            Resources?.set(
              PDFName.of('Properties'),
              context.obj({ [secret.replace(/\W/g, '')]: { Title: PDFString.of(secret) } }),
            );
          },
        }),
      ['Ann', 'Maximilian of Habsburg'],
      false,
    ));
});
