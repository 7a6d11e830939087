import { expect } from 'chai';
import { documentOf } from '../../../packages/documents/src/normalize/pages/document/index.ts';
import type {
  LayoutBlock,
  PageLayout,
} from '../../../packages/documents/src/normalize/pages/layout.ts';
import { pageOf, running } from './layouts.ts';

/** A paragraph whose first line ends with a hyphen, after as many others as show how lines end. */
function page(others: readonly [string[]][], paragraph: string[]): PageLayout {
  return pageOf(1, [...others, [paragraph]]);
}

/** Lines of different lengths, as in text that is not justified. */
const ragged: [string[]] = [
  [
    'The text of this part runs on over several lines, none of them',
    'as wide as another, for it has no need to fill its column; and so',
    'its words are broken',
    'nowhere but at the hyphens that they are written with, be they few.',
  ],
];
const lastOf = (layout: PageLayout): string => {
  const block = documentOf([layout]).blocks.at(-1);
  return block && 'text' in block ? block.text : '';
};

describe('hyphens at the ends of lines', () => {
  const broken = ['We found that most of it came from a single ground-', 'floor laundry.'];

  it('stay where lines are not justified and hardly one ends with a hyphen', () => {
    const layout = page([ragged, ragged, ragged, ragged, ragged, ragged], broken);
    expect(lastOf(layout)).to.contain('a single ground-floor laundry');
  });

  it('are dropped where lines are justified, or several of them end with one', () => {
    const words = ['It took ten hours until the cellar was insu-', 'lated and read again.'];
    const justified = page([running, running, running, running, running, running, running], words);
    expect(lastOf(justified)).to.contain('was insulated and');
    const more: [string[]] = [['A paragraph of a docu-', 'ment that breaks its words.']];
    const several = page([ragged, ragged, ragged, ragged, more, more], words);
    expect(lastOf(several)).to.contain('was insulated and');
  });

  it('are judged in cells as in running text', () => {
    const cell = (text: string): LayoutBlock => ({
      kind: 'table',
      box: [72, 700, 300, 760],
      confidence: 1,
      rows: 1,
      columns: 2,
      headerRows: 0,
      cells: [text, '1'].map((of, column) => ({
        row: 0,
        column,
        rowSpan: 1,
        columnSpan: 1,
        header: false,
        text: of,
        box: null,
      })),
    });
    const textOfCell = (layout: PageLayout, text: string): string | undefined => {
      const table = documentOf([{ ...layout, blocks: [...layout.blocks, cell(text)] }]).blocks.at(
        -1,
      );
      return table?.role === 'table' ? table.cells[0]?.text : undefined;
    };
    const browser = pageOf(1, [ragged, ragged, ragged, ragged, ragged, ragged]);
    expect(textOfCell(browser, 'Write-\u00adoff of debts')).to.equal('Write-off of debts');
    const justified = pageOf(
      1,
      Array.from({ length: 8 }, () => running),
    );
    expect(textOfCell(justified, 'Before the ten-\u00adder')).to.equal('Before the tender');
  });
});
