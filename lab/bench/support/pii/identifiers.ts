import { createHash } from 'node:crypto';
import type { PatternType } from '@scriptorium/pii/registry';
import type { Random } from './random.ts';

/**
 * Generates valid structured identifiers from their issuers' specifications, deliberately without
 * the recognisers' code: a mistake in one must not hide in the other.
 */
type Generate = (random: Random) => string;

const pad = (number: number, width: number) => String(number).padStart(width, '0');
const digitSum = (number: number): number =>
  number < 10 ? number : (number % 10) + digitSum(Math.floor(number / 10));

/** Appends the digit that satisfies a rule; starts again if no digit does. */
function complete(
  make: () => string,
  isValid: (text: string) => boolean,
  checkSigns = '0123456789',
): string {
  for (;;) {
    const start = make();
    const end = [...checkSigns].find((sign) => isValid(start + sign));
    if (end !== undefined) return start + end;
  }
}

/** Doubles every second digit from the right by writing out both sums. */
function isLuhnValid(text: string): boolean {
  const digits = [...text].reverse().map(Number);
  const single = digits.filter((_, index) => index % 2 === 0);
  const double = digits.filter((_, index) => index % 2 === 1).map((digit) => digitSum(2 * digit));
  return [...single, ...double].reduce((a, b) => a + b, 0) % 10 === 0;
}
const weightedSum = (text: string, weights: string) =>
  weights
    .split(' ')
    .map((weight, index) => Number(weight) * Number(text[index]))
    .reduce((a, b) => a + b, 0);
const bigMod = (text: string, by: number) => Number(BigInt(text) % BigInt(by));

const joinGroups = (text: string, sizes: readonly number[], sign: string) =>
  sizes
    .map((size, index) => {
      const at = sizes.slice(0, index).reduce((a, b) => a + b, 0);
      return text.slice(at, at + size);
    })
    .join(sign);

interface Day {
  year: number;
  month: number;
  day: number;
}
const randomDay = (random: Random): Day => ({
  year: 1930 + random.below(75),
  month: 1 + random.below(12),
  day: 1 + random.below(28),
});

function card(random: Random): string {
  const [prefix, length, sizes] = random.pick<readonly [string, number, readonly number[]]>([
    ['4', 16, [4, 4, 4, 4]],
    ['4', 16, [4, 4, 4, 4]],
    ['51', 16, [4, 4, 4, 4]],
    ['55', 16, [4, 4, 4, 4]],
    ['2221', 16, [4, 4, 4, 4]],
    ['34', 15, [4, 6, 5]],
    ['37', 15, [4, 6, 5]],
    ['36', 14, [4, 6, 4]],
    ['6011', 16, [4, 4, 4, 4]],
    ['3530', 16, [4, 4, 4, 4]],
    ['6759', 16, [4, 4, 4, 4]],
    ['5018', 13, [4, 4, 5]],
    ['62', 16, [4, 4, 4, 4]],
    ['4', 13, [4, 3, 3, 3]],
  ]);
  const number = complete(
    () => prefix + random.fromPattern('9'.repeat(length - 1 - prefix.length)),
    isLuhnValid,
  );
  return random.pick([number, joinGroups(number, sizes, ' '), joinGroups(number, sizes, '-')]);
}

