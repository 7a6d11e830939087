import { Gazetteer } from '@scriptorium/pii/tagger/gazetteer';
import { beginOf, insideOf, OUTSIDE, taggedTypes } from '@scriptorium/pii/tagger/labels';
import { TaggerSegment } from '@scriptorium/pii/tagger/segment';
import { expect } from 'chai';
import { allowedLabels, type Sample } from '../../../lab/training/pii/sample.ts';
import { parseMarks, writers, writtenBy } from '../../../lab/training/pii/written.ts';

const PERSON = taggedTypes.indexOf('PERSON');
const TITLE = taggedTypes.indexOf('TITLE');

function labels(sample: Sample): number[] {
  const segment = new TaggerSegment();
  segment.read(sample.value, 0, new Gazetteer(new Int32Array(), new Uint32Array()));
  return allowedLabels(segment, sample);
}

const bits = (...labels: number[]): number => labels.reduce((sum, label) => sum | (1 << label), 0);

describe('samples of the tagger’s training', () => {
  it('ask for the labels of an entity, and allow any of the types of an open one', () => {
    const marks: Sample['marks'] = [
      { start: 0, end: 3, types: ['none', 'TITLE'] },
      { start: 4, end: 12, types: ['PERSON'] },
    ];
    expect(labels({ value: 'Dr. Ann Lee said', marks })).to.deep.equal([
      bits(OUTSIDE, beginOf(TITLE), insideOf(TITLE)),
      bits(OUTSIDE, beginOf(TITLE), insideOf(TITLE)),
      bits(beginOf(PERSON)),
      bits(insideOf(PERSON)),
      bits(OUTSIDE),
    ]);
  });

  it('begin a new entity beside another of the same type', () => {
    const marks: Sample['marks'] = [
      { start: 0, end: 3, types: ['PERSON'] },
      { start: 4, end: 6, types: ['PERSON'] },
    ];
    expect(labels({ value: 'Ann Jo', marks })).to.deep.equal([
      bits(beginOf(PERSON)),
      bits(beginOf(PERSON)),
    ]);
  });

  it('are read from written documents without the notation, and other types are text', () => {
    const { value, marks, all } = parseMarks('Dear [[TITLE|Ms]] [[PERSON|Ito]], [[AGE|71]].');
    expect(value).to.equal('Dear Ms Ito, 71.');
    expect(marks.map(({ start, end }) => value.slice(start, end))).to.deep.equal(['Ms', 'Ito']);
    expect(all.map(({ type }) => type)).to.deep.equal(['TITLE', 'PERSON', 'AGE']);
  });

  it('have no notation left in any document', () => {
    const documents = writers.flatMap(writtenBy);
    expect(documents).to.have.length.greaterThan(2000);
    for (const { value } of documents) expect(value).to.not.match(/\[\[|\]\]|^@@@/m);
  });
});
