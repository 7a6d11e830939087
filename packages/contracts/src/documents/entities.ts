/**
 * Every type of personal data that can be found and redacted. Names follow Presidio where it has
 * the type. `basis` is the method of detection: `pattern` by form and checksums, `tagger` by a
 * statistical model, `label` only next to a label that names the type, `picture` by the look of the
 * page as drawn; such types are not text.
 */
export const entityTypes = {
  PERSON: { basis: 'tagger', summary: 'Names of people.' },
  TITLE: { basis: 'tagger', summary: 'Forms of address and occupations that go with a name.' },
  ORGANIZATION: { basis: 'tagger', summary: 'Companies, institutions, teams.' },
  LOCATION: { basis: 'tagger', summary: 'Countries, regions, cities.' },
  ADDRESS: { basis: 'tagger', summary: 'Street and postal addresses, postal codes.' },
  NRP: { basis: 'tagger', summary: 'Nationality, religious or political group.' },
  AGE: { basis: 'pattern', summary: 'The age of a person.' },
  DATE_OF_BIRTH: { basis: 'pattern', summary: 'Dates of birth.' },
  DATE_TIME: { basis: 'pattern', summary: 'Other dates and times.' },
  EMAIL_ADDRESS: { basis: 'pattern', summary: 'E-mail addresses.' },
  PHONE_NUMBER: { basis: 'pattern', summary: 'Telephone and fax numbers.' },
  URL: { basis: 'pattern', summary: 'Web addresses and domain names.' },
  IP_ADDRESS: { basis: 'pattern', summary: 'IPv4 and IPv6 addresses.' },
  MAC_ADDRESS: { basis: 'pattern', summary: 'Hardware addresses of network cards.' },
  CREDIT_CARD: { basis: 'pattern', summary: 'Payment card numbers (Luhn).' },
  IBAN_CODE: { basis: 'pattern', summary: 'International bank account numbers (ISO 13616).' },
  SWIFT_CODE: { basis: 'pattern', summary: 'Bank identifiers, BIC (ISO 9362).' },
  CRYPTO: { basis: 'pattern', summary: 'Bitcoin and Ethereum addresses.' },
  PASSPORT: { basis: 'pattern', summary: 'Passport numbers, the machine-readable zone.' },
  DRIVER_LICENSE: { basis: 'pattern', summary: 'Driving licence numbers.' },
  LICENCE_PLATE: { basis: 'pattern', summary: 'Registration plates of vehicles.' },
  US_SSN: { basis: 'pattern', summary: 'US social security numbers.' },
  US_ITIN: { basis: 'pattern', summary: 'US individual taxpayer identification numbers.' },
  US_BANK_NUMBER: { basis: 'pattern', summary: 'Bank accounts, routing numbers, sort codes.' },
  UK_NHS: { basis: 'pattern', summary: 'UK National Health Service numbers.' },
  UK_NINO: { basis: 'pattern', summary: 'UK National Insurance numbers.' },
  DE_TAX_ID: { basis: 'pattern', summary: 'German tax identification numbers.' },
  DE_ID_CARD: { basis: 'pattern', summary: 'German identity card numbers.' },
  DE_SOCIAL_SECURITY: { basis: 'pattern', summary: 'German pension insurance numbers.' },
  FR_NIR: { basis: 'pattern', summary: 'French social security numbers.' },
  ES_NIF: { basis: 'pattern', summary: 'Spanish NIF and NIE.' },
  IT_FISCAL_CODE: { basis: 'pattern', summary: 'Italian fiscal codes.' },
  NL_BSN: { basis: 'pattern', summary: 'Dutch citizen service numbers.' },
  SE_PERSONNUMMER: { basis: 'pattern', summary: 'Swedish personal identity numbers.' },
  PL_PESEL: { basis: 'pattern', summary: 'Polish PESEL numbers.' },
  IN_AADHAAR: { basis: 'pattern', summary: 'Indian Aadhaar numbers.' },
  IN_PAN: { basis: 'pattern', summary: 'Indian permanent account numbers.' },
  AU_TFN: { basis: 'pattern', summary: 'Australian tax file numbers.' },
  AU_MEDICARE: { basis: 'pattern', summary: 'Australian Medicare numbers.' },
  BR_CPF: { basis: 'pattern', summary: 'Brazilian CPF.' },
  BR_CNPJ: { basis: 'pattern', summary: 'Brazilian CNPJ.' },
  CA_SIN: { basis: 'pattern', summary: 'Canadian social insurance numbers.' },
  NATIONAL_ID: {
    basis: 'label',
    summary: 'Identity, tax and residence numbers of other countries, beside a label.',
  },
  PERSONAL_ID: {
    basis: 'label',
    summary: 'Numbers of customers, patients, members, policies, chassis, beside a label.',
  },
  SPECIAL_CATEGORY: {
    basis: 'label',
    summary:
      'Health, beliefs, ethnic origin, sexual orientation and union membership, beside a label.',
  },
  BARCODE: { basis: 'picture', summary: 'Barcodes and QR codes.' },
  SIGNATURE: { basis: 'picture', summary: 'Signatures.' },
  HANDWRITING: { basis: 'picture', summary: 'Lines written by hand, other than signatures.' },
  FACE: { basis: 'picture', summary: 'Faces of people in pictures.' },
} as const satisfies Record<
  string,
  { basis: 'pattern' | 'tagger' | 'label' | 'picture'; summary: string }
>;

export type EntityType = keyof typeof entityTypes;
export const entityNames = Object.keys(entityTypes) as EntityType[];

/** The types that are found by the look of the page, and that are not text. */
export type DrawnType = {
  [T in EntityType]: (typeof entityTypes)[T]['basis'] extends 'picture' ? T : never;
}[EntityType];
const isDrawn = (name: EntityType): name is DrawnType => entityTypes[name].basis === 'picture';
export const drawnTypes: readonly DrawnType[] = entityNames.filter(isDrawn);

/** Whether findings of a type are not text. */
export const isDrawnType = (type: string): type is DrawnType =>
  drawnTypes.some((drawn) => drawn === type);

/** The type of a finding: a type of personal data, or the name of a custom pattern. */
export type FoundType = EntityType | `CUSTOM_${string}`;
