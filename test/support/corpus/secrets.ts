import type { EntityType } from '@scriptorium/contracts/documents/entities';
import { createPick } from '../random.ts';

/** Kinds of secrets, each with words before it that tell what it is. */
const contexts = {
  PERSON: ['Patient name: ', 'The contract was signed by Mr. ', 'Dear Mrs. '],
  US_SSN: ['Social security number: ', 'SSN of the applicant: '],
  CREDIT_CARD: ['Paid by credit card ', 'Visa card number: '],
  IBAN_CODE: ['Please transfer to IBAN ', 'Account (IBAN): '],
  EMAIL_ADDRESS: ['Contact e-mail: ', 'E-mail: '],
  PHONE_NUMBER: ['Please call the phone number ', 'Telephone: '],
  DATE_OF_BIRTH: ['Date of birth: ', 'The insured person was born on '],
  ADDRESS: ['Home address: ', 'Deliver to '],
} as const satisfies Partial<Record<EntityType, readonly string[]>>;

export type SecretType = keyof typeof contexts;
export const secretTypes = Object.keys(contexts) as SecretType[];
/** Kinds whose values are all equally wide where digits are. */
export const equallyWide = ['US_SSN', 'CREDIT_CARD', 'IBAN_CODE', 'PHONE_NUMBER'] as const;

const firstNames =
  'Margaret Thomas Eleanor Patrick Beatrice Gerald Miriam Douglas Josephine Leonard Charlotte Stephen Rosalind Vincent Annabel Frederick Dorothy Nicholas Harriet Raymond Caroline Maxwell Gwendolyn Theodore'.split(
    ' ',
  );
const familyNames =
  'Hollister Pemberton Okafor Lindqvist Castellano Whitcombe Abernathy Kowalczyk Bannerman Fitzgerald Montague Drummond Vandenberg Stavros Delacroix Nakamura Rutherford Galloway Thornbury Ashworth Kensington Blackwood Harrington Middleton'.split(
    ' ',
  );
const streets =
  'Larkspur Juniper Wisteria Hawthorn Magnolia Sycamore Chestnut Hemlock Cypress Primrose'.split(
    ' ',
  );
const streetSuffixes = ['Avenue', 'Road', 'Drive', 'Lane'];
const towns = ['Dayton, OH 45402', 'Portland, OR 97205', 'Madison, WI 53703', 'Tucson, AZ 85701'];
const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/**
 * Gives secrets: which kind and form comes from the caller's numbers, the value from numbers of
 * their own, so that two documents can be made that differ in the values and in nothing else.
 */
export class SecretSource {
  private readonly pick: (below: number) => number;
  private readonly used = new Set<string>();

  constructor(seed: number) {
    this.pick = createPick(seed);
  }

  /** A value that was not given before. `form` is any number. */
  value(type: SecretType, form: number): string {
    for (let tries = 0; tries < 1000; tries += 1) {
      const value = this.make(type, form);
      if (this.used.has(compact(value))) continue;
      this.used.add(compact(value));
      return value;
    }
    throw new Error(`There are no more secrets of the kind ${type}.`);
  }

  private make(type: SecretType, form: number): string {
    const { pick } = this;
    const pickOne = <T>(list: readonly T[]): T => list[pick(list.length)]!;
    switch (type) {
      case 'PERSON':
        return `${pickOne(firstNames)} ${form % 3 === 2 ? `${pickOne('ABCDEFGHJKLMNPRSTW'.split(''))}. ` : ''}${pickOne(familyNames)}`;
      case 'US_SSN':
        return `${this.digits(1, 1, 5)}${this.digits(2)}-${this.digits(1, 1)}${this.digits(1, 1)}-${this.digits(3)}${this.digits(1, 1)}`;
      case 'CREDIT_CARD': {
        const body = `4${this.digits(14)}`;
        const number = body + luhnDigit(body);
        return number.replace(/(\d{4})(?=\d)/g, `$1${form % 2 ? ' ' : '-'}`);
      }
      case 'IBAN_CODE': {
        const account = this.digits(1, 1) + this.digits(17);
        const check = 98n - (BigInt(`${account}131400`) % 97n);
        const iban = `DE${String(check).padStart(2, '0')}${account}`;
        return form % 2 ? iban.replace(/(.{4})(?=.)/g, '$1 ') : iban;
      }
      case 'EMAIL_ADDRESS':
        return `${pickOne(firstNames).toLowerCase()}.${pickOne(familyNames).toLowerCase()}${form % 2 ? this.digits(2) : ''}@${pickOne(streets).toLowerCase()}${pickOne(['mail', 'post', 'hub'])}.net`;
      case 'PHONE_NUMBER':
        return form % 2
          ? `+49 30 ${this.digits(1, 2, 8)}${this.digits(3)} ${this.digits(4)}`
          : `(415) ${this.digits(1, 6, 9)}${this.digits(2)}-${this.digits(4)}`;
      case 'DATE_OF_BIRTH': {
        const [year, month, day] = [1935 + pick(65), 1 + pick(12), 10 + pick(18)];
        return form % 2
          ? `${year}-${String(month).padStart(2, '0')}-${day}`
          : `${day} ${months[month - 1]} ${year}`;
      }
      case 'ADDRESS':
        return `${this.digits(1, 1)}${this.digits(3)} ${pickOne(streets)} ${pickOne(streetSuffixes)}, ${pickOne(towns)}`;
    }
  }

  private digits(count: number, from = 0, to = 9): string {
    return Array.from({ length: count }, () => from + this.pick(to - from + 1)).join('');
  }
}

/** Returns words that come before a secret of this kind. */
export function contextOf(type: SecretType, form: number): string {
  return contexts[type][form % contexts[type].length]!;
}

function luhnDigit(body: string): number {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Letters and digits only, in lower case: how secrets are compared with what tools read. */
export function compact(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
