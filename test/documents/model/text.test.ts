import { expect } from 'chai';
import { alternativeReadings, readPageText } from '../../../packages/documents/src/model/index.ts';
import { modelOfPdf, textOperators } from '../../support/page-model.ts';
import { handmadePdf } from '../../support/samples.ts';

const prose = (n: number): string[] =>
  Array.from({ length: n }, (_, at) => `words of column line ${at} fill it up`);

describe('the text of a page', () => {
  const textOf = async (content: string, options = {}): Promise<string> =>
    readPageText(await modelOfPdf(handmadePdf(content, options))).text;

  it('is read down each column, below a title that spans both', async () => {
    const left = prose(8).map((text, at) => [40, 500 - at * 14, `L ${text}`] as const);
    const right = prose(8).map((text, at) => [230, 500 - at * 14, `R ${text}`] as const);
    const all = left.flatMap((line, at) => [line, right[at]!]);
    const title = [40, 540, 'A title that is as wide as both of the columns are'] as const;
    const foot = [40, 360, 'A line under both columns that ends the page all the way'] as const;
    const text = await textOf(textOperators([title, ...all, foot], 9));
    const order = [...text.matchAll(/A title|A line|([LR]) words of column line (\d)/g)].map(
      ([all_, side, line]) => (side ? `${side}${line}` : all_),
    );
    expect(order).to.deep.equal([
      'A title',
      ...left.map((_, at) => `L${at}`),
      ...right.map((_, at) => `R${at}`),
      'A line',
    ]);
  });

  it('is joined across line breaks, without the hyphen only in a divided word', async () => {
    const text = await textOf(
      textOperators([
        [40, 500, 'this letter was written by our John'],
        [40, 486, 'Smith, who asked for an appoint-'],
        [40, 472, 'ment and gave us number 123-45-'],
        [40, 458, '6789 as well as jane.doe@some.'],
        [40, 444, 'example.org for an answer.'],
      ]),
    );
    expect(text).to.include('John Smith');
    expect(text).to.include('appointment');
    expect(text).to.include('123-45-6789');
    expect(text).to.include('jane.doe@some.example.org');
  });

  it('keeps short lines apart, such as those of an address', async () => {
    const text = await textOf(
      textOperators([
        [40, 500, 'Mary'],
        [40, 486, '12 Long Meadow Street'],
        [40, 472, 'London'],
      ]),
    );
    expect(text).to.match(/^Mary\n12 Long Meadow Street.London$/);
  });

  it('joins kerned runs, single letters and spaced letters', async () => {
    expect(
      await textOf('BT /F1 12 Tf 40 500 Td [(J)60(oh)-20(n Sm)25(ith)-400(left)] TJ ET'),
    ).to.equal('John Smith left');
    const letters = [...'Smith'].map((letter, at) => [40 + at * 7.5, 500, letter] as const);
    expect(await textOf(textOperators([...letters].reverse()))).to.equal('Smith');
    expect(await textOf('BT /F1 12 Tf 4 Tc 40 500 Td (Spaced Out) Tj ET')).to.equal('Spaced Out');
  });

  it('keeps numbers below each other apart', async () => {
    const numbers = ['201', '220', '217'].map((text, at) => [40, 500 - at * 16, text] as const);
    expect(await textOf(textOperators([...numbers]))).to.equal('201\n220\n217');
  });

  it('follows a form row by row, and a table also by its column headings', async () => {
    const form = handmadePdf(
      textOperators([
        [40, 500, 'Name:'],
        [140, 500, 'Smith'],
        [40, 484, 'SSN:'],
        [140, 484, '078-05-1120'],
        [40, 468, 'City:'],
        [140, 468, 'Paris'],
      ]),
    );
    expect(readPageText(await modelOfPdf(form)).text).to.equal(
      'Name: Smith\nSSN: 078-05-1120\nCity: Paris',
    );
    const table = handmadePdf(
      textOperators([
        [40, 500, 'Name'],
        [140, 500, 'Passport'],
        [260, 500, 'City'],
        [40, 484, 'Smith'],
        [140, 484, 'X1234567'],
        [260, 484, 'Paris'],
        [40, 468, 'Jones'],
        [140, 468, 'Y7654321'],
        [260, 468, 'Rome'],
      ]),
    );
    const model = await modelOfPdf(table);
    expect(readPageText(model).text).to.equal(
      'Name\tPassport\tCity\nSmith\tX1234567\tParis\nJones\tY7654321\tRome',
    );
    expect(model.blocks.map(({ kind }) => kind)).to.deep.equal(['table']);
    const others = alternativeReadings(model).map(({ text }) => text);
    expect(others.join('\n')).to.include('Passport: Y7654321');
  });

  it('also reads a column of numbers and one of names in groups of three as cells of their rows', async () => {
    const rows = [
      ['Nombre y apellidos', 'Nacimiento', 'Teléfono', 'C.P.'],
      ['Rosa Luna Sanz', '02/06/1988', '655 19 84 27', '41001'],
      ['Ana Mar Lobo', '30/01/1965', '981 47 26 13', '15702'],
      ['Joan Puig Roca', '21/09/1994', '688 32 90 41', '48005'],
    ];
    const columns = [40, 150, 240, 340];
    const cells = rows.flatMap((row, at) =>
      row.map((text, column) => [columns[column]!, 500 - at * 18, text] as const),
    );
    const model = await modelOfPdf(handmadePdf(textOperators(cells, 9)));
    expect(readPageText(model).text.split('\n')[2]).to.equal(rows[2]!.join('\t'));
  });

  it('also reads what is written one letter a box, after its label beside it or above', async () => {
    const boxes = (x: number, y: number, text: string): [number, number, string][] =>
      [...text].flatMap((letter, at) => (letter === ' ' ? [] : [[x + at * 22, y, letter]]));
    const form = textOperators([
      [40, 500, 'Prenom'],
      ...boxes(150, 500, 'Anne Lise'),
      [40, 460, 'Date de naissance'],
      ...boxes(40, 436, '23/05/2015'),
    ]);
    // Level, on a page that leans, and sideways.
    for (const matrix of [
      '1 0 0 1 0 0',
      '0.99992 0.01222 -0.01222 0.99992 0 0',
      '0 1 -1 0 560 0',
    ]) {
      const model = await modelOfPdf(handmadePdf(`q ${matrix} cm ${form} Q`));
      const others = alternativeReadings(model).map(({ text }) => text);
      expect(others, matrix).to.include('Prenom: Anne Lise\nDate de naissance: 23/05/2015\n');
    }
  });

  it('does not mix text with invisible or zero-size text over it', async () => {
    const text = await textOf(
      `${textOperators([[40, 500, 'Visible words']])} BT 3 Tr /F1 12 Tf 40 500 Td (Hidden words) Tj ET
       BT 0 Tr /F1 0 Tf 40 400 Td (No size) Tj ET BT /F1 12 Tf 5000 500 Td (Far out) Tj ET`,
    );
    expect(text.split('\n\n').sort()).to.deep.equal([
      'Far out',
      'Hidden words',
      'No size',
      'Visible words',
    ]);
  });

  it('includes rotated pages and text that runs up the page', async () => {
    const up = 'BT /F1 12 Tf 0 1 -1 0 100 100 Tm (Upwards runs John Smith) Tj ET';
    for (const rotate of [0, 90, 180, 270]) {
      expect(await textOf(up, { page: `/Rotate ${rotate}` })).to.equal('Upwards runs John Smith');
    }
    const level = textOperators([[40, 500, 'Level text of many more words is here']]);
    expect(await textOf(`${level} ${up}`)).to.equal(
      'Level text of many more words is here\n\nUpwards runs John Smith',
    );
  });
});
