import * as things from '../words/things.ts';
import type { Pieces } from './pieces.ts';

export function priceLine(p: Pieces): string {
  const { random } = p;
  const good = p.good();
  return p.cased(
    random.weighted<() => string>([
      [5, () => `${random.int(1, 40)} ${good} ${p.measure()} ${p.price()} ${p.price()}`],
      [3, () => `${p.thingNumber()} ${good} ${p.price()}`],
      [3, () => `${good}\t${random.int(1, 90)}\t${p.price()}`],
      [2, () => `${good} – ${p.price()}`],
      [2, () => `${random.int(1, 99)} x ${good}`],
      [2, () => `${random.pick(things.business)} ${p.price()}`],
      [2, () => `${good} (${p.measure()})`],
      [
        1,
        () =>
          `${random.pick(['Subtotal', 'Total', 'Net', 'VAT', 'Tax', 'Shipping', 'Discount', 'Amount due', 'Balance', 'Deposit'])} ${p.price()}`,
      ],
      [
        1,
        () =>
          `${random.pick(['Pos.', 'Item', 'No.', 'Art.-Nr.', 'SKU'])} ${random.pick(['Description', 'Article', 'Product', 'Service', 'Bezeichnung', 'Désignation'])} ${random.pick(['Qty', 'Quantity', 'Menge', 'Qté', 'Hours'])} ${random.pick(['Price', 'Rate', 'Preis', 'Prix'])} ${random.pick(['Total', 'Amount', 'Betrag', 'Montant'])}`,
      ],
    ])(),
  );
}

export function recipe(p: Pieces): string {
  const { random } = p;
  const food = () => random.pick(random.pick([things.foods, p.world.things]));
  const step = () =>
    `${random.pick(['Chop', 'Slice', 'Peel', 'Stir', 'Mix', 'Whisk', 'Add', 'Fry', 'Roast', 'Boil', 'Drain', 'Rinse', 'Melt', 'Beat', 'Knead', 'Spread', 'Sprinkle', 'Pour in', 'Blend', 'Toss', 'Serve with', 'Top with', 'Marinate', 'Grill', 'Steam'])} the ${food()}${random.pick(['', ` and the ${food()}`, ` with ${food()} and ${food()}`, ` for ${p.number()} minutes`, ' until golden', ` in the ${food()}`, ', then cover and leave to rest'])}.`;
  const ingredient = () =>
    random.pick([
      `${p.measure()} ${food()}`,
      `${random.int(1, 6)} ${food()}${random.pick(['', ', chopped', ', to taste', ', peeled and diced', ' (optional)'])}`,
      `${food()}`,
      `${random.pick(['A pinch of', 'A handful of', 'Some', 'Half a', 'Zest of one', 'Juice of two'])} ${food()}`,
    ]);
  const parts = [
    random.chance(0.8) ? random.pick(random.pick([things.dishes, p.world.dishes])) : '',
    random.chance(0.4) ? `Serves ${random.int(1, 8)}, ready in ${random.int(10, 90)} minutes` : '',
    random.chance(0.5) ? 'Ingredients' : '',
    p.lines(2, 7, ingredient),
    random.chance(0.5) ? random.pick(['Method', 'Preparation', 'Directions', 'Instructions']) : '',
    p.lines(1, 4, step),
  ];
  const text = parts.filter((part) => part !== '').join('\n');
  return random.chance(0.2) ? text.toLowerCase() : text;
}
