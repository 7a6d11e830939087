import type { EntityType } from '@scriptorium/contracts/documents/entities';
import { entityNames } from '@scriptorium/contracts/documents/entities';
import { defaultConfidence } from '@scriptorium/contracts/operations';
import { createDetector } from '@scriptorium/pii';
import type { PiiFinding } from '@scriptorium/pii/finding';
import { expect } from 'chai';
import { findLabelled } from '../../packages/pii/src/labels/index.ts';
import { reconcile } from '../../packages/pii/src/labels/reconcile.ts';
import { labelEntries } from '../../packages/pii/src/labels/scan.ts';
import { textViewOf } from '../../packages/pii/src/view.ts';
import { told } from './find.ts';

const byLabel = (text: string): string[] =>
  told(
    text,
    findLabelled(textViewOf(text, false), () => true),
  );

/** The labelled value is in brackets. */
const cases: Partial<Record<EntityType, string[]>> = {
  UK_NINO: ['National Insurance number [QQ 12 34 56 C]', 'NI no: [BG123456A], as above'],
  IBAN_CODE: ['IBAN [GB29 NWBK 6016 1331 9268 18]', 'IBAN-Nr.: [DE89370400440532013001]'],
  CREDIT_CARD: [
    'card [4539 1488 0343 6468]',
    'Kartennummer: [4539-1488-0343-6468] gültig bis 12/27',
    'numéro de carte : [4539 1488 0343 6468]',
    'Card no. (front) [4539148803436468]',
    'CVV: [123]',
  ],
  US_SSN: [
    'SSN: [000-12-3456]',
    'ssn\t[900 12 3456]',
    'His social security number is [123-45-678]',
    'SSN-[46O899847]',
  ],
  UK_NHS: ['NHS number of the patient is [123 456 7890]', '**NHS No:** [1234567890]'],
  DE_TAX_ID: ['Steuer-ID: [12 345 678 901]', 'Steueridentifikationsnummer ....... [12345678901]'],
  FR_NIR: ['N° de sécurité sociale : [1 85 05 75 123 456 00]'],
  ES_NIF: ['DNI: [12345678A]', 'con NIE [X1234567A], vecino'],
  IT_FISCAL_CODE: ['Codice fiscale: [RSSMRA85T10A562T]'],
  NL_BSN: ['BSN-nummer: [111222334]', 'burgerservicenummer [111222334]'],
  PL_PESEL: ['nr PESEL: [44053401359]'],
  SE_PERSONNUMMER: ['Personnummer: [811318-9876]'],
  PASSPORT: [
    'Passport no. [ZX-99-1823]',
    'numéro de passeport [12AB34567]',
    'Reisepassnummer: [C01 X00 T47]',
    'passportNumber = [X1234567]',
    'Reisepass Nr.\n[CFGHJKLM2]',
    'Nr paszportu\tData\n[EKTB2VX9L]\t12.03.2024',
  ],
  DRIVER_LICENSE: ['Driving licence number: [SMITH 706152 JD9]', 'Führerschein-Nr.: [B072RRE2I5]'],
  LICENCE_PLATE: [
    'Vehicle registration: [KX19 ZPD]',
    'The car, registration [LD16 VNK], was sold',
    'Kennzeichen: [HH-AB 1234]',
    'Immatriculation : [AB-123-CD], grise',
    'Matrícula: [1234 BCD]',
    'Targa [AB 123 CD]',
    'Licence plate\n[7XYZ123]',
    'Vehicle: [KX19 ZPD]',
    'Halter des Fahrzeugs [B-YT 765] ist',
    'Veicolo targato [RZ 913 DH], intestato',
    'kenteken [NR-112-Z] staat',
    'Reg. no. of the vehicle: [KX19 ZPD]',
    'License plate: [12345]',
    'Amtliches Kennzeichen: [TÜ-AB 1234]',
    'Matrícula do veículo: [12-AB-34]',
    'Numer rejestracyjny pojazdu [WA 12345]',
  ],
  NATIONAL_ID: [
    'CPR-nr. [010180-1235]',
    'Fødselsnummer: [01018012345]',
    '身份证号：[11010519491231002X]',
    '주민등록번호: [900101-1234567]',
    'NRIC: [S1234567D]',
    'Hong Kong ID: [A123456(7)]',
    'legitymujący się dowodem [SHV 352422].',
    'Emirates ID [784-1985-7654321-2]',
    'PIS/PASEP: [120.12345.67-8]',
  ],
  US_BANK_NUMBER: ['Account number: [12345678]', 'Sort code [20-00-00]', 'Kontonummer [4711 0815]'],
  PERSONAL_ID: [
    'Kundennummer: [KD-4471-22]',
    'Patient ID [P-448812], seen today',
    'Policy No. [44/1201/X]',
    'numer klienta: [88123]',
    'Booking reference: [QX7T2K]',
    'Medicare ID [1EG4-TE5-MK73]',
    'Ausweis-ID: [22110]',
    'Username: [dkaplan84]',
    'login failed for user=[gray_heron_51] from',
    'last seen by [gray_heron51].',
    'Benutzername\t[jana.w]',
    'Versicherungsnummer: [44-882/19]',
    'Mahnung – Vertragskonto [4000 218 773]',
    'N.º de colegiada [50/4417]',
    'Employee [KC-268821] changed their name',
    'Customer [40744814] called twice',
    'Student registration number: [S1234567]',
    'Matrícula: [12345]',
  ],
  DATE_OF_BIRTH: [
    'Date of birth: [31.02.1980]',
    'geb. am [12.3.84]',
    'Patient DOB [09.02.2004].',
    'Data urodzenia: [12 maja 1980]',
  ],
  PHONE_NUMBER: ['Tel.: [04 78 12 34]', 'Handy [0171-12345]'],
  PERSON: [
    'Surname: [Okonkwo-Baker]',
    'Nazwisko: [Brzęczyszczykiewicz]',
    'Senhorio: [Adérito Falcão], NIF 213 778 450',
    'Kontoinhaber: [Dr. Eva von der Au]',
  ],
  ADDRESS: [
    'Address: [12 High Street\nAmbridge\nBC1 2AB]\nPhone: 1',
    'Adresse : [14 bis, rue des Lilas\n69003 Lyon]',
  ],
  SPECIAL_CATEGORY: ['Religion: [Catholic]', 'Gewerkschaft: [IG Metall]\nWeiter'],
};

