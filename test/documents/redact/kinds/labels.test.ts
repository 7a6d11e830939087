import { defaultConfidence } from '@scriptorium/contracts/operations';
import { createDetector } from '@scriptorium/pii';
import { expect } from 'chai';
import { docx, paragraph, run } from '../../../support/office.ts';
import { redactBytes } from '../../../support/redact-kinds.ts';

const detector = createDetector({
  entities: ['US_SSN', 'PASSPORT', 'PERSONAL_ID', 'CA_SIN', 'IN_PAN', 'IBAN_CODE'],
  minConfidence: defaultConfidence,
  customPatterns: [],
  allowList: [],
});
const cell = (text: string): string => `<w:tc>${paragraph(run(text))}</w:tc>`;
const wordTable = (rows: readonly string[][]): Uint8Array =>
  docx(`<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`);
const htmlTable = (rows: readonly string[][]): string =>
  `<table>\n${rows.map((row) => `<tr>\n${row.map((text) => `<td>${text}</td>\n`).join('')}</tr>`).join('\n')}</table>`;
const csv = (rows: readonly string[][]): string => rows.map((row) => row.join(',')).join('\n');

/** No value passes a check: only its label tells what it is. */
const form = [
  ['Department', 'Sales'],
  ['SSN', '000-12-3456'],
  ['Passport no.', 'ZX 99 1823'],
  ['Kundennummer:', 'KD-4471'],
];
const list = [
  ['Region', 'Passport no.', 'Kundennummer'],
  ['North', 'ZX 99 1823', 'KD-4471'],
  ['South', 'ZX 99 1824', 'KD-4472'],
];
const numbers = [
  ['Area', 'Spring', 'Summer', 'Autumn'],
  ['201', '220', '217', '130'],
  ['UST', '1873', '212', '544'],
  ['130', '692', '544', '4539'],
];

describe('labels in tables', () => {
  for (const [kind, make] of [
    ['docx', wordTable],
    ['html', htmlTable],
    ['csv', csv],
  ] as const) {
    const removed = async (rows: string[][]): Promise<string[]> => {
      const { result } = await redactBytes(kind, make(rows), detector);
      return result.removals.map(({ type, value }) => `${type} ${value}`);
    };

    it(`name the value in the cell beside them: ${kind}`, async () => {
      expect(await removed(form)).to.deep.equal([
        'US_SSN 000-12-3456',
        'PASSPORT ZX 99 1823',
        'PERSONAL_ID KD-4471',
      ]);
    });

    it(`name the values in the cells below them: ${kind}`, async () => {
      expect(await removed(list)).to.deep.equal([
        'PASSPORT ZX 99 1823',
        'PERSONAL_ID KD-4471',
        'PASSPORT ZX 99 1824',
        'PERSONAL_ID KD-4472',
      ]);
    });

    it(`are needed: cells of numbers are no identifiers: ${kind}`, async () => {
      expect(await removed(numbers)).to.deep.equal([]);
    });
  }
});
