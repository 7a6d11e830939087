import { createValueSearch } from '@scriptorium/documents/redact/values/seek';
import { createUsage } from '@scriptorium/documents/redact/values/usage';
import { expect } from 'chai';
import type { FoundValue } from '../../../../packages/documents/src/redact/values/doubtful-values.ts';

const person = (value: string, score = 0.95): FoundValue => ({ type: 'PERSON', value, score });

const seekerFor = (found: readonly FoundValue[]) => createValueSearch(found, createUsage(found));

/** What is sought in a text after some values were found, in brackets. */
function marked(found: readonly FoundValue[], text: string, allowList: string[] = []): string {
  const usage = createUsage(found);
  usage.record(text);
  const hits = createValueSearch(found, usage, allowList).find(text);
  return hits.reduceRight(
    (rest, { start, end }) =>
      `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`,
    text,
  );
}

describe('people, once found', () => {
  const mara = [person('Mara Kleinhoevel')];
  const cases: readonly [title: string, found: FoundValue[], wanted: string[]][] = [
    [
      'are sought by first name, last name, initials and in any order',
      mara,
      [
        'Then [Mara] spoke. [KLEINHOEVEL] agreed.',
        'Signed: [M. Kleinhoevel], or [M.K. Kleinhoevel], or [Kleinhoevel, M.]',
        'Signed by M. Brandt, and T. [Kleinhoevel]',
        '[Kleinhoevel], [Mara]',
        "[Kleinhoevel's] house, [Maras] Haus, [Kleinhoevels] Haus",
        'Marathon, Kleinhoevelstadt and Tamara',
      ],
    ],
    [
      'have no titles or particles as parts',
      [person('Dr. Piet van der Hoeven')],
      ['[Hoeven] drove the van. Dr. Der and Van stay; [Piet] too.'],
    ],
    [
      'are left where their name is an ordinary word',
      [person('Rose Stone'), person('Mark May')],
      [
        'The stone wall. Stone walls last. A Rose Garden in May. Mark the date.',
        'Ask [Rose Stone], [Stone, R.], [R. Stone], [Stone] [Rose], Ms [Stone] or Mr. [May].',
        "It was [Stone]'s idea, and later [Rose] said so to us.",
        'STONE WALLS AND ROSE GARDENS, Roses and Stones',
        'The meeting in May was moved to late May.',
      ],
    ],
    [
      'are left in German, where nouns have capitals',
      [person('Thomas Koch')],
      [
        'Der Koch kocht und ist da. Ein guter Koch spart. Herr [Koch], Frau [Koch], [T. Koch] und [Thomas].',
      ],
    ],
    ['are sought in scripts without capitals', [person('王小明')], ['客户[王小明]已经签字。']],
    [
      'are sought with the words between them in other scripts',
      [person('Иван Петров')],
      ['[Петров] и [Иван] пришли.'],
    ],
  ];
  for (const [title, found, texts] of cases) {
    it(title, () => {
      for (const text of texts) {
        expect(marked(found, text.replace(/[[\]]/g, ''))).to.equal(text);
      }
    });
  }

  it('are ordinary words where the document has them in lower case', () => {
    const found = [person('Ada Lovelock')];
    expect(marked(found, 'A lovelock. Lovelock was there.')).to.equal(
      'A lovelock. Lovelock was there.',
    );
    expect(marked(found, 'ada lovelock wrote. Lovelock did.')).to.equal(
      '[ada lovelock] wrote. [Lovelock] did.',
    );
  });

  it('are ordinary words where the document has them often and few were taken for names', () => {
    const found = [person('Norwich'), person('Norwich')];
    const text = 'They met in Norwich. '.repeat(12).trim();
    expect(marked(found, text)).to.equal(text);
    expect(marked([person('Ada Norwich')], 'Then Norwich left. Norwich is gone.')).to.equal(
      'Then [Norwich] left. [Norwich] is gone.',
    );
  });

  it('keep allowed parts', () => {
    expect(marked(mara, 'Mara Kleinhoevel. Mara met Kleinhoevel.', ['mara'])).to.equal(
      '[Mara Kleinhoevel]. Mara met [Kleinhoevel].',
    );
  });

  it('are claimed to be gone with their parts, but not with ordinary words', () => {
    const { claims } = seekerFor([...mara, person('Rose Stone')]);
    const values = claims.map(({ value }) => value);
    expect(values).to.include.members(['Mara Kleinhoevel', 'Kleinhoevel', 'Kleinhoevels']);
    expect(values).to.include('Rose Stone').and.not.include('Stone');
  });
});

describe('doubtful findings', () => {
  const doubtful: readonly FoundValue[] = [
    { type: 'ORGANIZATION', value: 'TI-89', score: 0.99 },
    { type: 'ORGANIZATION', value: 'SKU-8847', score: 0.99 },
    person('getName'),
    person('upland rivers'),
    person('Goto', 0.6),
    { type: 'LOCATION', value: 'Fertiliser', score: 0.7 },
  ];

  it('are not sought in other places', () => {
    for (const one of doubtful) {
      expect(seekerFor([one]).isDoubtful(one), one.value).to.equal(true);
      expect(marked([one], `A ${one.value} or so`)).to.equal(`A ${one.value} or so`);
    }
  });

  it('are sought where their word stands as a name somewhere', () => {
    const text = 'Dear Tavener, as J. Tavener said. Then Tavener left.';
    expect(marked([person('Tavener', 0.79)], text)).to.equal(
      'Dear [Tavener], as [J. Tavener] said. Then [Tavener] left.',
    );
    const brand = 'Tavener is down. Restart Tavener, and ask for a Tavener key.';
    expect(marked([person('Tavener', 0.79)], brand)).to.equal(brand);
  });

  it('are sought once they were found twice', () => {
    const twice = [person('Tavener', 0.6), person('Tavener', 0.6)];
    expect(marked(twice, 'Tavener was here')).to.equal('[Tavener] was here');
  });

  it('are not values of a fixed form, nor names with a capital inside', () => {
    const sure: FoundValue[] = [
      { type: 'PASSPORT', value: 'C01X00T47', score: 0.5 },
      { type: 'CUSTOM_CODE', value: 'SKU-8847', score: 1 },
      person('Fiona McGhee'),
      person("Sean O'Brien"),
      person('Jean-Pierre DeVries'),
    ];
    const seeker = seekerFor(sure);
    expect(sure.filter(seeker.isDoubtful)).to.deep.equal([]);
  });
});