const plain = (text: string): string => text.replace(/[[\]]/g, '');
const value = (text: string): string => /\[([^\]]*)\]/.exec(text)?.[1] ?? '';

describe('values behind a label', () => {
  for (const [type, texts] of Object.entries(cases)) {
    it(`are found whether valid or not: ${type}`, () => {
      for (const text of texts) {
        expect(byLabel(plain(text)), text).to.include(`${type} ${value(text)}`);
      }
    });
  }

  it('may be any of what this service knows by a pattern that has no form of its own', () => {
    const formed = [
      'EMAIL_ADDRESS',
      'URL',
      'IP_ADDRESS',
      'MAC_ADDRESS',
      'CRYPTO',
      'AGE',
      'DATE_TIME',
    ];
    const tagged = ['TITLE', 'ORGANIZATION', 'LOCATION', 'NRP'];
    // Found on the page as drawn, not in text.
    const drawn = ['BARCODE', 'SIGNATURE', 'HANDWRITING', 'FACE'];
    const labelled = new Set(labelEntries.map(({ type }) => type));
    const missing = entityNames.filter((type) => !labelled.has(type));
    expect([...formed, ...tagged, ...drawn]).to.include.members(missing);
  });

  it('of a plate are not taken for another number if plates are not searched for', () => {
    const detect = createDetector({
      entities: ['PERSONAL_ID'],
      minConfidence: 0.5,
      customPatterns: [],
      allowList: [],
    });
    const text = 'Matrícula: 1234 BCD\nMatrícula: 12345';
    expect(told(text, detect(text))).to.deep.equal(['PERSONAL_ID 12345']);
  });

  it('are found whatever joins them to the label', () => {
    for (const [text, expected] of [
      ['Passport (X1234567)', 'X1234567'],
      ['{"passport_number": "X1234567", "ok": true}', 'X1234567'],
      ['<b>Passport no.</b> <i>X1234567</i>', 'X1234567'],
      ['Passport number → X1234567', 'X1234567'],
      ['X1234567 (passport number)', 'X1234567'],
      ['X1234567 is her passport number.', 'X1234567'],
      ['X1234567\n____________\nPassport number', 'X1234567'],
      ['Please quote your passport\nnumber X1234567 in letters.', 'X1234567'],
      ['Ihre Versicherten-\nnummer: A123456780', 'A123456780'],
      ['Policy no.:          Customer no.:\nAX 44-20          88123', '88123'],
      ['│ Passport no. │ X1234567 │', 'X1234567'],
      ['1;Passport no.;x\n2;X1234567;y', 'X1234567'],
      ['X1234567 = passport number', 'X1234567'],
      ['我的护照号码是E12345678。', 'E12345678'],
      ['Nr dowodu osobistego: ABA 300001', 'ABA 300001'],
    ] as const) {
      expect(byLabel(text).join(), text).to.include(expected);
    }
  });

  it('are found behind a label that is inflected or misread', () => {
    for (const [text, expected] of [
      ['Pas5port number: X1234567', 'X1234567'],
      ['Passport nurnber: X1234567', 'X1234567'],
      ['Versichertennurnmer: A123456780', 'A123456780'],
      ['Номер договора: 44/12-К', '44/12-К'],
      ['Numărul pașaportului: 051234567', '051234567'],
    ] as const) {
      expect(byLabel(text).join(), text).to.include(expected);
    }
  });

  it('are found behind a label that is misspelt', () => {
    for (const [text, expected] of [
      ['Pasport number: X1234567', 'PASSPORT X1234567'],
      ['Passprot number: X1234567', 'PASSPORT X1234567'],
      ['Membershipp no: 88-1204', 'PERSONAL_ID 88-1204'],
      ['Versicherungsnumer: 44-882/19', 'PERSONAL_ID 44-882/19'],
      ['Numéro de pasesport : 12AB34567', 'PERSONAL_ID 12AB34567'],
    ] as const) {
      expect(byLabel(text), text).to.include(expected);
    }
    expect(byLabel('Patent: 4471209')).to.deep.equal([]);
  });

  it('are found behind a label that no list names, if it has a word for "number"', () => {
    for (const text of [
      'Falconry register number: [TF-44719]',
      'falconryNumber=[447190]',
      'Falknernummer [447190-K]',
      'Falkner-Nr.: [447190]',
      'Numéro de fauconnier : [4471 90 K]',
      'N.º de halconero\t[44719-K]',
      'nr sok. [N447190]',
      '"numero_de_falcoeiro": "[447190]"',
      'Numero del falconiere\n[FA/447190]',
      'Valkeniers-ID: [VA447190]',
    ]) {
      expect(byLabel(plain(text)), text).to.deep.equal([`PERSONAL_ID ${value(text)}`]);
    }
    for (const text of [
      'Order number: 4471-90',
      'Bestellnummer: 447190',
      'Numéro de commande : 447190',
      'numer faktury: 447190',
      'Part no. BX-4471',
      'Room number 4471',
      'The number of falconers: 44719',
      'There is no 44719 in it',
      'a large number: 44719',
      'Falconry number: 2024',
    ]) {
      expect(byLabel(text), text).to.deep.equal([]);
    }
  });

  it('score less behind a label that no list names', () => {
    const findings = findLabelled(textViewOf('Falconry number: 447190', false), () => true);
    expect(findings.map(({ score }) => score)).to.deep.equal([0.6]);
  });

  it('are found behind a label that goes on', () => {
    for (const text of [
      'Numer VIN pojazdu\t[WVW44719012345678]',
      'Passport number of the bearer:\n[X1234567]',
      'numero_de_expediente_academico=[447190]',
      'Targa del veicolo: [AB 123 CD]',
    ]) {
      expect(byLabel(plain(text)).join(), text).to.include(value(text));
    }
  });

  it('are read to their end', () => {
    for (const text of [
      'NIF: [7091 9520 76]',
      'numer PESEL to [398.6439.18-X], proszę',
      'Registreringsnummer: [M 859 HDW]',
      'Matrícula\n[T 927 RMD]',
    ]) {
      expect(byLabel(plain(text)).join(), text).to.include(value(text));
    }
    expect(byLabel('Policy no. 44719 GBP').join()).to.not.include('GBP');
  });

  it('are found before their label in other languages', () => {
    for (const text of [
      '[447190/K] to jej numer polisy.',
      '[12AB34567] é o seu número de passaporte.',
      '[447190] är hennes kundnummer.',
      '[A9595085] is her state ID number.',
    ]) {
      expect(byLabel(plain(text)).join(), text).to.include(value(text));
    }
  });

  it('are names of accounts where nothing else stands', () => {
    for (const text of ['Login ID [hdvries]', 'audit: login_name=[hdvries] result=miss']) {
      expect(byLabel(plain(text)), text).to.deep.equal([`PERSONAL_ID ${value(text)}`]);
    }
  });

  it('are found in lists and rows', () => {
    for (const text of [
      'Passport numbers: X1234567, X7654321 and X1112223',
      '"passport_numbers": ["X1234567", "X7654321", "X1112223"]',
      'Passport numbers:\n- X1234567\n- X7654321\n- X1112223',
      'Passport no.\tX1234567\tX7654321\tX1112223',
    ]) {
      expect(byLabel(text), text).to.have.lengthOf(3);
    }
    expect(byLabel('Passport no. X1234567, 12 High Street')).to.have.lengthOf(1);
  });

  it('may be any number where nothing else can stand', () => {
    expect(byLabel('SSN: 12-34')).to.deep.equal(['US_SSN 12-34']);
    for (const text of ['Card: 2019', 'SSN: 12.50 EUR', 'SSN 12-34', 'Rent: 1250', 'RFC 2119']) {
      expect(byLabel(text), text).to.deep.equal([]);
    }
  });

  it('are found in the cell beside the label', () => {
    for (const gap of ['\t', '    ', ' | ', ':\t']) {
      expect(byLabel(`SSN${gap}123-45-678${gap}x`), gap).to.deep.equal(['US_SSN 123-45-678']);
    }
  });

  it('are found in the cells below the label', () => {
    const rows = [
      ['Full name', 'SSN', 'Town'],
      ['John Doe', '123-45-678', 'Paris'],
      ['Jane Roe', '000-45-6789', 'Lyon'],
    ];
    const expected = [
      'PERSON John Doe',
      'PERSON Jane Roe',
      'US_SSN 123-45-678',
      'US_SSN 000-45-6789',
    ];
    const tabbed = rows.map((row) => row.join('\t')).join('\n');
    const aligned = rows.map((row) => row.map((cell) => cell.padEnd(14)).join('')).join('\n');
    expect(byLabel(tabbed)).to.deep.equal(expected);
    expect(byLabel(aligned)).to.deep.equal(expected);
    expect(byLabel('Passport number\nX1234567')).to.deep.equal(['PASSPORT X1234567']);
  });

  it('are not the headings of the cells below the label', () => {
    for (const heading of ['Date', 'Data', 'Datum', 'Signature', 'Place and date', 'Funktion'])
      expect(byLabel(`Full name\tSignature\n${heading}\tPlace`), heading).to.be.empty;
    expect(byLabel('Full name\tTown\tFloor\nData Singh\tLyon\t3')).to.eql(['PERSON Data Singh']);
  });

  it('are not below the last label of a form in which labels and values alternate', () => {
    const form = 'Family name\tMorin\tGiven names\tSolange\nCity of birth\tLyon\tTown\tPlymouth';
    expect(byLabel(form)).to.deep.equal(['PERSON Morin', 'PERSON Solange']);
  });

  it('have at least the form of their kind', () => {
    for (const text of [
      'The passport office opens at 9',
      'Card games 2019 2020 2021',
      'NHS number was introduced in 1996',
      'IBAN check failed on 12 May',
      'the account was opened in 2014 with 12345 shares',
      'sin 123456789 euros',
      'nie 12345678 Stück',
      'Product name: Super Widget',
      'File name: report.pdf',
      'Company address: 5 High Street',
      'Name: Portland Cement\nPrice: 12',
      'Address: see below',
      'phone booths: 120 in 1990',
      'Card number 4539',
      'Customer 2000 was a programme of 2001',
      'Policy 12345 pounds',
      'Matrícula abierta en 2024',
      'Kennzeichen der Ware: ROT',
      'Vehicle registration is due in May 2024',
      'Registration 12 May, closes 3 pm; registration 2024',
      'Username: the name of the user',
      'The username is stored in the file',
      'user name and password',
      'Estratto conto n. 3/2024',
      'User: administrator',
      'vehicle 2024, car 12, Fahrzeug A4',
      'passport required',
      'Pass: Standard',
    ]) {
      expect(byLabel(text), text).to.deep.equal([]);
    }
  });

  it('are not how many of something there are', () => {
    for (const text of [
      'Zahl der Mitglieder: 44710',
      'Número de pacientes: 1188',
      'Nombre de patients : 1 188',
    ]) {
      expect(byLabel(text), text).to.deep.equal([]);
    }
    expect(byLabel('Numéro de patient : 1188-K').join()).to.include('1188-K');
  });

  it('have a confidence of their own, at least 0.6', () => {
    const detect = createDetector({
      entities: ['US_SSN'],
      minConfidence: defaultConfidence,
      customPatterns: [],
      allowList: [],
    });
    for (const text of [
      'SSN: 000-12-3456',
      'SSN\n000-12-3456',
      'SSN of the person is 000-12-3456',
    ]) {
      expect(detect(text)[0]?.score, text).to.be.within(0.6, 0.8);
    }
    expect(detect('000-12-3456')).to.deep.equal([]);
  });

  it('give way to a wider finding, and swallow a part of themselves', () => {
    const one = (start: number, end: number, score: number): PiiFinding => {
      return { type: 'US_SSN', start, end, score };
    };
    const all = (labelled: PiiFinding, other: PiiFinding) =>
      reconcile([labelled], [other], () => true).map(({ start, end, score }) => [
        start,
        end,
        score,
      ]);
    expect(all(one(2, 10, 0.8), one(0, 12, 0.5))).to.deep.equal([[0, 12, 0.5]]);
    expect(all(one(2, 10, 0.8), one(4, 8, 0.9))).to.deep.equal([[2, 10, 0.9]]);
    expect(all(one(2, 10, 0.8), one(6, 12, 0.5))).to.deep.equal([[2, 12, 0.8]]);
  });
});
