import { type EntityType, entityTypes } from '@scriptorium/contracts/documents/entities';

/** The types of personal data, by their usual names. */
const titles: Record<EntityType, string> = {
  PERSON: 'Person',
  TITLE: 'Title',
  ORGANIZATION: 'Organisation',
  LOCATION: 'Location',
  ADDRESS: 'Address',
  NRP: 'Nationality, religion or politics',
  AGE: 'Age',
  DATE_OF_BIRTH: 'Date of birth',
  DATE_TIME: 'Date or time',
  EMAIL_ADDRESS: 'E-mail address',
  PHONE_NUMBER: 'Phone number',
  URL: 'Web address',
  IP_ADDRESS: 'IP address',
  MAC_ADDRESS: 'MAC address',
  CREDIT_CARD: 'Card number',
  IBAN_CODE: 'IBAN',
  SWIFT_CODE: 'BIC (SWIFT code)',
  CRYPTO: 'Crypto wallet',
  PASSPORT: 'Passport number',
  DRIVER_LICENSE: 'Driving licence number',
  LICENCE_PLATE: 'Licence plate',
  US_SSN: 'US Social Security number',
  US_ITIN: 'US ITIN',
  US_BANK_NUMBER: 'Bank account or routing number',
  UK_NHS: 'UK NHS number',
  UK_NINO: 'UK National Insurance number',
  DE_TAX_ID: 'German tax ID',
  DE_ID_CARD: 'German identity card number',
  DE_SOCIAL_SECURITY: 'German pension insurance number',
  FR_NIR: 'French social security number',
  ES_NIF: 'Spanish NIF or NIE',
  IT_FISCAL_CODE: 'Italian fiscal code',
  NL_BSN: 'Dutch BSN',
  SE_PERSONNUMMER: 'Swedish personal identity number',
  PL_PESEL: 'Polish PESEL',
  IN_AADHAAR: 'Indian Aadhaar number',
  IN_PAN: 'Indian PAN',
  AU_TFN: 'Australian tax file number',
  AU_MEDICARE: 'Australian Medicare number',
  BR_CPF: 'Brazilian CPF',
  BR_CNPJ: 'Brazilian CNPJ',
  CA_SIN: 'Canadian social insurance number',
  NATIONAL_ID: 'National ID',
  PERSONAL_ID: 'Personal ID',
  SPECIAL_CATEGORY: 'Special category of data',
  BARCODE: 'Barcode',
  SIGNATURE: 'Signature',
  HANDWRITING: 'Handwriting',
  FACE: 'Face',
};

const isEntityType = (type: string): type is EntityType => Object.hasOwn(entityTypes, type);

/**
 * Returns the title of the type of a finding. The name of a custom pattern is shown unchanged, as
 * its author wrote it.
 */
export function entityTitle(type: string): string {
  if (isEntityType(type)) return titles[type];
  return type === 'CUSTOM_OTHER' ? 'Other' : type.replace(/^CUSTOM_/, '');
}
