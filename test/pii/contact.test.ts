import type { EntityType } from '@scriptorium/contracts/documents/entities';
import { expect } from 'chai';
import { found, foundAs } from './find.ts';

/** The findings of one type in each text. */
const cases: Partial<Record<EntityType, Record<string, string[]>>> = {
  EMAIL_ADDRESS: {
    'Mail john.doe+news@example.co.uk.': ['john.doe+news@example.co.uk'],
    'mailto:jürgen@müller.de, please': ['jürgen@müller.de'],
    '<a.b@c.io>;"d_e@f-g.org"': ['a.b@c.io', 'd_e@f-g.org'],
    'bob@example.com.Then we left': ['bob@example.com'],
    'ann (at) example (dot) com': ['ann (at) example (dot) com'],
    'ann [at] example.com': ['ann [at] example.com'],
    'twitter @ann, 3 @ 4.50, a@b, @example.com': [],
    '메일은 list@lists.example.org로 보내기': ['list@lists.example.org'],
    'user@@example.com and a@.com': [],
  },
  PHONE_NUMBER: {
    'call me at 0494 92 82 32': ['0494 92 82 32'],
    "They're not answering at 780-999-2181": ['780-999-2181'],
    'write to (212) 236-1234 ext. 12': ['(212) 236-1234 ext. 12'],
    'Zentrale +49 (0)89 2030 1234': ['+49 (0)89 2030 1234'],
    'Phone:\n60-56-85-91': ['60-56-85-91'],
    'Zip 30971\n082 490 1693-Fax': ['082 490 1693'],
    'téléphone 01.42.68.53.00': ['01.42.68.53.00'],
    'llame al 912 34 56 78': ['912 34 56 78'],
    'la gestora atiende en el 944 12 34 56': ['944 12 34 56'],
    'a gestora atende pelo 21 384 55 10': ['21 384 55 10'],
    'odbiera pod numerem 22 384 55 10': ['22 384 55 10'],
    'order 780-999-218, total 1 234 567': [],
    'phone booked 2024-03-12': [],
    'IP 192.168.10.20': [],
    '1,234,567 and 12.345.678': [],
    'call 1.12.0 / 24.02.2025, phones 13.5 13.3 13.1 12.9, text 200-300': [],
  },
  URL: {
    'see https://www.UEarly.se/.': ['https://www.UEarly.se/'],
    '(http://a.example.org/x_(y)?q=1#z)': ['http://a.example.org/x_(y)?q=1#z'],
    'www.example.com, example.org/path and shop.example.de': [
      'www.example.com',
      'example.org/path',
      'shop.example.de',
    ],
    'bücher.example.com': ['bücher.example.com'],
    'open main.py, README.md, index.html, a.out, lib.so and setup.sh': [],
    'We stop here.In the end e.g. this i.e. that vs.that 3.in': [],
    'Node.js version 1.2.3': [],
  },
  IP_ADDRESS: {
    'from 41.173.96.26.': ['41.173.96.26'],
    'address 6e40:4041:c617:e898:c11:40d2:c669:2eb4 or 2001:db8::8a2e:370:7334': [
      '6e40:4041:c617:e898:c11:40d2:c669:2eb4',
      '2001:db8::8a2e:370:7334',
    ],
    '::ffff:192.0.2.128': ['::ffff:192.0.2.128'],
    'version 1.2.3.4 and 10.20.30.40.50': [],
    '256.1.1.1 300.12.13.14': [],
    'at 20:15:24 std::cafe::beef': [],
  },
  MAC_ADDRESS: {
    '00:1B:44:11:3A:B7 and 00-1b-44-11-3a-b8': ['00:1B:44:11:3A:B7', '00-1b-44-11-3a-b8'],
    'mac 001b.4411.3ab7': ['001b.4411.3ab7'],
    '00:1B:44:11:3A and 00:1B:44:11:3A:B7:C8 and 00:1B-44:11:3A:B7': [],
    '00:00:00:00:00:00': [],
  },
};

describe('recognition of contact data', () => {
  for (const [type, texts] of Object.entries(cases)) {
    for (const [text, values] of Object.entries(texts)) {
      it(`${type}: ${JSON.stringify(text)}`, () => {
        const all = found(text).filter((told) => told.startsWith(`${type} `));
        expect(all.map((told) => told.slice(type.length + 1))).to.deep.equal(values);
      });
    }
  }

  it('finds e-mail addresses with stray spaces in text from pictures', () => {
    for (const text of [
      'john . smith @ example . com',
      'john.smith@ example.com',
      'john.smith @example. com',
      'john.smith©example.com',
    ]) {
      expect(foundAs('EMAIL_ADDRESS', `Mail ${text} now`, true), text).to.deep.equal([text]);
    }
    expect(foundAs('EMAIL_ADDRESS', 'Mail john.smith@example.com. Then go', true)).to.deep.equal([
      'john.smith@example.com',
    ]);
  });
});