/** By country, the composition of an account number. */
const accounts: readonly (readonly [string, string])[] = [
  ['DE', '999999999999999999'],
  ['AT', '9999999999999999'],
  ['CH', '99999999999999999'],
  ['FR', '9999999999A999999999999'],
  ['ES', '99999999999999999999'],
  ['IT', 'A9999999999999999999999'],
  ['NL', 'AAAA9999999999'],
  ['GB', 'AAAA99999999999999'],
  ['BE', '999999999999'],
  ['PL', '999999999999999999999999'],
  ['SE', '99999999999999999999'],
  ['NO', '99999999999'],
  ['PT', '999999999999999999999'],
  ['IE', 'AAAA99999999999999'],
];
function iban(random: Random): string {
  const [country, account] = random.pick(accounts);
  const bban = random.fromPattern(account);
  const numeric = Array.from(`${bban}${country}00`, (sign) => Number.parseInt(sign, 36)).join('');
  const whole = country + pad(98 - bigMod(numeric, 97), 2) + bban;
  return random.pick([whole, whole.replace(/(.{4})(?=.)/g, '$1 ')]);
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
function bitcoin(random: Random): string {
  const payload = Buffer.from(
    random.pick(['00', '05']) +
      Array.from({ length: 40 }, () => random.below(16).toString(16)).join(''),
    'hex',
  );
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  let number = BigInt(
    `0x${Buffer.concat([payload, hash(hash(payload)).subarray(0, 4)]).toString('hex')}`,
  );
  let text = '';
  for (; number > 0n; number /= 58n) text = base58[Number(number % 58n)] + text;
  return payload[0] === 0 ? `1${text}` : text;
}
const ethereum = (random: Random) =>
  `0x${Array.from({ length: 40 }, () => random.below(16).toString(16)).join('')}`;

const nifLetters = 'T R W A G M Y F P D X B N J Z S Q V H L C K E'.split(' ');

/** The values of odd places, as the decree lists them. */
const oddValues: Readonly<Record<string, number>> = Object.fromEntries(
  '0=1 1=0 2=5 3=7 4=9 5=13 6=15 7=17 8=19 9=21 A=1 B=0 C=5 D=7 E=9 F=13 G=15 H=17 I=19 J=21 K=2 L=4 M=18 N=20 O=11 P=3 Q=6 R=8 S=12 T=14 U=16 V=10 W=22 X=25 Y=24 Z=23'
    .split(' ')
    .map((entry) => entry.split('='))
    .map(([sign = '', value]) => [sign, Number(value)]),
);
function fiscalCode(random: Random): string {
  const { year, month, day } = randomDay(random);
  const female = random.below(2) * 40;
  const start = `${random.fromPattern('AAAAAA')}${pad(year % 100, 2)}${'ABCDEHLMPRST'[month - 1]}${pad(day + female, 2)}${random.fromPattern('A999')}`;
  const sum = [...start]
    .map((sign, index) => {
      if (index % 2 === 0) return oddValues[sign] ?? 0;
      return /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65;
    })
    .reduce((a, b) => a + b, 0);
  return start + String.fromCharCode(65 + (sum % 26));
}

/** Verhoeff by the group itself: rotations and reflections of a pentagon, not by his table. */
function isVerhoeffValid(text: string): boolean {
  const multiply = (a: number, b: number) => {
    const turned = a < 5 ? (a + b) % 5 : (a - b + 10) % 5;
    return a < 5 === b < 5 ? turned : 5 + turned;
  };
  const permute = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
  const power = (digit: number, steps: number): number =>
    steps === 0 ? digit : power(permute[digit] ?? 0, steps - 1);
  return (
    [...text]
      .reverse()
      .reduce((sum, sign, index) => multiply(sum, power(Number(sign), index % 8)), 0) === 0
  );
}

function isIcaoValid(text: string): boolean {
  const sum = [...text.slice(0, -1)]
    .map((sign, index) => (sign === '<' ? 0 : Number.parseInt(sign, 36)) * Number('731'[index % 3]))
    .reduce((a, b) => a + b, 0);
  return sum % 10 === Number(text.at(-1));
}
const withCheckDigit = (text: string) => complete(() => text, isIcaoValid);

function machineReadable(random: Random): string {
  const country = random.pick(['D<<', 'FRA', 'GBR', 'USA', 'ITA']);
  const name =
    `P<${country}${random.fromPattern('AAAAAAA')}<<${random.fromPattern('AAAAA')}`.padEnd(44, '<');
  const birth = randomDay(random);
  const date = (year: number) =>
    withCheckDigit(`${pad(year % 100, 2)}${pad(birth.month, 2)}${pad(birth.day, 2)}`);
  const number = withCheckDigit(random.fromPattern('A99999999'));
  const secondLine = `${number}${country}${date(birth.year)}${random.pick(['F', 'M'])}${date(2028)}`;
  return `${name}\n${secondLine.padEnd(43, '<')}0`;
}

function pesel(random: Random): string {
  const { year, month, day } = randomDay(random);
  const monthCode = year < 2000 ? month : month + 20;
  return complete(
    () => `${pad(year % 100, 2)}${pad(monthCode, 2)}${pad(day, 2)}${random.fromPattern('9999')}`,
    (text) => (10 - (weightedSum(text, '1 3 7 9 1 3 7 9 1 3') % 10)) % 10 === Number(text[10]),
  );
}

function taxId(random: Random): string {
  for (;;) {
    const digits = random.fromPattern('1999999999');
    const counts = [...'0123456789'].map((digit) => digits.split(digit).length - 1);
    if (counts.filter((count) => count > 1).length !== 1 || Math.max(...counts) > 3) continue;
    let carry = 10;
    for (const digit of digits) carry = (((Number(digit) + carry) % 10 || 10) * 2) % 11;
    const whole = digits + String((11 - carry) % 10);
    return random.pick([whole, joinGroups(whole, [2, 3, 3, 3], ' ')]);
  }
}

function socialSecurity(random: Random): string {
  const { year, month, day } = randomDay(random);
  const start = `${random.fromPattern('19')}${pad(day, 2)}${pad(month, 2)}${pad(year % 100, 2)}`;
  const letter = random.fromPattern('A');
  const serial = random.fromPattern('99');
  const digits = start + pad(letter.charCodeAt(0) - 64, 2) + serial;
  const check = '2 1 2 5 7 1 2 1 2 1 2 1'
    .split(' ')
    .map((weight, index) => digitSum(Number(weight) * Number(digits[index])))
    .reduce((a, b) => a + b, 0);
  const whole = `${start}${letter}${serial}${check % 10}`;
  return random.pick([whole, whole.replace(/^(..)(.{6})(.)/, '$1 $2 $3 ')]);
}

function cpf(random: Random): string {
  const first = complete(
    () => random.fromPattern('199999999'),
    (text) => ((weightedSum(text, '10 9 8 7 6 5 4 3 2') * 10) % 11) % 10 === Number(text[9]),
  );
  const whole = complete(
    () => first,
    (text) => ((weightedSum(text, '11 10 9 8 7 6 5 4 3 2') * 10) % 11) % 10 === Number(text[10]),
  );
  return random.pick([whole, whole.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')]);
}
function cnpj(random: Random): string {
  const checkDigit = (sum: number) => (sum % 11 < 2 ? 0 : 11 - (sum % 11));
  const first = complete(
    () => `${random.fromPattern('19999999')}0001`,
    (text) => checkDigit(weightedSum(text, '5 4 3 2 9 8 7 6 5 4 3 2')) === Number(text[12]),
  );
  const whole = complete(
    () => first,
    (text) => checkDigit(weightedSum(text, '6 5 4 3 2 9 8 7 6 5 4 3 2')) === Number(text[13]),
  );
  return random.pick([whole, whole.replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5')]);
}

function date(random: Random): string {
  const { year, month, day } = randomDay(random);
  const name = (names: string) => names.split(' ')[month - 1];
  return random.pick([
    `${pad(day, 2)}/${pad(month, 2)}/${year}`,
    `${pad(day, 2)}.${pad(month, 2)}.${year}`,
    `${day}.${month}.${year}`,
    `${year}-${pad(month, 2)}-${pad(day, 2)}`,
    `${pad(day, 2)}-${pad(month, 2)}-${year}`,
    `${day} ${name('January February March April May June July August September October November December')} ${year}`,
    `${name('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec')} ${day}, ${year}`,
    `${day}. ${name('Januar Februar März April Mai Juni Juli August September Oktober November Dezember')} ${year}`,
    `${day} ${name('janvier février mars avril mai juin juillet août septembre octobre novembre décembre')} ${year}`,
    `${day} de ${name('enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre')} de ${year}`,
    `${day} ${name('gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre')} ${year}`,
    `${day} ${name('januari februari maart april mei juni juli augustus september oktober november december')} ${year}`,
  ]);
}

const octet = (random: Random) => String(random.below(256));
const hex = (random: Random, length: number) =>
  Array.from({ length }, () => random.below(16).toString(16)).join('');
const names =
  'anna peter maria.lopez j.smith k-meyer luca_rossi jürgen h.de.vries marc+news o.brien'.split(
    ' ',
  );
const hosts =
  'example.com firma-mueller.de univ-lyon.fr correo.es posta.it bedrijf.nl mail.co.uk acme.org shop.at'.split(
    ' ',
  );

export const generators: Record<PatternType, Generate> = {
  EMAIL_ADDRESS: (random) =>
    `${random.pick(names)}${random.fromPattern('9')}@${random.pick(hosts)}`,
  PHONE_NUMBER: (random) =>
    random.fromPattern(
      random.pick([
        '(212) 236-1999',
        '415-236-1999',
        '+1 415 236 1999',
        '+44 20 7946 0999',
        '020 7946 0999',
        '07700 900999',
        '+49 30 20999999',
        '030 20999999',
        '0171 2099999',
        '+49 (0)89 2099999',
        '01 42 99 99 99',
        '+33 6 12 99 99 99',
        '06 12 99 99 99',
        '+34 612 999 999',
        '912 99 99 99',
        '+39 06 6982 9999',
        '06 6982 9999',
        '+31 20 799 9999',
        '020 799 9999',
        '+41 44 299 99 99',
      ]),
    ),
  URL: (random) =>
    random.pick([
      `https://www.${random.pick(hosts)}/${hex(random, 5)}?id=${random.fromPattern('99')}`,
      `http://${random.pick(hosts)}/`,
      `www.${random.pick(hosts)}`,
      random.pick(hosts),
    ]),
  IP_ADDRESS: (random) =>
    random.pick([
      `${1 + random.below(223)}.${octet(random)}.${octet(random)}.${10 + random.below(240)}`,
      Array.from({ length: 8 }, () => `${1 + random.below(9)}${hex(random, 3)}`).join(':'),
      `2001:db8::${hex(random, 4)}:${1 + random.below(9)}`,
    ]),
  MAC_ADDRESS: (random) => {
    const pairs = Array.from({ length: 6 }, () => hex(random, 2));
    return random.pick([pairs.join(':').toUpperCase(), pairs.join('-'), pairs.join(':')]);
  },
  CREDIT_CARD: card,
  IBAN_CODE: iban,
  SWIFT_CODE: (random) =>
    random.fromPattern('AAAA') +
    random.pick(['DE', 'FR', 'GB', 'IT', 'NL', 'US']) +
    random.pick(['FF', 'MM', '2L', '33XXX']),
  CRYPTO: (random) => random.pick([bitcoin, ethereum])(random),
  DATE_OF_BIRTH: date,
  DATE_TIME: date,
  AGE: (random) => String(18 + random.below(80)),
  PASSPORT: (random) =>
    random.pick([
      () => random.fromPattern('C99X99T99'),
      () => random.fromPattern('999999991'),
      () => random.fromPattern('AA9999999'),
      () => random.fromPattern('99AA99991'),
      () => machineReadable(random),
    ])(),
  DRIVER_LICENSE: (random) =>
    random.fromPattern(
      random.pick(['A9999999', 'A999-9999-9999', '999999999', 'B999RRE2I55', 'A999999999999']),
    ),
  LICENCE_PLATE: (random) =>
    random.fromPattern(
      random.pick([
        'AA99 AAA',
        'A-AA 1999',
        'AA-AA 199',
        'AA-999-AA',
        'AA 999 AA',
        '1999 BCD',
        '99-AAA-9',
        'A-999-AA',
        '99-AA-99',
        'AA 99999',
      ]),
    ),
  US_SSN: (random) => {
    const area = 1 + random.below(665);
    const [group, serial] = [1 + random.below(99), 1 + random.below(9999)];
    return [pad(area, 3), pad(group, 2), pad(serial, 4)].join(random.pick(['-', '-', ' ', '']));
  },
  US_ITIN: (random) =>
    `9${random.fromPattern('99')}-${random.pick(['50', '65', '70', '88', '90', '92', '94', '99'])}-${random.fromPattern('9999')}`,
  US_BANK_NUMBER: (random) =>
    random.pick([
      () =>
        complete(
          () => `${random.pick(['02', '11', '26', '32', '12'])}${random.fromPattern('999999')}`,
          (text) => weightedSum(text, '3 7 1 3 7 1 3 7 1') % 10 === 0,
        ),
      () => random.fromPattern('1999999999'),
    ])(),
  UK_NHS: (random) => {
    const whole = complete(
      () => random.fromPattern('499999999'),
      (text) => weightedSum(text, '10 9 8 7 6 5 4 3 2 1') % 11 === 0,
    );
    return random.pick([whole, joinGroups(whole, [3, 3, 4], ' ')]);
  },
  UK_NINO: (random) => {
    const whole = `${random.pick(['AB', 'CE', 'JG', 'PX', 'SN', 'WK'])}${random.fromPattern('999999')}${random.pick(['A', 'B', 'C', 'D'])}`;
    return random.pick([whole, joinGroups(whole, [2, 2, 2, 2, 1], ' ')]);
  },
  DE_TAX_ID: taxId,
  DE_ID_CARD: (random) =>
    withCheckDigit(
      `${random.pick(['L', 'T', 'N'])}${random.fromPattern('99')}${random.pick(['X', 'Y', 'T', 'C'])}${random.fromPattern('99999')}`,
    ),
  DE_SOCIAL_SECURITY: socialSecurity,
  FR_NIR: (random) => {
    const { year, month } = randomDay(random);
    const start = `${random.pick(['1', '2'])}${pad(year % 100, 2)}${pad(month, 2)}${random.pick(['75', '69', '13', '59', '33'])}${random.fromPattern('199199')}`;
    const whole = start + pad(97 - bigMod(start, 97), 2);
    return random.pick([whole, joinGroups(whole, [1, 2, 2, 2, 3, 3, 2], ' ')]);
  },
  ES_NIF: (random) => {
    const lead = random.pick(['', '', 'X', 'Y', 'Z']);
    const digits = random.fromPattern(lead ? '9999999' : '19999999');
    const number = Number((lead ? String('XYZ'.indexOf(lead)) : '') + digits);
    const letter = nifLetters[number % 23];
    return random.pick([`${lead}${digits}${letter}`, `${lead}${lead && '-'}${digits}-${letter}`]);
  },
  IT_FISCAL_CODE: fiscalCode,
  NL_BSN: (random) =>
    complete(
      () => random.fromPattern('19999999'),
      (text) => (weightedSum(text, '9 8 7 6 5 4 3 2') - Number(text[8])) % 11 === 0,
    ),
  SE_PERSONNUMMER: (random) => {
    const { year, month, day } = randomDay(random);
    const short = complete(
      () => `${pad(year % 100, 2)}${pad(month, 2)}${pad(day, 2)}${random.fromPattern('999')}`,
      isLuhnValid,
    );
    const dashed = `${short.slice(0, 6)}-${short.slice(6)}`;
    return random.pick([dashed, `${Math.floor(year / 100)}${dashed}`, short]);
  },
  PL_PESEL: pesel,
  IN_AADHAAR: (random) => {
    const whole = complete(
      () => `${2 + random.below(8)}${random.fromPattern('9999999999')}`,
      isVerhoeffValid,
    );
    return random.pick([whole, joinGroups(whole, [4, 4, 4], ' ')]);
  },
  IN_PAN: (random) =>
    `${random.fromPattern('AAA')}${random.pick(['P', 'C', 'H'])}${random.fromPattern('A1999A')}`,
  AU_TFN: (random) => {
    const whole = complete(
      () => random.fromPattern('19999999'),
      (text) => weightedSum(text, '1 4 3 7 5 8 6 9 10') % 11 === 0,
    );
    return random.pick([whole, joinGroups(whole, [3, 3, 3], ' ')]);
  },
  AU_MEDICARE: (random) => {
    const nine = complete(
      () => `${2 + random.below(5)}${random.fromPattern('9999999')}`,
      (text) => weightedSum(text, '1 3 7 9 1 3 7 9') % 10 === Number(text[8]),
    );
    const whole = nine + random.fromPattern('1');
    return random.pick([whole, joinGroups(whole, [4, 5, 1], ' ')]);
  },
  BR_CPF: cpf,
  BR_CNPJ: cnpj,
  CA_SIN: (random) => {
    const whole = complete(() => random.fromPattern('19999999').replace(/^8/, '1'), isLuhnValid);
    return random.pick([
      whole,
      joinGroups(whole, [3, 3, 3], ' '),
      joinGroups(whole, [3, 3, 3], '-'),
    ]);
  },
};
