import type { Random } from './random.ts';

/** Lines full of numbers, none of which is personal. */
const lineGenerators: readonly ((random: Random) => string)[] = [
  (random) => random.fromPattern('Invoice no. INV-9999-99999, order 9999999, customer 19999'),
  (random) =>
    random.fromPattern('Rechnung Nr. 99999999, Artikel 999-9999, Menge 19, Preis 199,99 EUR'),
  (random) =>
    random.fromPattern('Part 1999-AA-9999 Rev. 1.9 replaces 1999-AA-9999, drawing 99/9999/99'),
  (random) =>
    random.fromPattern(
      'Version 1.19.9 fixes 1.9.19; build 19999, commit a9b9c9d, release v1.9.9.9',
    ),
  (random) => random.fromPattern('19,999.99   1,999.99   199.99   19.9 %   (1,999)'),
  (random) => random.fromPattern('19.999,99   1.999,99   199,99   19,9 %   -1.999'),
  (random) => random.fromPattern('19999  29999  39999  14999  19999  99999'),
  (random) => random.fromPattern('1 999 999   2 999 999   19 999   199 999   9 999'),
  (random) => random.fromPattern('0.99 1.99 2.99 19.99 0.999 1.9999 12.9999'),
  (random) =>
    random.fromPattern('SKU 999999-999, EAN 4099999999999, ISBN 978-3-99-999999-9, lot L19999'),
  (random) => random.fromPattern('Tabelle 1.9: 19,9 kg; 19,9 cm x 19,9 cm; 1.999 Stück; 99 %'),
  (random) =>
    random.fromPattern('Facture n° F999999, commande 9999999, montant 1 999,99 €, TVA 19 %'),
  (random) =>
    random.fromPattern('Pedido 99999999, referencia AB-99999, importe 1.999,99 €, 19 unidades'),
  (random) => random.fromPattern('Ordine 9999999, codice articolo 99999-99, totale 1.999,99 euro'),
  (random) => random.fromPattern('x = 1.99e-9, y = 1999.99, n = 1999, p < 0.09, sigma = 9.99'),
  (random) => random.fromPattern('ISO 9001, DIN 19999, RFC 1999, page 199 of 1999, section 1.9.9'),
  (random) => random.fromPattern('Serial no. SN19999999, model X199-99, 19 V, 1999 mAh, 19 W'),
  (random) => random.fromPattern('ticket #19999, case 199999, tracking 1Z999AA19999999999'),
  (random) =>
    random.fromPattern('range 199-299, pages 19-29, ratio 1:19, scale 1:19999, size 19x29'),
  (random) =>
    random.fromPattern('Error 0x99999999 at offset 199999, 1999 bytes, 99 retries, code 199'),
];

export const impersonalNumbers = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick(lineGenerators)(random)).join('\n');
