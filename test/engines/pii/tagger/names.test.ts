import { expect } from 'chai';
import { createTagger } from '../../../../src/engines/pii/tagger/index.ts';

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
});
