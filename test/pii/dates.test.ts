import { expect } from 'chai';
import { found } from './find.ts';

const dates: Record<string, string[]> = {
  'on 2024-03-12, at 1978-04-13 12:20:39 and 2024-03-12T08:15:00Z': [
    '2024-03-12',
    '1978-04-13 12:20:39',
    '2024-03-12T08:15:00Z',
  ],
  'since 12/1/1981 or 8/14/96': ['12/1/1981', '8/14/96'],
  'am 12.03.2024 und 3. Mai 1999 um 8 Uhr': ['12.03.2024', '3. Mai 1999', '8 Uhr'],
  'on March 12th, 2024 and 12 March': ['March 12th, 2024', '12 March'],
  'Monday, 12 March 2024': ['Monday, 12 March 2024'],
  'le 1er février 2020 et le 3 août': ['1er février 2020', '3 août'],
  'el 12 de marzo de 2024': ['12 de marzo de 2024'],
  'il 5 gennaio 1980': ['5 gennaio 1980'],
  'op 7 maart 2011': ['7 maart 2011'],
  'em 9 de fevereiro de 1991': ['9 de fevereiro de 1991'],
  'dnia 7 października 1979': ['7 października 1979'],
  'il 6.XI.1949, dnia 3 IV 1962, 12/xi/1990': ['6.XI.1949', '3 IV 1962'],
  'founded in 1977. Later, in 1980, the Act of 2001 protects': ['1977', '1980', '2001'],
  'seit 1999, depuis 2003, desde 2010, nel 1988, sinds 2015': [
    '1999',
    '2003',
    '2010',
    '1988',
    '2015',
  ],
  'meet at 8:15 pm or 20h30': ['8:15 pm', '20h30'],
  'in 2000 pages, in 1950 kg, page 3 of 1999, 1977': [],
  '31.02.2024, 2024-13-45, 99/99/1999, 45 March': [],
  'you may 5 times march on, 12 mar': [],
  'version 1.2.24, ratio 3:15, on 1.13.15 of 3-4-12': [],
  'Date: 1.3.24, at 20:15': ['1.3.24', '20:15'],
};

const births: Record<string, string> = {
  'born on 12 March 1984': '12 March 1984',
  'DOB: 03/12/1984': '03/12/1984',
  "Please tell me your date of birth. It's 6/24/1991": '6/24/1991',
  'A requerente nasceu em 26/06/1953.': '26/06/1953',
  'Nasceu em Lisboa, no dia 7 de julho de 1970.': '7 de julho de 1970',
  'Powódka urodziła się 6 grudnia 1947.': '6 grudnia 1947',
  'córki, urodzonej 7 maja 1970 r.': '7 maja 1970',
  'Elle naquit le 6 mai 1950.': '6 mai 1950',
  'Nacque il 5 maggio 1961.': '5 maggio 1961',
  'geboren am 12. März 1984 in Köln': '12. März 1984',
  'Geb.-Datum 12.3.84, geb. 12.3.84': '12.3.84',
  'né le 3 février 1970': '3 février 1970',
  'née le 03/02/1970': '03/02/1970',
  'fecha de nacimiento: 3 de mayo de 1970': '3 de mayo de 1970',
  'nata il 5 gennaio 1980': '5 gennaio 1980',
  'geboortedatum 7 maart 2011': '7 maart 2011',
  'nascida em 9 de fevereiro de 1991': '9 de fevereiro de 1991',
  'urodzona 7 października 1979': '7 października 1979',
  'nato a Ferrara il 6.XI.1949': '6.XI.1949',
  'ur. 3.IV.1962 w Gdyni': '3.IV.1962',
  'came into the world on 17 July 2024, nine days late': '17 July 2024',
  'kam am 3. Mai 2021 zur Welt': '3. Mai 2021',
  'a vu le jour le 3 février 2020': '3 février 2020',
};

const ages: Record<string, string[]> = {
  "i'm 31 y/o. My brother just turned 60": ['31', '60'],
  'a 19 year old man, aged 44, 7-year-old, 6 months old': ['19', '44', '7', '6'],
  'at the age of 82; Age: 53': ['82', '53'],
  '31 Jahre alt, im Alter von 44, die 52-jährige': ['31', '44', '52'],
  'âgée de 31 ans; edad: 44; 52 años de edad': ['31', '44', '52'],
  'età: 31, di 44 anni, 52 jaar oud, leeftijd 60': ['31', '44', '52', '60'],
  '31 years of experience, 3 years ago, age 400, aged 3.5, page 31': [],
  'il y a 20 ans de travail, hace 20 años de trabajo': [],
};

describe('recognition of dates, times and ages', () => {
  for (const [text, values] of Object.entries(dates)) {
    it(`finds dates in ${JSON.stringify(text)}`, () => {
      expect(found(text)).to.deep.equal(values.map((value) => `DATE_TIME ${value}`));
    });
  }
  for (const [text, value] of Object.entries(births)) {
    it(`finds the date of birth in ${JSON.stringify(text)}`, () => {
      expect(found(text)).to.include(`DATE_OF_BIRTH ${value}`);
      expect(found(text)).to.not.include(`DATE_TIME ${value}`);
    });
  }
  it('does not take dates of issue and expiry for dates of birth', () => {
    expect(found('Born in Rome. Date of issue 12/03/2014, expires 12/03/2024')).to.deep.equal([
      'DATE_TIME 12/03/2014',
      'DATE_TIME 12/03/2024',
    ]);
  });
  for (const [text, values] of Object.entries(ages)) {
    it(`finds ages in ${JSON.stringify(text)}`, () => {
      const told = found(text).filter((one) => one.startsWith('AGE '));
      expect(told).to.deep.equal(values.map((value) => `AGE ${value}`));
    });
  }
});
