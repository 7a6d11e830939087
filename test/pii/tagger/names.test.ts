import { createTagger } from '@scriptorium/pii/tagger';
import { expect } from 'chai';

const tagger = createTagger();
const people = (text: string): string[] =>
  tagger(text)
    .filter(({ type }) => type === 'PERSON')
    .map(({ start, end }) => text.slice(start, end));

describe('the words of a name', () => {
  it('are those with capitals, and particles between them', () => {
    expect(people('A Mariana avisou o Tiago de que a aula acabou.')).to.deep.equal([
      'Mariana',
      'Tiago',
    ]);
    expect(people('M. et Mme Perdereau habitent 3 impasse du Moulin.')).to.deep.equal([
      'Perdereau',
    ]);
    expect(people('Mia sorella Rosaria abita con Assunta.')).to.deep.equal(['Rosaria', 'Assunta']);
    expect(people('Der Brief ging an Almut Freifrau von Rechenberg.')).to.deep.equal([
      'Almut Freifrau von Rechenberg',
    ]);
  });

  it('are not misread words between numbers, but names of lists and likely ones', () => {
    for (const word of ['Jrtikel', 'Ortikel']) {
      const row = `Rechnung Nr. 00586676, ${word} 251-7704, Menge 18, Preis 606,17 EUR`;
      expect(tagger(row), row).to.deep.equal([]);
    }
    expect(people('1 Kovacs 12.31 2 Novotna 12.44')).to.deep.equal(['Kovacs', 'Novotna']);
    expect(people('3 Quillfeather 12.30')).to.deep.equal(['Quillfeather']);
  });

  it('are joined by hyphens', () => {
    expect(people('I spoke to Kwon Hyun-woo and Mei-Ling Zhao.')).to.deep.equal([
      'Kwon Hyun-woo',
      'Mei-Ling Zhao',
    ]);
  });

  it('begin with their particles', () => {
    expect(people('Volgens van der Veldt was de deur dicht.')).to.deep.equal(['van der Veldt']);
  });

  it('do not include the word that opens a sentence', () => {
    expect(people('Secondo Elena Marchetti il ghiacciaio arretra.')).to.deep.equal([
      'Elena Marchetti',
    ]);
    expect(people('Hello, this is Dr. Garðar Matthíasson.')).to.deep.equal(['Garðar Matthíasson']);
  });

  it('may all be in lower case', () => {
    expect(people('my name is tomasz wrona')).to.deep.equal(['tomasz wrona']);
    expect(people('leone mazzi\n\nnurse\n\nphone:')).to.deep.equal(['leone mazzi']);
  });

  it('end with the line, if that is a whole name', () => {
    const signed = 'Mit freundlichen Grüßen\nTorsten Malchow\nRosemarie Dittrich';
    expect(people(signed)).to.deep.equal(['Torsten Malchow', 'Rosemarie Dittrich']);
  });

  it('include what stands behind a saint or an apostrophe', () => {
    expect(
      people('I met Mary-Ann St. Clair and Gijs van ’t Hof, and Piet in ’t Veld.'),
    ).to.deep.equal(['Mary-Ann St. Clair', 'Gijs van ’t Hof', 'Piet in ’t Veld']);
  });

  it('are no nouns behind an article, months or words of every sentence', () => {
    for (const text of [
      'Der Kessel wurde gereinigt und der Brenner neu eingestellt.',
      'Monat\tUmsatz\nJanuar\t12.400\nMärz\t13.010',
      'Ordner anlegen, Dateien verschieben, Papierkorb leeren.',
      'Anexos. Cada apartado debe ocupar una página.',
      '这本书介绍了 Windows 和 Linux 操作系统的基本概念，并比较了 Oracle、MySQL 与 Microsoft SQL Server 的性能。',
    ])
      expect(people(text), text).to.deep.equal([]);
  });

  it('are no part of the name of a company', () => {
    expect(people('Die Krumbholz Heizungsbau GmbH liefert, sagt Herr Krumbholz.')).to.deep.equal([
      'Krumbholz',
    ]);
  });

  it('are a surname and the first names behind it in an entry of a list', () => {
    expect(people('1. Hollmann, Detlef\n2. Krämer, Sybille\n3. Boateng, Esther')).to.deep.equal([
      'Hollmann, Detlef',
      'Krämer, Sybille',
      'Boateng, Esther',
    ]);
    expect(people('Patient: Janssen, Gerda, geb. 12.03.1941')).to.deep.equal(['Janssen, Gerda']);
  });

  it('are no others, which a comma separates', () => {
    expect(people('Teilnehmer: Anke, Stefan, Sabine')).to.deep.equal(['Anke', 'Stefan', 'Sabine']);
  });

  it('may end in the s of a possessive, or be written without umlauts', () => {
    expect(people('Petra Müllers Einspruch wurde verworfen.')).to.deep.equal(['Petra Müllers']);
    expect(people('Der Vertrag mit Juergen Schroeder liegt bei.')).to.deep.equal([
      'Juergen Schroeder',
    ]);
  });

  it('do not include what someone is', () => {
    expect(people('Die Überweisung ging an Kollegin Radtke, Orthopädie.')).to.deep.equal([
      'Radtke',
    ]);
    expect(people('Den Vorsitz führte Richter Dr. Hagedorn.')).to.deep.equal(['Hagedorn']);
    expect(people('Richter am LG Dr. Hagedorn entschied.')).to.deep.equal(['Hagedorn']);
    expect(people('Klara Nieuwenhuis-Huf kreeg een brief.')).to.deep.equal([
      'Klara Nieuwenhuis-Huf',
    ]);
  });

  it('are no part of what is named after someone', () => {
    expect(people('Das Robert-Koch-Institut meldet sinkende Zahlen.')).to.deep.equal([]);
    expect(people('Karl-Heinz Meyer-Abich kommt.')).to.deep.equal(['Karl-Heinz Meyer-Abich']);
  });

  it('include a surname that the tagger alone does not find', () => {
    expect(people('Veuillez demander à Thierry Belvaisse de signer le bail.')).to.deep.equal([
      'Thierry Belvaisse',
    ]);
    expect(
      people('Subject: Das Gutachten wurde für Brunhilde Nussstädter-Buchholzer erstellt.'),
    ).to.deep.equal(['Brunhilde Nussstädter-Buchholzer']);
    expect(people('Ich habe Thomas Bescheid gesagt.')).to.deep.equal(['Thomas']);
  });

  it('are not the first words of a sentence behind a label', () => {
    const cells =
      'Name: Raport przygotowano dla klienta w maju.\nName: Listy prosimy wysłać pocztą.';
    expect(people(cells)).to.deep.equal([]);
  });

  it('are not a part of an address on the line above', () => {
    const row = 'Der Mieter wohnt in der Am Mühlgraben 12, 01104 Dresden.\nIngeborg Mühlkamp';
    expect(people(row)).to.deep.equal(['Ingeborg Mühlkamp']);
  });

  it('may be on no list, where a place would be', () => {
    expect(people('Le dossier a été transmis à Maëlys Kervella.')).to.deep.equal([
      'Maëlys Kervella',
    ]);
  });

  it('are those of parties to a case', () => {
    expect(people('In Abernethy v Colquhoun the court refused leave.')).to.deep.equal([
      'Abernethy',
      'Colquhoun',
    ]);
    expect(people('In der Sache Tiedemann ./. Wulfert, Az. 3 O 114/22')).to.deep.equal([
      'Tiedemann',
      'Wulfert',
    ]);
  });
});
