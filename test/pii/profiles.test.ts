import {
  coveredBy,
  coveredWithout,
  type ProfileName,
  profileNames,
  profiles,
  requestedTypes,
} from '@scriptorium/contracts/documents/profiles';
import { createDetector } from '@scriptorium/pii';
import { expect } from 'chai';
import { hasStreet } from '../../packages/pii/src/narrowing/address.ts';
import { isOver89 } from '../../packages/pii/src/narrowing/age.ts';
import { hasMoreThanYear } from '../../packages/pii/src/narrowing/date.ts';
import { isSmallerThanState } from '../../packages/pii/src/narrowing/place.ts';
import { hasPersonalPart } from '../../packages/pii/src/narrowing/url.ts';

const detect = (profile: ProfileName, text: string): string[] =>
  createDetector({
    ...requestedTypes(profile),
    minConfidence: 0.4,
    customPatterns: [],
    allowList: [],
  })(text).map(({ start, end }) => text.slice(start, end));

/** Each text with what a condition says of it. */
const cases = (condition: (text: string) => boolean, yes: string[], no: string[]): void => {
  expect(yes.filter((text) => !condition(text))).to.deep.equal([]);
  expect(no.filter(condition)).to.deep.equal([]);
};

describe('redaction profiles', () => {
  const text =
    'Mara Kleinhoevel, born 3 May 1971, was seen on 12 March 2024 by the Harbour Clinic. Her card is 4539 1488 0343 6467.';

  it('differ in the dates and organisations that they remove', () => {
    expect(detect('personal', text)).to.include.members(['Mara Kleinhoevel', '3 May 1971']);
    expect(detect('personal', text)).not.to.include('12 March 2024');
    expect(detect('hipaa', text)).to.include.members(['3 May 1971', '12 March 2024']);
    expect(detect('pci', text)).to.deep.equal(['4539 1488 0343 6467']);
  });

  it('keep what has no part of a person under `personal`', () => {
    const kept = 'In 2019 the report was revised on 4 June 2021 and again on 2024-03-01 at 14:30.';
    expect(detect('personal', kept)).to.deep.equal([]);
    expect(detect('hipaa', 'It was founded in 2019.')).to.deep.equal([]);
  });

  it('remove special categories beside a label under `gdpr` only', () => {
    const form = 'Religion: Buddhist\nTelephone: 020 7946 0958\n';
    expect(detect('gdpr', form)).to.deep.equal(['Buddhist', '020 7946 0958']);
    expect(detect('personal', form)).to.deep.equal(['020 7946 0958']);
  });

  it('cover themselves, smaller profiles and the types that they hold in full', () => {
    expect(coveredBy('all')).to.equal(null);
    expect(coveredBy('gdpr')).to.include.members(['gdpr', 'personal', 'pci', 'PERSON', 'AGE']);
    expect(coveredBy('personal'))
      .to.include.members(['personal', 'pci', 'PERSON'])
      .and.not.include.members(['ADDRESS'])
      .and.not.include.members(['gdpr']);
    expect(coveredBy('hipaa')).not.to.include('DATE_TIME');
    expect(coveredBy(['PERSON'])).to.deep.equal(['PERSON']);
    expect(coveredBy(['CREDIT_CARD'])).to.deep.equal(['CREDIT_CARD', 'pci']);
    for (const name of profileNames) {
      if (name !== 'all') expect(coveredBy(name)).to.include(name);
      expect(profiles[name].source).not.to.equal('');
    }
  });

  it('are not covered by a redaction that kept one of their types', () => {
    for (const type of ['LICENCE_PLATE', 'HANDWRITING'] as const) {
      const covered = coveredWithout(coveredBy('gdpr'), [type]);
      expect(covered).not.to.include.oneOf(['personal', 'gdpr', type]);
      expect(covered).to.include.members(['PERSON', 'SIGNATURE', 'pci']);
    }
  });
});

describe('conditions of profiles', () => {
  it('tell an address with a street from a town', () =>
    cases(
      hasStreet,
      [
        '14 Mill Lane',
        'Kaiserstraße',
        'Hauptstr. 5',
        'rue de la Paix',
        '10115 Berlin',
        'Calle Mayor',
        'Via Garibaldi, Torino',
        'Kerkstraat',
        'ul. Polna',
        'Storgatan',
        'P.O. Box',
        'Postfach 12 34',
        'SW1A 1AA',
        'улица Ленина',
        '渋谷区1丁目',
      ],
      [
        'via',
        'Springfield',
        'Bad Homburg',
        'Greater Manchester',
        'the Rhine valley',
        'Room 12',
        'Étage 3',
        'Gebäude 4, Raum 211',
        'Halle 7, Stand 12',
        'Edificio B, piano 2',
        '2. Stock, Zimmer 4',
        'Bâtiment C, bureau 12',
        'Building 4, Floor 2',
        '3rd floor',
        'Budynek A, pokój 12',
      ],
    ));

  it('tell a web address of a person from others', () => {
    cases(
      (url) => hasPersonalPart(url, ['Mara Kleinhoevel']),
      [
        'https://www.linkedin.com/in/mk-12',
        'github.com/mkh',
        'https://x.com/mkh/status/1',
        'https://uni.example/~mkh/',
        'https://example.com/users/4711',
        'https://a.example/@mkh',
        'https://a.example/?email=a%40b.example',
        'https://a.example/reset?token=ab12',
        'ftp://mkh@files.example/',
        'www.kleinhoevel.example',
        'https://a.example/mara-k',
      ],
      [
        'https://www.example.com',
        'example.org/docs/guide.html',
        'https://x.com/search?q=tea',
        'https://github.com/example/tool',
        'https://www.linkedin.com/company/example',
        'https://doi.org/10.1000/182',
        'https://example.com/?page=2&lang=de',
      ],
    );
  });

  it('tell a date from a year or a time of day', () =>
    cases(
      hasMoreThanYear,
      ['12 March 2024', 'March 2024', '2024-03-12', '12.03.24', '4 May', '12.03.2024 14:30'],
      ['1998', '14:30', '14:30:05', '2 pm', '14.30 Uhr', '9:15 am', '14h30', '08:00 UTC'],
    ));

  it('tell a place from a state or country', () =>
    cases(
      isSmallerThanState,
      ['Springfield', 'Springfield, Illinois', 'New York', 'Bavaria', 'Cook County', 'Berlin'],
      ['Illinois', 'the United States', 'Deutschland', 'Francia', 'U.S.A.', 'Europe', 'Polska'],
    ));

  it('tell ages over 89', () => cases(isOver89, ['90', '104', 'ninety'], ['89', '7', '42']));
});
