import { scoreOf } from '../context.ts';
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

/** Words for vehicles and their use. */
const context = contextWords([
  'car',
  'van',
  'lorry',
  'truck',
  'trailer',
  'vehicle*',
  'motorbike',
  'motorcycle',
  'scooter',
  'minibus',
  'bus',
  'autobus*',
  'saloon',
  'hatchback',
  'estate car',
  'pickup',
  'taxi',
  'parked',
  'mot',
  'licence plate',
  'auto',
  'autos',
  'wagen',
  'pkw',
  'lkw',
  'transporter',
  'anhanger',
  'fahrzeug*',
  'kombi',
  'motorrad',
  'kleinbus',
  'geparkt',
  'dienstwagen',
  'firmenwagen',
  'tuv',
  'halter',
  'kennzeichen',
  'bestelbus',
  'busje',
  'aanhanger',
  'aanhangwagen',
  'voertuig*',
  'vrachtwagen',
  'bestelwagen',
  'bestelauto',
  'geparkeerd',
  'voiture*',
  'vehicule*',
  'camion*',
  'fourgon*',
  'remorque',
  'moto',
  'immatricul*',
  'gare',
  'garee',
  'coche',
  'furgoneta',
  'vehiculo*',
  'camion',
  'remolque',
  'matricula',
  'matriculado',
  'aparcado',
  'furgone',
  'veicolo',
  'autovettura',
  'macchina',
  'rimorchio',
  'targa',
  'targata',
  'targato',
  'parcheggiat*',
  'carro',
  'carrinha',
  'viatura',
  'veiculo',
  'camiao',
  'mota',
  'estacionado',
  'samochod*',
  'pojazd*',
  'ciezarow*',
  'przyczep*',
  'ford',
  'vauxhall',
  'volkswagen',
  'vw',
  'bmw',
  'audi',
  'mercedes',
  'renault',
  'peugeot',
  'citroen',
  'fiat',
  'skoda',
  'toyota',
  'nissan',
  'honda',
  'volvo',
  'opel',
  'hyundai',
  'mazda',
  'tesla',
  'dacia',
  'suzuki',
  'yamaha',
  'piaggio',
  'vespa',
]);

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
          return { start, end: start + found.length, alone: 0.2, inContext: 0.6 };
        });
      }
    }
  },
};

/** Finds registration plates near words for vehicles. */
export function findPlates(view: TextView): PiiFinding[] {
  return Array.from(plate.candidates(view), (candidate) => ({
    type: 'PERSONAL_ID',
    start: view.original(candidate.start),
    end: view.original(candidate.end - 1) + 1,
    score: scoreOf(view, candidate, plate),
  }));
}
