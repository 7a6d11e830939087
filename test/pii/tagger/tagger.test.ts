import { createTagger } from '@scriptorium/pii/tagger';
import { expect } from 'chai';

const tagger = createTagger();

function found(text: string): string[] {
  return tagger(text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
}

/** A text, and exactly what must be found in it. */
const table: [string, string[]][] = [
  [
    'Katarína Hroncová signed the lease in Banská Bystrica.',
    ['PERSON Katarína Hroncová', 'LOCATION Banská Bystrica'],
  ],
  ['Please ask Mrs. Okonkwo to call me back.', ['TITLE Mrs.', 'PERSON Okonkwo']],
  ['The parcel goes to Ringstraße 12, 50667 Köln.', ['ADDRESS Ringstraße 12, 50667 Köln']],
  [
    'Ship it to 48 Wellington Road, Apt. 7, Leeds LS2 9JT',
    ['ADDRESS 48 Wellington Road, Apt. 7, Leeds LS2 9JT'],
  ],
  [
    'Address:\n17 Harbour View\nSuite 300\nPortland, OR 97205',
    ['ADDRESS 17 Harbour View\nSuite 300\nPortland, OR 97205'],
  ],
  ['Write to P.O. Box 442, Springfield', ['ADDRESS P.O. Box 442, Springfield']],
  ['NAME: GIORGIO FERRETTI', ['PERSON GIORGIO FERRETTI']],
  ['my name is tomasz wrona and i live in gdansk', ['PERSON tomasz wrona', 'LOCATION gdansk']],
  [
    'She works for Lindholm & Partners in Oslo.',
    ['ORGANIZATION Lindholm & Partners', 'LOCATION Oslo'],
  ],
  ['He is a Portuguese citizen.', ['NRP Portuguese']],
  ['Kind regards\nΝίκος Παπαδόπουλος', ['PERSON Νίκος Παπαδόπουλος']],
  ['Sehr geehrte Frau Hollerbach,\nvielen Dank.', ['TITLE Frau', 'PERSON Hollerbach']],
  ['Bien cordialement,\nÉloïse Garnier', ['PERSON Éloïse Garnier']],
  ['Apellidos: Etxaniz\nNombre: Maite', ['PERSON Etxaniz', 'PERSON Maite']],
  ['Name: Wilhelmina Craddock\nDate of birth:\nPhone:', ['PERSON Wilhelmina Craddock']],
  ['Tenant: Grace Oduya, Landlord: Edda Klimt', ['PERSON Grace Oduya', 'PERSON Edda Klimt']],
  ['Via Mazzini 14, 40137 Bologna BO', ['ADDRESS Via Mazzini 14, 40137 Bologna BO']],
  ['12 rue des Lilas, 44000 Nantes', ['ADDRESS 12 rue des Lilas, 44000 Nantes']],
  ['<td>Ottilie Brandauer</td><td>14</td>', ['PERSON Ottilie Brandauer']],
];

const nothing = [
  'The series runs from 1871 to 1904, and again 1890 to 1899.',
  'Catch per year, 1871 to 1904',
  'Part SKU-8847 replaces SKU-8846, see drawing TX-12.',
  'On the TI-89, press Enter; on the TI-92 the key is elsewhere.',
  'The quick brown fox jumps over the lazy dog.',
  'Terms and Conditions',
  'Invoice no. 20931 of 3 May 2024, total 1,250.00 EUR',
  'Click Save As and then choose New Folder.',
  'How do I reset my password?',
  'THE WARRANTY COVERS TWO YEARS.',
  'Monday, January 4, 2027',
  'Chapter 3: Methods',
  'Qty Description Price',
  'first name, last name, address',
  'Date of birth:\nPhone:\nE-mail:\nPlace, date, signature',
  'Name,Street,City,Phone',
  'Nachname: Vorname: Geburtsdatum:',
  'Vegetable Stock 2 cups, Caster Sugar 100 g, Cherry Tomatoes',
  'Monday - Friday 9:00-17:00, Saturday closed',
  'The Licensee shall return the Equipment to the Licensor.',
  'Cordless Hammer Drill 18 V, Charger, Carry Case',
  '<div class="Header Main" id="TopMenu" role="banner" data-theme="Dark">',
  'const parser = new HeaderParser(options.maxLength);',
  'Bestellung Nr. 88213, Lieferung frei Haus, Gesamtbetrag 412,50 EUR',
  'Balance Sheet, Cash Flow Statement, Retained Earnings',
];

describe('the tagger', () => {
  for (const [text, expected] of table) {
    it(`finds personal data in ${JSON.stringify(text)}`, () => {
      expect(found(text)).to.deep.equal(expected);
    });
  }

  for (const text of nothing) {
    it(`finds nothing in ${JSON.stringify(text)}`, () => {
      expect(found(text)).to.deep.equal([]);
    });
  }

  it('counts in UTF-16 units and splits no surrogate pair', () => {
    const text = '😀😀 Regards, 😀 Anna Kowalska 😀';
    const [finding] = tagger(text);
    expect(text.slice(finding!.start, finding!.end)).to.equal('Anna Kowalska');
  });

  it('gives the same result for the same text, whatever was read before', () => {
    const text = 'Dear Mr. Novak,\nyour flat at Dlouhá 14, 110 00 Praha is ready.\nMaria Bell';
    const before = tagger(text);
    tagger('Hugo Sánchez lives in Lima.');
    expect(tagger(text)).to.deep.equal(before);
    expect(createTagger()(text)).to.deep.equal(before);
  });

  it('gives the same findings deep in a long text as in a short one', () => {
    const filler = 'The meeting was moved and nobody minded.\n'.repeat(2000);
    const text = `${filler}Kind regards,\nAnna Kowalska\n${filler}`;
    const findings = tagger(text).filter(({ start }) => start >= filler.length);
    expect(text.slice(findings[0]!.start, findings[0]!.end)).to.equal('Anna Kowalska');
  });

  it('returns scores between 0 and 1, in order and without overlaps', () => {
    const text = table.map(([line]) => line).join('\n\n');
    let end = 0;
    for (const finding of tagger(text)) {
      expect(finding.start).to.be.at.least(end);
      expect(finding.end).to.be.greaterThan(finding.start);
      expect(finding.score).to.be.within(0, 1);
      end = finding.end;
    }
    expect(end).to.be.greaterThan(0);
  });

  it('reads hostile texts to the end', () => {
    const hostile = [
      '',
      ' ',
      '\n'.repeat(200_000),
      'a'.repeat(1_000_000),
      'A1'.repeat(500_000),
      '\ud800'.repeat(30_000),
      "'".repeat(30_000),
      "a'".repeat(30_000),
      '\u0301'.repeat(30_000),
      'Anna '.repeat(40_000),
      '@'.repeat(60_000),
    ];
    for (const text of hostile) {
      for (const { start, end } of tagger(text)) {
        expect(start).to.be.within(0, end - 1);
        expect(end).to.be.at.most(text.length);
      }
    }
  });
});
