import { expect } from 'chai';
import { removed } from './personal.ts';

const numbersIn = (text: string): string[] =>
  removed(text)
    .filter((one) => /^(?:PHONE_NUMBER|PERSONAL_ID|ADDRESS|NL_BSN) \d/.test(one))
    .map((one) => one.replace(/^\S+ /, ''));

describe('numbers as the country of a language groups them', () => {
  const portuguese = 'O utente deve apresentar a receita ao balcão até ao fim do mês.\n';
  const spanish = 'El material se entrega en la puerta y se firma el albarán.\n';
  const italian = 'La merce viene portata al piano e il saldo si paga alla consegna.\n';
  const polish = 'Proszę zabrać kurtkę i drugie śniadanie, wracamy po południu.\n';
  const dutch = 'De klant heeft de sleutel bij de balie gehaald en getekend.\n';
  const cases: readonly [text: string, values: string[]][] = [
    [`${portuguese}Entrega: 266 748 215\n`, ['266 748 215']],
    [`${portuguese}Inscrição 246 813 571\n`, ['246 813 571']],
    [`${portuguese}Inscrição 346 813 570\n`, []],
    [`${spanish}Entrega: 944 15 37 82\n`, ['944 15 37 82']],
    [`${spanish}Aviso 655 018 374\n`, ['655 018 374']],
    // Galician shares most of these words.
    [
      'Vaso de expansión, junta y caldera de gas de la cocina.\nAviso: 983 27 46 10\n',
      ['983 27 46 10'],
    ],
    [`${italian}Conferma: 347 118 2290\n`, ['347 118 2290']],
    [`${polish}Opiekun, 602 418 733\n`, ['602 418 733']],
    [`${polish}Biuro: 85 742 19 30\n`, ['85 742 19 30']],
    [`${portuguese}C.P. 7000-512 Évora, Responsável de Secção\n`, ['7000-512 Évora']],
    [`${dutch}Map 1112 22 333\n`, ['1112 22 333']],
    [`${dutch}Map 1112 22 334\n`, []],
    // Counts, amounts and numbers of trade.
    [`${portuguese}Total: 266 748 215\n`, []],
    [`${spanish}Facturado 655 018 374 €\n`, []],
    [`${spanish}Pedido 655 018 374\n`, []],
    [`${spanish}Madrid 6 779 888, Europa 742 000 000, España 648 592 083 en total\n`, []],
    [`${polish}Faktura 602 418 733\n`, []],
    ['The hall was sold and the money went to the club.\nCode 655 018 374\n', []],
  ];

  for (const [text, values] of cases) {
    const [, line] = text.split('\n');
    it(`${values.length > 0 ? 'are' : 'are not'} found: ${line}`, () => {
      expect(numbersIn(text)).to.deep.equal(values);
    });
  }
});
