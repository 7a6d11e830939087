import type { EntityType } from '@scriptorium/contracts/documents/entities';
import { createDetector } from '@scriptorium/pii';
import { expect } from 'chai';
import { told } from './find.ts';

const entities: EntityType[] = [
  ...(['PERSON', 'ADDRESS', 'DATE_OF_BIRTH', 'PERSONAL_ID', 'LICENCE_PLATE'] as const),
  ...(['EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD'] as const),
];
const detect = createDetector({
  entities,
  minConfidence: 0.4,
  customPatterns: [],
  allowList: [],
});
/** The values of one type. */
const valuesOf = (type: EntityType, text: string): string[] =>
  told(
    text,
    detect(text).filter((finding) => finding.type === type),
  ).map((line) => line.slice(type.length + 1));

describe('values told by what is around them', () => {
  const cases: Partial<Record<EntityType, Record<string, string[]>>> = {
    DATE_OF_BIRTH: {
      'No. Date of birth Course Start\n1 03.05.1961 Sewing 12.11.2025\n2 17.09.1948 Pottery 13.11.2025':
        ['03.05.1961', '17.09.1948'],
      'Nom Né le Classe Entrée\nBroussard 03/05/2012 CM2 01/09/2022\nLavigne 17/09/2011 CM2 01/09/2022':
        ['03/05/2012', '17/09/2011'],
      'Lfd. Nr. Teilnehmer geb. am Kurs\n1 Sauerbier, Hedwig 03.05.61 Nähen\n2 Zwickl, Ruprecht 17.09.48 Töpfern':
        ['03.05.61', '17.09.48'],
      'Naam geb.datum groep\nJ. de Keyser 3-5-2012 8\nH. van Looy 17-9-2011 8': [
        '3-5-2012',
        '17-9-2011',
      ],
      'Order date Product Price\n03.05.2021 Table 17.00\n17.09.2021 Chair 12.00': [],
      'The patient, Margaret Holloway, 14 June 1961, was seen on 3 May 2026.': ['14 June 1961'],
      'Frau Sabine Krüger (07.11.2019) wurde vorgestellt.': ['07.11.2019'],
      'Signed: Margaret Holloway, 3 May 2026': [],
      'Margaret Holloway, 3 May 1998 – 4 June 2001, sales': [],
      'The plant was opened on 14 June 1961 in Leeds.': [],
      'Margaret Holloway\nmargaret@example.org\n14 June 1961\n\nProfile': ['14 June 1961'],
    },
    PERSONAL_ID: {
      '✉ @mkrvdc': ['@mkrvdc'],
      'Seguidme en insta: @casa.de.lubna.': ['@casa.de.lubna'],
      'on Instagram as @Hens': ['@Hens'],
      '@media print and @param name of @babel/core, see @Override': [],
      'I set up the account hbuchanan84 for the new starter.': ['hbuchanan84'],
      'Das Benutzerkonto m.krause wurde gesperrt.': ['m.krause'],
      'The account balance2024 report was sent.': [],
      'We opened the account in chapter.two of it.': [],
      'sshd[812]: Accepted publickey for mhollow from 192.0.2.7 port 50022 ssh2': ['mhollow'],
      'sshd[812]: Accepted publickey for root from 192.0.2.7 port 50022 ssh2': [],
      'the door log says it was mhollow7 at nine': ['mhollow7'],
      'the log shows an error in chapter.md at nine': [],
    },
    LICENCE_PLATE: {
      'bus 8-VTZ-06 vertrokken': ['8-VTZ-06'],
      'samochód marki Fiat, nr SB 7Y104, kolor biały': ['SB 7Y104'],
      'The blue van (KP19 HTN) was parked at the gate.': ['KP19 HTN'],
      'Der Transporter B-KL 2207 muss in die Werkstatt.': ['B-KL 2207'],
      'La furgoneta 4821 KLM quedó en el taller.': ['4821 KLM'],
      'Shelf KP19 HTN holds the paper.': [],
      'The car 7KLM482 blocks the gate, the truck ABC 1234 does not.': ['7KLM482', 'ABC 1234'],
      'La voiture AB-123-CD est garée ici.': ['AB-123-CD'],
      'Pkw TÜ-AB 1234 beschädigt': ['TÜ-AB 1234'],
      'He parked the car at home. Shelf AB-123-CD is empty.': [],
      'The car costs EUR 1500, the truck USD 2000.': [],
      'The bus to flight BA 1234 is late, the car meets ISO 9001.': [],
      'Ein Wagen, der BMW M3, und ein Auto, der VW ID 3': [],
      'Vehicle part no. AB-123-CD fits the car.': [],
      'The van stopped in London SW1A 1AA.': [],
    },
    PERSON: {
      'Naam geb.datum groep\nJ. de Keyser 3-5-2012 8\nH. van Looy 17-9-2011 8': [
        'J. de Keyser',
        'H. van Looy',
      ],
      'Frau Sonntag hat Blumen bestellt, Herr zur Linden zahlt.': ['Sonntag', 'zur Linden'],
      'Sehr geehrte Frau Vorsitzende, der Antrag liegt bei.': [],
      'Dona Socorro mora com a filha Kauane.': ['Socorro', 'Kauane'],
      'A testemunha Iracy viu o carro.': ['Iracy'],
      'A mãe da Beatriz vem à reunião.': ['Beatriz'],
      'cheguei, bjs carol': ['carol'],
      'Dem Ehepaar Ruth und Lothar Kersten wurde gekündigt.': ['Ruth', 'Lothar Kersten'],
      'O Senhor Desembargador ARNALDO BRITO PIRES votou.': ['ARNALDO BRITO PIRES'],
      'Wir danken Sanitäterin Lea Wüst und Severin Maus.': ['Lea Wüst', 'Severin Maus'],
      'bis dann, lg zusammen': [],
      'zegt: "vraag naar Karim"': ['Karim'],
      'En la tienda pregunte por Ainhoa.': ['Ainhoa'],
      'vraag naar de sleutel': [],
      'Halter, falls abweichend: Wolfram Brüggemann\n': ['Wolfram Brüggemann'],
      'Helper\tPlot\nWilhelmina Stagg\tby the shed\nObadiah Finch\tby the pond\n': [
        'Wilhelmina Stagg',
        'Obadiah Finch',
      ],
      'Year: 4\tPupil: Wilhelmina Stagg\n\nYear: 5\tPupil: Obadiah Finch\n': [
        'Wilhelmina Stagg',
        'Obadiah Finch',
      ],
      '| Lot | Owner |\n|----:|------|\n| 3 | Wilhelmina Stagg |\n| 7 | Obadiah Finch |\n': [
        'Wilhelmina Stagg',
        'Obadiah Finch',
      ],
      'Room\tGuest\nGarden Suite\tWilhelmina Stagg\nPond View\tObadiah Finch\n': [
        'Wilhelmina Stagg',
        'Obadiah Finch',
      ],
      'Manager: Ottoline Marsh': ['Ottoline Marsh'],
      // Similar to a Finnish label for addresses.
      'Ospite\tAmedeo Buonfiglioli\nNotti\t3': ['Amedeo Buonfiglioli'],
      'Room\tGuest\nGarden Suite\tWilhelmina Stagg\nPond View\tnone yet\n': ['Wilhelmina Stagg'],
      '[09:12] tommo_r: where is it\n[09:13] dispatch: parked': ['tommo_r'],
      '14:02 - mareike.b: hallo\n14:03 - flo_87: ja': ['mareike.b', 'flo_87'],
      '09:00 - Begrüßung: Rathaus\n10:30 - Kaffeepause: Foyer': [],
    },
    ADDRESS: {
      'He says he lives at 7 Tolbooth Stairs now.': ['7 Tolbooth Stairs'],
      'Zij woont aan de Vossenhol 11. Daar is zij.': ['Vossenhol 11'],
      'La finca está en el Camino de las Eras 8.': ['Camino de las Eras 8'],
      'Klomp\nVeenkade 112-A\n9723 KX Groningen\n06-18 40 27 93': [
        'Veenkade 112-A\n9723 KX Groningen',
      ],
      'Firma Brix\nZeppelinzeile 7 b\n88045 Friedrichshafen\n': [
        'Zeppelinzeile 7 b\n88045 Friedrichshafen',
      ],
      'bezorgen="Lage Gouwe 51a, 2801 LG Gouda" tel': ['Lage Gouwe 51a, 2801 LG Gouda'],
      "demeurant Mas de l'Olivette, 240 chemin des Canaux, 30700 Uzès": [
        "Mas de l'Olivette, 240 chemin des Canaux, 30700 Uzès",
      ],
      'Table 3\n20000 Units': [],
      'installed at Tithe Barn Cottage, 4 Sheepwash Lane, Ludlow SY8 2QP, where': [
        'Tithe Barn Cottage, 4 Sheepwash Lane, Ludlow SY8 2QP',
      ],
      'We moved to version 8 in May.': [],
      'Wer im Mai 6 Tage fehlt, meldet sich.': [],
    },
  };
  for (const [type, texts] of Object.entries(cases) as [EntityType, Record<string, string[]>][]) {
    for (const [text, wanted] of Object.entries(texts)) {
      it(`finds ${wanted.length > 0 ? 'the' : 'no'} ${type} in: ${text.slice(0, 50).replaceAll('\n', ' ')}`, () => {
        expect(valuesOf(type, text)).to.deep.equal(wanted);
      });
    }
  }

  it('reads rows of comma-separated values within any text, field by field', () => {
    const text = [
      'As agreed, the export:',
      'id,created,name,phone,born,card,town',
      '4711,2026-02-25,Margaret Holloway,+44 7700 900123,19/12/1968,4539148803436467,Lewes',
      '4712,2026-02-26,Oliver Brandt,+49 30 901820,02/03/1975,5555555555554444,Ludlow',
      '4713,2026-02-27,Hannah Price,+44 7700 900321,23/07/1980,378282246310005,Hove',
    ].join('\n');
    expect(valuesOf('DATE_OF_BIRTH', text)).to.deep.equal([
      '19/12/1968',
      '02/03/1975',
      '23/07/1980',
    ]);
    expect(valuesOf('CREDIT_CARD', text)).to.have.length(3);
    expect(valuesOf('PHONE_NUMBER', text)).to.deep.equal([
      '+44 7700 900123',
      '+49 30 901820',
      '+44 7700 900321',
    ]);
  });

  it('reads thousands of rows', () => {
    const rows = Array.from(
      { length: 3_000 },
      (_, n) => `${n},Margaret Holloway,m${n}@example.org,19/12/1968`,
    );
    const text = ['id,name,email,since', ...rows].join('\n');
    expect(valuesOf('DATE_OF_BIRTH', text)).to.have.length(3_000);
  });
});
