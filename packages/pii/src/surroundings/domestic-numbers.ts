import type { EntityType } from '@scriptorium/contracts/documents/entities';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { weightedSum } from '../checksums.ts';
import type { PiiFinding } from '../finding.ts';
import { mainLanguage } from '../language/index.ts';
import { passesElevenTest } from '../national/nl.ts';
import { contextWords } from '../recogniser.ts';
import { oncePerView, type TextView } from '../view.ts';

/** A kind of number in the groups that are usual in the country of a language. */
interface DomesticForm {
  language: string;
  type: EntityType;
  form: RegExp;
  isValid: (found: string) => boolean;
}

const score = 0.6;

const delimited = (form: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}€$£#-]|\\d[ .,/])(?:${form})(?! ?[€$£%]|[\\p{L}\\p{N}]|[ .,/-]\\d)`,
    'gu',
  );

const placeName =
  "\\p{Lu}[\\p{L}'’-]{2,30}(?: (?:de |da |do |das |dos |nad )?\\p{Lu}[\\p{L}'’-]{2,30}){0,3}";

const isValidIn =
  (region: CountryCode) =>
  (found: string): boolean =>
    parsePhoneNumberFromString(found, region)?.isValid() ?? false;

/** Numbers without a trunk prefix, whose form is not specific without context. */
const domesticForms: readonly DomesticForm[] = [
  {
    // The citizen card: a number, a check digit, a version and a check digit.
    language: 'pt',
    type: 'NATIONAL_ID',
    form: delimited('\\d{8} ?\\d ?[A-Z]{2}\\d'),
    isValid: () => true,
  },
  {
    language: 'pt',
    type: 'PHONE_NUMBER',
    form: delimited('[29]\\d{2} \\d{3} \\d{3}|2\\d \\d{3} \\d{2} \\d{2}'),
    isValid: isValidIn('PT'),
  },
  {
    language: 'es',
    type: 'PHONE_NUMBER',
    form: delimited(
      '[6-9]\\d{2} \\d{3} \\d{3}|[6-9]\\d{2} \\d{2} \\d{2} \\d{2}|[89]\\d \\d{3} \\d{2} \\d{2}',
    ),
    isValid: isValidIn('ES'),
  },
  {
    language: 'pl',
    type: 'PHONE_NUMBER',
    form: delimited('\\d{3}[ -]\\d{3}[ -]\\d{3}|\\d{2} \\d{3} \\d{2} \\d{2}'),
    isValid: isValidIn('PL'),
  },
  {
    language: 'it',
    type: 'PHONE_NUMBER',
    form: delimited('3\\d{2} ?\\d{3} ?\\d{4}|3\\d{2} \\d{2} \\d{2} \\d{3}'),
    isValid: isValidIn('IT'),
  },
  // Postal codes with their places.
  {
    language: 'pt',
    type: 'ADDRESS',
    form: delimited(`\\d{4}-\\d{3} ${placeName}`),
    isValid: () => true,
  },
  {
    language: 'pl',
    type: 'ADDRESS',
    form: delimited(`\\d{2}-\\d{3} ${placeName}`),
    isValid: () => true,
  },
  // One in eleven numbers passes this check.
  {
    language: 'nl',
    type: 'NL_BSN',
    form: delimited('\\d{4} \\d{2} \\d{3}|\\d{4}\\.\\d{2}\\.\\d{3}'),
    isValid: (found) => passesElevenTest(found.replace(/\D/g, '')),
  },
  // The sum of the first eight digits times 9 to 2 determines the last digit (Portaria 386/98).
  {
    language: 'pt',
    type: 'PERSONAL_ID',
    form: delimited('[1-3]\\d{2} \\d{3} \\d{3}'),
    isValid: isPortugueseTaxNumber,
  },
];

function isPortugueseTaxNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  const checkDigit = 11 - (weightedSum(digits.slice(0, 8), [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return (checkDigit > 9 ? 0 : checkDigit) === Number(digits[8]);
}

/** Words for things that are counted, paid, ordered or stocked. */
const against = contextWords([
  'total*',
  'suma',
  'soma',
  'somma',
  'valor*',
  'valore',
  'importe*',
  'importo',
  'kwota',
  'saldo',
  'preco*',
  'precio*',
  'prezzo',
  'cena',
  'custo*',
  'costo*',
  'koszt*',
  'eur',
  'euros',
  'zl',
  'pln',
  'populac*',
  'poblacion',
  'popolazione',
  'ludnos*',
  'habitantes',
  'abitanti',
  'mieszkanc*',
  'quantidade',
  'cantidad',
  'quantita',
  'ilosc',
  'liczba',
  'numero de',
  'numero di',
  'unidades',
  'pedido',
  'encomenda',
  'fatura',
  'factura',
  'fattura',
  'faktur*',
  'ordine',
  'zamowien*',
  'ref',
  'refa',
  'referencia',
  'riferimento',
  'artigo',
  'articulo',
  'articolo',
  'artykul*',
  'codigo',
  'codice',
  'kod',
  'lote',
  'lotto',
  'serie',
  'seria',
  'regon',
  'krs',
  'nipc',
  'cif',
  'bestel*',
  'factuur*',
  'bedrag',
  'totaal',
  'aantal',
  'artikel*',
  'order*',
  'prijs',
  'kvk',
  'saldo',
  'ean',
  'isbn',
  'version*',
  'versao',
  'wersja',
  'modelo',
  'modello',
  'model',
  'expediente',
]);

/** A number in groups of three. If it does not have nine digits, it is a count. */
const groupedCount = /(?<![\p{L}\d]|\d[ .,])\d{1,3}(?: \d{3})+(?![\p{L}\d]| \d)/gu;
/** Whether a text writes counts in groups of three, like telephone numbers. */
const hasCounts = oncePerView(({ text }: TextView): boolean =>
  [...text.matchAll(groupedCount)].some(([found]) => found.replace(/ /g, '').length !== 9),
);
const groupsOfThree = /^\d{3} \d{3} \d{3}$/;

const languageOf = oncePerView(({ text }: TextView) => mainLanguage(text));

/** Distance before a number, on its line, in which words contradict the number, in characters. */
const searchDistance = 40;

function isContradicted(view: TextView, start: number, text: string): boolean {
  const textBefore = view.lower.slice(Math.max(0, start - searchDistance), start);
  const line = textBefore.slice(textBefore.lastIndexOf('\n') + 1);
  return line.search(against) >= 0 || (groupsOfThree.test(text) && hasCounts(view));
}

/**
 * Finds telephone numbers, tax numbers and postal codes in the form of the country where the
 * language of the text is spoken, regardless of the preceding text.
 */
export function findDomestic(
  view: TextView,
  isWanted: (type: EntityType) => boolean,
): PiiFinding[] {
  return domesticForms
    .filter(({ type }) => isWanted(type))
    .flatMap(({ language, type, form, isValid }) =>
      [...view.text.matchAll(form)].flatMap(({ index, 0: found }): PiiFinding[] => {
        if (languageOf(view) !== language || !isValid(found)) return [];
        if (isContradicted(view, index, found)) return [];
        const end = view.original(index + found.length - 1) + 1;
        return [{ type, start: view.original(index), end, score }];
      }),
    );
}
