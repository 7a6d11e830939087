import { expect } from 'chai';
import { removed } from './personal.ts';

describe('people under `personal`', () => {
  const people = (text: string): string[] =>
    removed(text)
      .filter((one) => one.startsWith('PERSON '))
      .map((one) => one.slice(7));

  it('are people where a place or an organisation may have their name', () => {
    for (const [text, name] of [
      ['He only learned his birth name, Hyacinth Hargreaves, last year.', 'Hyacinth Hargreaves'],
      ['The wire to Marlowe Avon bounced twice.', 'Marlowe Avon'],
    ] as const) {
      expect(people(text), text).to.include(name);
    }
    expect(people('The train from Buenos Aires to Port Lincoln was late.')).to.deep.equal([]);
    expect(people('Lincoln National Corp and Wells Fargo & Co paid.')).to.deep.equal([]);
  });

  it('are not single words that are more likely a place or another word', () => {
    for (const text of [
      'Der Zug nach Saaz fährt später.',
      'De trein naar Ludhiana vertrekt later.',
      'We drove to Bonneville for the weekend.',
      'Das Gefecht bei Steinhof dauerte zwei Tage.',
    ]) {
      expect(people(text), text).to.deep.equal([]);
    }
  });

  it('are neither offices nor people after whom something is called', () => {
    for (const text of [
      "Warfarin interacts with St John's wort.",
      "St. Patrick's Day is a holiday.",
      'The Dalai Lama spoke in the morning.',
      'The bus to John F. Kennedy airport is late.',
    ]) {
      expect(people(text), text).to.deep.equal([]);
    }
    expect(people("Mr St John's report is late.")).to.deep.equal(['St John']);
  });

  it('have their first and last name behind a title', () => {
    expect(people('Mr Quillfeather and Mrs Sears were present.')).to.deep.equal([
      'Quillfeather',
      'Sears',
    ]);
  });

  it('are joined by "and" before one family name, and by commas in a list', () => {
    expect(people('Ada & Ben Stone rented it.')).to.have.length(2);
    expect(people('Presenti: Rocco Barbieri, Chiara Trovato, Benedetta')).to.include('Benedetta');
    expect(people('my children Juniper and Tito, ages 12 and 9')).to.deep.equal([
      'Juniper',
      'Tito',
    ]);
    expect(people('Ada Stone, Treasurer')).to.deep.equal(['Ada Stone']);
  });

  it('are no labels in cells, and have labels of their own', () => {
    expect(people('Name\tZwirngiebl\tVorname\tGudrun\nRufname\tLeni\tTelefon\t')).to.deep.equal([
      'Zwirngiebl',
      'Gudrun',
      'Leni',
    ]);
    expect(people('Surname\tGuidry\tGiven names\tAnselm\tKnown as\tBoone')).to.deep.equal([
      'Guidry',
      'Anselm',
      'Boone',
    ]);
    expect(removed('igeboren|03.05.1971', true)).to.deep.equal(['DATE_OF_BIRTH 03.05.1971']);
  });

  it('are whole in the names of their accounts', () => {
    expect(removed('Ticket of winifred.vasquez was closed').join()).to.include('winifred.vasquez');
  });

  it('are no labels in the rows of a form below the label of a name', () => {
    const rows = 'Titular\t14,50\nVencimiento\tok\nBase Imponible\t3\nForma de Pago\tal contado\n';
    expect(people(rows)).to.deep.equal([]);
    expect(people('Titular\tImporte\tIVA\nItziar Olabarrieta\t14,50\t3\n')).to.deep.equal([
      'Itziar Olabarrieta',
    ]);
  });

  it('are no words by themselves that end as nouns of forms do', () => {
    for (const word of [
      'Zählerstände',
      'Gabelstaplerschein',
      'Aufnahmegrund',
      'Meterstanden',
      'Waarborgsom',
      'Responsable',
      'Legitymacja',
      'Posologia',
      'Facturación',
      'Fornitura',
    ]) {
      expect(people(`${word}\n14,50\n${word} 3\n`), word).to.deep.equal([]);
    }
    expect(people('Auftrag für Frau Amelung, Herrn Hartung und Soledad.')).to.deep.equal([
      'Amelung',
      'Hartung',
      'Soledad',
    ]);
    expect(people('Waarborgsom Femke Hoogendijk\n')).to.deep.equal(['Femke Hoogendijk']);
  });

  it('are no initials that are a label', () => {
    expect(people('C.P.\nEntrega\nC.P. Benedita Quaresma\n')).to.deep.equal(['Benedita Quaresma']);
  });

  it('have their family name in capitals before a comma', () => {
    for (const name of ['AVOSCAN, Herman Horacio', 'PFLAUM, Torsten', 'VAN DEN BERG, Joris']) {
      expect(people(`- ${name}\n- BALCEDO, María Ester\n`), name).to.deep.equal([
        name,
        'BALCEDO, María Ester',
      ]);
      expect(people(`${name}\tRaum 3\n`), name).to.deep.equal([name]);
    }
  });
});

describe('addresses under `personal`', () => {
  it('include the town behind a comma, whatever follows it on the line', () => {
    const letter =
      'Northfield County Records Office\n\n14 Mill Lane, Northfield 3 March 2026\n\nSubject: Transfer';
    expect(removed(letter)).to.deep.equal(['ADDRESS 14 Mill Lane, Northfield']);
  });

  it('never cross a cell, nor a line above a row of cells', () => {
    const countries =
      'Austria\t83,871\tVienna\nBelgium\t30,689\tBrussels\nFrance\t543,965\tParis\nItaly\t301,338\tRome';
    expect(removed(countries)).to.deep.equal([]);
    expect(removed(countries.replaceAll('\t', ' '))).to.deep.equal([]);
    expect(removed('12 Mill Lane\tCamden\n14 High Street\tPortland')).to.deep.equal([
      'ADDRESS 12 Mill Lane',
      'ADDRESS 14 High Street',
    ]);
    expect(removed('INV-20871\t77 Harbor St, Portland, ME 04101\t412.5\tNet 30')).to.deep.equal([
      'ADDRESS 77 Harbor St, Portland, ME 04101',
    ]);
    expect(removed('confirmer votre adresse : 8\true des Tilleuls, 31500 Toulouse')).to.deep.equal([
      'ADDRESS 8',
      'ADDRESS rue des Tilleuls, 31500 Toulouse',
    ]);
  });

  it('go on over the lines of their block', () => {
    expect(removed('740 East 11th Avenue\nVancouver BC V5T 2E4')).to.deep.equal([
      'ADDRESS 740 East 11th Avenue\nVancouver BC V5T 2E4',
    ]);
  });
});

describe('telephone numbers', () => {
  it('begin with a plus and the code of a country, whatever its numbers look like', () => {
    expect(removed('ring +44 20 0000 0147 soon')).to.deep.equal(['PHONE_NUMBER +44 20 0000 0147']);
    expect(removed('up by +100 000 000 since May')).to.deep.equal([]);
    expect(removed('a change of +12345678')).to.deep.equal([]);
  });
});
