import { expect } from 'chai';
import {
  parseSentences,
  type Sentence,
  sampleOfSentence,
} from '../../../lab/training/pii/corpora.ts';

/** The marks of a text whose tokens are written as `word` or `word|TAG`, with a space between. */
function marks(line: string, spaced = false): string[] {
  const file = line
    .split(' ')
    .map((token) => token.replace('|', '\t'))
    .map((token) => (token.includes('\t') ? token : `${token}\tO`))
    .join('\n');
  const [sentence] = parseSentences(file);
  const { value, marks } = sampleOfSentence(sentence!, spaced);
  return marks.map(({ start, end, types }) => `${types.join('/')} ${value.slice(start, end)}`);
}

const wordsOf = (sentences: Sentence[]): string[] =>
  sentences.map((sentence) => sentence.map(({ word }) => word).join(' '));

describe('annotated corpora', () => {
  it('are read with tags of the forms IO, IOB1 and IOB2', () => {
    expect(marks('M. Charles|I-PER Lamy|I-PER à Limoges|I-LOC')).to.deep.equal([
      'none/TITLE M.',
      'PERSON Charles Lamy',
      'LOCATION Limoges',
    ]);
    expect(marks('Ann|I-PER Lee|B-PER met')).to.deep.equal(['PERSON Ann', 'PERSON Lee']);
    expect(marks('Ann|B-PER Lee|I-PER Jo|B-PER')).to.deep.equal(['PERSON Ann Lee', 'PERSON Jo']);
  });

  it('are read with tags in the second column and in the last', () => {
    const [one] = parseSentences('SILICON NNP - I-ORG\nVALLEY NNP - I-ORG');
    expect(one!.map(({ type }) => type)).to.deep.equal(['ORG', 'ORG']);
    const [two] = parseSentences('Sesst B-PER a remark');
    expect(two![0]!.type).to.equal('PER');
  });

  it('are divided at empty lines and comments, and after a hundred tokens', () => {
    const file = 'a O\n\nb O\n# file: F_SBB_1\nc O\n-DOCSTART- -X- O O\nd O';
    expect(wordsOf(parseSentences(file))).to.deep.equal(['a', 'b', 'c', 'd']);
    const long = parseSentences(`${'word O\n'.repeat(150)}. O\n${'more O\n'.repeat(20)}`);
    expect(long.map(({ length }) => length)).to.deep.equal([151, 20]);
    const endless = parseSentences('word O\n'.repeat(450));
    expect(endless.map(({ length }) => length)).to.deep.equal([200, 200, 50]);
  });

  it('leave a title open where it is outside of the name, and inside', () => {
    expect(marks('Senator Cruz|B-PER spoke')).to.deep.equal(['none/TITLE Senator', 'PERSON Cruz']);
    expect(marks('President|B-PER Obama|I-PER spoke')).to.deep.equal([
      'TITLE/none President',
      'PERSON Obama',
    ]);
    expect(marks('the president spoke')).to.deep.equal([]);
  });

  it('leave possessives and punctuation out of names', () => {
    expect(marks("Anna|B-PER 's|I-PER car")).to.deep.equal(['PERSON Anna']);
    expect(marks('de heer Stieltjes,|B-PER zei')).to.deep.equal([
      'none/TITLE heer',
      'PERSON Stieltjes',
    ]);
  });

  it('take nationalities for a type of their own where they are marked, and leave others open', () => {
    expect(marks('the Japanese|I-MISC band')).to.deep.equal(['NRP Japanese']);
    expect(marks('the Japanese band')).to.deep.equal(['none/NRP Japanese']);
    expect(marks('the album Introduction|I-MISC')).to.deep.equal([]);
  });

  it('leave names of accounts and hashtags open', () => {
    expect(marks('@ colgo|B-PER hey')).to.deep.equal([
      'none/PERSON/ORGANIZATION @',
      'none/PERSON colgo',
    ]);
    expect(marks('@paulwalk hey')).to.deep.equal(['none/PERSON/ORGANIZATION @paulwalk']);
    expect(marks('go #UN|B-ORG')).to.deep.equal(['none/ORGANIZATION UN']);
  });

  it('take products, works, laws and times for other text, and leave groups open', () => {
    const line = 'iPad|B-product Frozen|B-creative-work Lei|B-LEGISLACAO 2018|B-TEMPO';
    expect(marks(line)).to.deep.equal([]);
    expect(marks('Mayday|B-group Parade|I-group')).to.deep.equal([
      'ORGANIZATION/none Mayday Parade',
    ]);
    expect(marks('Apple|B-corporation')).to.deep.equal(['ORGANIZATION Apple']);
    expect(marks('TRF|B-ORGANIZACAO Rio|B-LOCAL Ana|B-PESSOA')).to.deep.equal([
      'ORGANIZATION TRF',
      'LOCATION Rio',
      'PERSON Ana',
    ]);
  });

  it('take the roles of contracts for other text', () => {
    expect(marks('the Borrower|B-PER and Bank|B-ORG')).to.deep.equal([]);
  });

  it('leave streets open between places and addresses', () => {
    expect(marks('in der Gillmstraße|B-LOC')).to.deep.equal(['LOCATION/ADDRESS Gillmstraße']);
    expect(marks('Rue|I-LOC Lafayette|I-LOC 12')).to.deep.equal([
      'LOCATION/ADDRESS Rue Lafayette',
      'none/ADDRESS 12',
    ]);
  });

  it('are written with spaces as usual, or between all tokens', () => {
    const [sentence] = parseSentences(
      'He O\nsaid O\n: O\n" O\nAnna O\n\'s O\n( O\nnew O\n) O\n" O\n. O',
    );
    expect(sampleOfSentence(sentence!, false).value).to.equal('He said: "Anna\'s (new)".');
    expect(sampleOfSentence(sentence!, true).value).to.equal('He said : " Anna \'s ( new ) " .');
  });
});
