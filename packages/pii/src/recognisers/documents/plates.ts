import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../../recogniser.ts';
import type { TextView } from '../../view.ts';
import { zonesOf } from '../../zones.ts';

/** The forms of registration plates by country. None has a check digit. */
const forms = [
  // United Kingdom since 2001: AB12 CDE.
  '[A-Z]{2}\\d{2} ?[A-Z]{3}',
  // Germany, Austria: M-AB 1234, W-12345 X.
  '[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2} ?\\d{1,4}[EH]?',
  '[A-Z]{1,2}-\\d{1,5} ?[A-Z]{1,3}',
  // France, Italy: AB-123-CD, AB 123 CD.
  '[A-Z]{2}([- ]?)\\d{3}\\1[A-Z]{2}',
  // Spain: 1234 BCD.
  '\\d{4}[- ]?[BCDFGHJKLMNPRSTVWXYZ]{3}',
  // The Netherlands, Portugal: groups of two or three.
  '(?:\\d{1,2}|[A-Z]{1,3})-(?:\\d{2,3}|[A-Z]{2,3})-(?:\\d{1,2}|[A-Z]{1,2})',
  // Poland, Czechia: WA 12345, SB 7Y104, 1AB 2345.
  '[A-Z]{2,3} ?(?:\\d{4,5}[A-Z]?|\\d{1,3}[A-Z]\\d{2,3}|\\d{2,3}[A-Z]{2})',
  '\\d[A-Z]\\d? ?\\d{4}',
  // The United States, Sweden, Hungary, Mexico: 7ABC123, ABC 1234.
  '\\d[A-Z]{3}\\d{3}',
  '[A-Z]{3}[ -]?\\d{3,4}',
].map((form) => new RegExp(`(?<![\\p{L}\\p{N}-])${form}(?![\\p{L}\\p{N}]|-[\\p{L}\\p{N}])`, 'gu'));

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Words for vehicles and their use. Ordinary words, such as French `gare` (station), are left out. */
const context = contextWords([
  // English.
  'estate car',
  'licence plate',
  ...words(`car van lorry truck trailer vehicle* motorbike motorcycle scooter minibus bus saloon hatchback
    pickup taxi parked autobus*`),
  // German, and the same words in other languages.
  ...words(`auto autos wagen pkw lkw transporter anhanger fahrzeug* kombi motorrad kleinbus geparkt
    dienstwagen firmenwagen tuv halter kennzeichen`),
  // Dutch.
  ...words(`bestelbus busje aanhanger aanhangwagen voertuig* vrachtwagen bestelwagen bestelauto
    geparkeerd`),
  // French.
  ...words('voiture* vehicule* camion* fourgon* remorque moto immatricul* garee'),
  // Spanish.
  ...words('coche furgoneta vehiculo* remolque matricula matriculado aparcado'),
  // Italian.
  ...words(`furgone veicolo autovettura macchina rimorchio targa targata targato parcheggiat*`),
  // Portuguese.
  ...words('carro carrinha viatura veiculo camiao mota estacionado'),
  // Polish.
  ...words('samochod* pojazd* ciezarow* przyczep*'),
  // Makes.
  ...words(`ford vauxhall volkswagen vw bmw audi mercedes renault peugeot citroen fiat skoda toyota
    nissan honda volvo opel hyundai mazda tesla dacia suzuki yamaha piaggio vespa`),
]);

/** Words directly before numbers of other kinds that look like plates, such as those of flights. */
const otherNames = contextWords([
  ...words(`flight* vol vols flug fluge vuelo* volo voli vlucht* voo voos lot rejs train trains zug zuge
    tren trein treno comboio pociag linie ligne linea lijn linia`),
  ...words(`part parts teil teile piece pieza pezzo onderdeel peca czesc article artikel articulo
    articolo artigo artykul item sku model modell modele modelo modello type typ tipo version serial
    serie batch charge`),
  ...words(`order auftrag bestellung commande pedido ordine bestelling encomenda zamowienie invoice
    rechnung facture factura fattura factuur fatura faktura ref reference postcode`),
]);

/** Letters before the numbers of amounts, dates, standards, trains, engines and models. */
export const otherCodes = new RegExp(
  `^(?:(?:${[
    'EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|RON|BRL|JPY|CNY|INR|AUD|CAD',
    'JAN|FEB|MAR|APR|MAY|MAI|JUN|JUL|AUG|SEP|OCT|OKT|NOV|DEC|DEZ',
    'ISO|DIN|EN|IEC|RFC|ICE|TGV|IC|RE|CDI|TDI|TSI|HDI|KW|PS|KM|NR|NO',
  ].join('|')})[ -]?\\d|(?:BMW|VW|KIA|MAN|BYD|GMC)[ -])`,
);

/** The score of a plate without words for vehicles in its sentence: many codes have such a form. */
const scoreAlone = 0.2;
/** The score beside words for vehicles: no plate has a check digit. */
const scoreInContext = 0.6;

/** The end of a sentence, which is not the full stop of an abbreviation, and of a paragraph. */
const sentenceEnd = /[\p{L}\p{N})]{4}[.!?]\s+(?=\p{Lu})|\n\s*\n/gu;
/** Maximum distance of words for vehicles, in characters. */
const maxDistance = 64;

/** Whether the sentence of a range has a word for vehicles nearby. */
function isBesideVehicle({ text, lower }: TextView, start: number, end: number): boolean {
  const from = Math.max(0, start - maxDistance);
  const lastEnd = [...text.slice(from, start).matchAll(sentenceEnd)].at(-1);
  const sentenceStart = from + (lastEnd ? lastEnd.index + lastEnd[0].length : 0);
  const after = text.slice(end, end + maxDistance);
  const length = after.search(sentenceEnd);
  const sentence = [
    lower.slice(sentenceStart, start),
    lower.slice(end, length < 0 ? end + maxDistance : end + length + 4),
  ];
  return sentence.some((part) => part.search(context) >= 0);
}

/** Registration plates of vehicles, which count beside words for vehicles. */
export const plate: PiiRecogniser = {
  context,
  against: otherNames,
  otherNames,
  *candidates(view) {
    for (const { from, to } of zonesOf(view)) {
      const zone = view.text.slice(from, to);
      for (const form of forms) {
        yield* matches(zone, form, ({ index, 0: found }): PiiCandidate | null => {
          if (!/\d/.test(found) || !/[A-Z]/.test(found) || otherCodes.test(found)) return null;
          const [start, end] = [from + index, from + index + found.length];
          const inContext = isBesideVehicle(view, start, end) ? scoreInContext : scoreAlone;
          return { start, end, alone: scoreAlone, inContext, whole: true };
        });
      }
    }
  },
};
