import type { PatternType } from '@scriptorium/pii/registry';
import { generators } from './identifiers.ts';
import type { Random } from './random.ts';

/** How people introduce a value; an empty label if its format or check identifies it. */
const labels: Readonly<Record<PatternType, readonly string[]>> = {
  EMAIL_ADDRESS: ['', 'E-mail:', 'Kontakt:', 'Courriel :', 'Correo:'],
  PHONE_NUMBER: [
    'Phone:',
    'Tel.',
    'call me at',
    'Telefon:',
    'Téléphone :',
    'Teléfono:',
    'Mobiel:',
    'cellulare',
    'Fax',
  ],
  URL: ['', 'see', 'Website:', 'site web :'],
  IP_ADDRESS: ['', 'IP address', 'logged in from', 'Adresse IP'],
  MAC_ADDRESS: ['', 'MAC'],
  CREDIT_CARD: ['', 'card number', 'Kreditkarte', 'carte bancaire', 'tarjeta', 'Visa:'],
  IBAN_CODE: ['', 'IBAN', 'Bankverbindung:', 'compte'],
  SWIFT_CODE: ['BIC', 'SWIFT code:', 'BIC/SWIFT'],
  CRYPTO: ['', 'wallet', 'send bitcoin to'],
  DATE_OF_BIRTH: [
    'born on',
    'DOB:',
    'Date of birth:',
    'geboren am',
    'Geburtsdatum:',
    'né le',
    'née le',
    'Date de naissance :',
    'fecha de nacimiento:',
    'nacida el',
    'nato il',
    'data di nascita:',
    'geboren op',
    'geboortedatum:',
  ],
  DATE_TIME: ['', 'on', 'am', 'le', 'el', 'il', 'op'],
  AGE: ['aged', 'age:', 'Alter:', 'edad:', 'età:', 'leeftijd:', 'just turned'],
  PASSPORT: [
    'passport no.',
    'Reisepass Nr.',
    'passeport n°',
    'pasaporte',
    'passaporto',
    'paspoortnummer',
  ],
  DRIVER_LICENSE: [
    "driver's license",
    'driving licence number',
    'Führerschein Nr.',
    'permis de conduire',
    'rijbewijs',
  ],
  LICENCE_PLATE: [
    'licence plate',
    'license plate:',
    'vehicle registration number',
    'Kennzeichen',
    'amtliches Kennzeichen:',
    "numéro d'immatriculation",
    'matrícula',
    'matrícula do veículo:',
    'targa',
    'kenteken',
    'numer rejestracyjny',
  ],
  US_SSN: ['SSN', 'social security number', 'SSN:', 'SS#'],
  US_ITIN: ['ITIN', 'taxpayer ID'],
  US_BANK_NUMBER: [
    'account and routing number',
    'bank account number',
    'checking account',
    'ABA routing / account',
  ],
  UK_NHS: ['NHS number', 'NHS no.', 'NHS:'],
  UK_NINO: ['National Insurance number', 'NINO'],
  DE_TAX_ID: ['Steuer-ID', 'Steueridentifikationsnummer', 'IdNr.'],
  DE_ID_CARD: ['Personalausweis', 'Ausweisnummer:', 'ID card no.'],
  DE_SOCIAL_SECURITY: ['', 'Sozialversicherungsnummer', 'Rentenversicherungsnummer:'],
  FR_NIR: ['', 'numéro de sécurité sociale', 'NIR', 'n° sécu'],
  ES_NIF: ['', 'DNI', 'NIE', 'NIF:'],
  IT_FISCAL_CODE: ['', 'codice fiscale', 'C.F.'],
  NL_BSN: ['BSN', 'burgerservicenummer', 'BSN-nummer:'],
  SE_PERSONNUMMER: ['personnummer', 'personnr:', 'personal identity number'],
  PL_PESEL: ['', 'PESEL', 'nr PESEL:'],
  IN_AADHAAR: ['Aadhaar', 'Aadhaar number:', 'UID'],
  IN_PAN: ['PAN', 'PAN card'],
  AU_TFN: ['TFN', 'tax file number'],
  AU_MEDICARE: ['Medicare', 'Medicare card number', 'Medicare no.'],
  BR_CPF: ['CPF', 'CPF:', 'inscrito no CPF'],
  BR_CNPJ: ['', 'CNPJ', 'CNPJ:'],
  CA_SIN: ['SIN', 'social insurance number', 'NAS'],
};

/** `#` is replaced by the label and its value. */
const sentenceTemplates = [
  'Please note # in the file and let me know.',
  '#',
  'We have # on record for the applicant.',
  'Name: Meier, #, Ort: Köln',
  'Bitte prüfen Sie # bis Freitag.',
  'Der Antrag nennt # als Angabe.',
  'Merci de vérifier # avant lundi.',
  "Le dossier indique # pour l'assuré.",
  'Rogamos compruebe # cuanto antes.',
  'La solicitud indica # en la hoja.',
  'Si prega di verificare # al più presto.',
  'Controleer # voor het einde van de week.',
  '(#)',
  'The form says: #; nothing else.',
];

export interface EmbeddedIdentifier {
  type: PatternType;
  text: string;
  start: number;
  value: string;
}

/**
 * A sentence with one identifier. `damage` changes the value as it is printed; `labelled` leaves out
 * those without a label.
 */
export function embedIdentifier(
  random: Random,
  type: PatternType,
  damage?: (value: string) => string,
  requiresLabel = false,
): EmbeddedIdentifier {
  const identifier = generators[type](random);
  const value = damage ? damage(identifier) : identifier;
  const label = random.pick(labels[type].filter((one) => one !== '' || !requiresLabel));
  const [before = '', after = ''] = random.pick(sentenceTemplates).split('#');
  const prefix = `${before}${label}${label ? ' ' : ''}`;
  return { type, text: prefix + value + after, start: prefix.length, value };
}
