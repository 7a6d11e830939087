import type { BoxExtent } from '@scriptorium/documents/redact/contract/requests';
import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { Bench, pageOf } from './support.ts';

const at = (x: number, y: number, shown: string, font = 'F', size = 10): string =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${shown}) Tj ET\n`;

/** Where boxes are drawn, on pages of 400 by 300 points. */
describe('boxes over removed text', () => {
  const bench = new Bench();
  before(() => bench.open());
  after(() => bench.close());

  async function boxesOf(
    content: string,
    options?: Parameters<typeof pageOf>[1],
    box?: BoxExtent,
  ): Promise<Box[]> {
    const source = await pageOf(content, options);
    const { report } = await bench.redact(source, {
      words: ['Secretname'],
      ...(box ? { box } : {}),
    });
    expect(report.pages[0]).to.include({ treatment: 'redacted', reason: null });
    return report.pages[0]?.regions.map(({ box }) => box) ?? [];
  }

  it('are not cut off by the line below if a font claims twice its height', async () => {
    const [box] = await boxesOf(
      at(50, 250, 'Name: Secretname', 'T') + at(50, 239, 'Nationality: unknown to us', 'T'),
      {
        resources: ({ context }) => {
          const descriptor = context.obj({
            Type: 'FontDescriptor',
            FontName: 'Tall',
            Flags: 32,
            ItalicAngle: 0,
            StemV: 80,
            Ascent: 1150,
            Descent: -450,
            CapHeight: 700,
            FontBBox: [-1000, -450, 2000, 1250],
          });
          const font = {
            Type: 'Font',
            Subtype: 'TrueType',
            BaseFont: 'Tall',
            Encoding: 'WinAnsiEncoding',
            FirstChar: 32,
            LastChar: 126,
            Widths: Array(95).fill(600),
            FontDescriptor: descriptor,
          };
          return { Font: { T: context.obj(font) } };
        },
      },
    );
    expect(box?.[2]).to.equal(400);
    // Between the adjacent lines, whose letters stay visible.
    expect(box?.[3]).to.be.at.most(54);
  });

  it('end where the next column begins, even if nothing is on their line', async () => {
    const rows = [260, 240, 220, 200].map((y) => at(50, y, 'Cell'));
    const column = (x: number) => [260, 240, 200].map((y) => at(x, y, '12.50')).join('');
    const [box] = await boxesOf(rows.join('') + column(220) + at(100, 220, 'Secretname'));
    expect(box?.[2]).to.be.within(217, 220);
    // Lines of prose are not a column, nor is a single word further right.
    const prose = [260, 240, 200].map((y) => at(50, y, 'Words that run on over the line.'));
    const [wide] = await boxesOf(prose.join('') + at(300, 240, 'x') + at(50, 220, 'Secretname'));
    expect(wide?.[2]).to.equal(400);
  });

  it('are as long as the text, or a multiple of a step, if asked to', async () => {
    const line = at(50, 250, 'Name: Secretname');
    const lengths = await Promise.all(
      (['tight', 'padded', 'to_edge'] as const).map(async (extent) => {
        const [box] = await boxesOf(line, undefined, extent);
        return (box?.[2] ?? 0) - (box?.[0] ?? 0);
      }),
    );
    expect(lengths[0]).to.be.within(50, 60);
    expect(lengths[1]).to.be.closeTo(54, 0.01);
    expect(lengths[2]).to.be.greaterThan(250);
  });

  it('spare the letters beside them, whatever their extent', async () => {
    for (const extent of ['tight', 'padded', 'to_edge'] as const) {
      const boxes = await boxesOf(at(50, 250, '\\(Secretname\\), said', 'F'), undefined, extent);
      // The brackets are 3.3 points wide.
      expect(boxes[0]?.[0], extent).to.be.at.least(52);
      expect(boxes[0]?.[2], extent).to.be.at.most(112);
    }
  });

  it('end at a drawing on their line, also one in a form', async () => {
    const circle = '220 250 m 226 262 234 262 240 250 c f\n';
    const [open] = await boxesOf(`${at(50, 250, 'Name: Secretname')}${circle}`);
    expect(open?.[2]).to.be.closeTo(220, 1);
    const [inForm] = await boxesOf(`${at(50, 250, 'Name: Secretname')}q 1 0 0 1 20 0 cm /X Do Q`, {
      resources: ({ context }) => {
        const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 400, 300] };
        return { XObject: { X: context.register(context.flateStream(circle, form)) } };
      },
    });
    expect(inForm?.[2]).to.be.closeTo(240, 1);
  });

  it('spare the letters next to both lines if two slightly offset lines are merged', async () => {
    const boxes = await boxesOf(
      at(50, 244.5, 'Born: Secretname') +
        at(160, 253, 'Secretname, Stanford') +
        at(160, 241.8, 'Secretname'),
    );
    // The comma after the second name extends from 45.9 to 48.5.
    const over = boxes.filter(([x0, y0, x1, y1]) => x0 < 215 && x1 > 215 && y0 < 48 && y1 > 46);
    expect(over).to.deep.equal([]);
  });
});
