import { findingOf } from '../context.ts';
import type { PiiFinding } from '../finding.ts';
import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../recogniser.ts';
import type { TextView } from '../view.ts';
import { zonesOf } from '../zones.ts';

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

/** The score of a plate without words for vehicles nearby: many codes have such a form. */
const scoreAlone = 0.2;
/** The score beside words for vehicles: no plate has a check digit. */
const scoreInContext = 0.6;

const plate: PiiRecogniser = {
  context,
  against: null,
  *candidates(view) {
    for (const { from, to } of zonesOf(view)) {
      const zone = view.text.slice(from, to);
      for (const form of forms) {
        yield* matches(zone, form, ({ index, 0: found }): PiiCandidate | null => {
          if (!/\d/.test(found) || !/[A-Z]/.test(found)) return null;
          const start = from + index;
          return { start, end: start + found.length, alone: scoreAlone, inContext: scoreInContext };
        });
      }
    }
  },
};

/** Finds registration plates. Words for vehicles nearby raise the score. */
export function findPlates(view: TextView): PiiFinding[] {
  return Array.from(plate.candidates(view), (candidate) =>
    findingOf(view, 'PERSONAL_ID', candidate, plate),
  );
}
