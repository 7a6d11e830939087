import { createDetector } from '@scriptorium/pii';
import type { DetectorOptions } from '@scriptorium/pii/finding';
import { expect } from 'chai';

const all: DetectorOptions = {
  entities: 'all',
  minConfidence: 0.5,
  customPatterns: [],
  allowList: [],
};

function found(text: string, options: Partial<DetectorOptions> = {}): string[] {
  return createDetector({ ...all, ...options })(text).map(
    ({ type, start, end }) => `${type} ${text.slice(start, end)}`,
  );
}

const text = 'Name: Tereza Malinová\nE-mail: tereza.m@post.example\nCity: Olomouc';

describe('the tagger in the detector', () => {
  it('finds names and places in addition to what patterns find', () => {
    expect(found(text)).to.deep.equal([
      'PERSON Tereza Malinová',
      'EMAIL_ADDRESS tereza.m@post.example',
      'LOCATION Olomouc',
    ]);
  });

  it('ends a name where a line begins with a label', () => {
    const form = 'Surname ....... Zhao\nForename(s) ... Zbyněk\nD.O.B ......... 1987-11-23';
    expect(found(form)).to.deep.equal(['PERSON Zhao', 'PERSON Zbyněk', 'DATE_OF_BIRTH 1987-11-23']);
  });

  it('finds only the requested types', () => {
    expect(found(text, { entities: ['LOCATION'] })).to.deep.equal(['LOCATION Olomouc']);
    expect(found(text, { entities: ['EMAIL_ADDRESS'] })).to.deep.equal([
      'EMAIL_ADDRESS tereza.m@post.example',
    ]);
  });

  it('omits findings below the requested score', () => {
    const sure = createDetector({ ...all, minConfidence: 0.9 })(text);
    expect(sure.every(({ score }) => score >= 0.9)).to.equal(true);
  });

  it('omits values on the allow list', () => {
    expect(found(text, { allowList: ['olomouc'] })).to.not.include('LOCATION Olomouc');
  });

  it('is not sure of a single word that is on no list of first names', () => {
    const scoreOf = (text: string): number =>
      createDetector(all)(text).find(({ type }) => type === 'PERSON')?.score ?? 0;
    expect(scoreOf('Brucella was ruled out.')).to.be.lessThan(0.8);
    expect(scoreOf('Jarvis was ruled out.')).to.be.greaterThan(0.8);
    expect(scoreOf('Dr Brucella was ruled out.')).to.be.greaterThan(0.8);
  });
});
