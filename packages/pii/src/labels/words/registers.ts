import type { LabelEntry } from '../entry.ts';

/** The type of the numbers of companies, which identify organisations. */
export const registerType = 'ORGANIZATION';

/**
 * Numbers of companies in registers and for sales taxes. They identify a company, even if they
 * resemble another number.
 */
export const registerLabels: readonly LabelEntry[] = [
  {
    type: registerType,
    form: { digits: [3, 20], letters: [0, 8], signs: [4, 24] },
    things: {
      en: 'vat|vat registration|vat reg|gstin|abn|acn|fein|duns|eori|company registration|company reg|companies house|business registration',
      de: 'ust idnr|ust id|mwst|umsatzsteuer identifikation|umsatzsteuer id|umsatzsteuer|handelsregister|hrb|hra|firmenbuch|wirtschafts id',
      fr: 'siret|siren|rcs|tva intracommunautaire|tva intracom|tva|code ape|code naf',
      es: 'cif|registro mercantil',
      it: 'partita iva|p iva|rea|registro imprese|cciaa',
      nl: 'btw|btw id|rsin|kvk|kamer van koophandel',
      pt: 'nipc',
      pl: 'regon|krs|bdo',
      sv: 'momsregistrerings|organisations|vat',
      da: 'cvr',
      no: 'organisasjons',
      fi: 'y tunnus|alv',
      cs: 'ico|dic',
      ro: 'cui|cif',
    },
    owners: { en: 'company', fr: 'siret|siren|tva', nl: 'btw' },
  },
  // In Portuguese, "lei" means law, and a law has a shorter number.
  {
    type: registerType,
    form: { digits: [2, 20], letters: [0, 18], signs: [20, 20] },
    names: { en: 'legal entity identifier' },
    things: { en: 'LEI' },
  },
];
