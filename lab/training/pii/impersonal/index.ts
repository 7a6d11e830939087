import * as things from '../words/things.ts';
import { sourceLine } from './code.ts';
import { body, contract } from './contracts.ts';
import { foreign } from './foreign.ts';
import { blankForm, heading, marks } from './forms.ts';
import { jargon } from './jargon.ts';
import { markup } from './markup.ts';
import type { Pieces } from './pieces.ts';
import { priceLine, recipe } from './prices.ts';
import { running } from './running.ts';
import { figures, table } from './tables.ts';
import { computing, technical } from './technical.ts';

export { Pieces } from './pieces.ts';

/**
 * A document without names, of a kind that looks as if it had some: price lists, recipes, tables,
 * blank forms, headings, contracts, data sheets, code, markup.
 */
export function impersonal(p: Pieces): string {
  const { random } = p;
  return random.weighted<() => string>([
    [7, () => p.lines(2, 12, () => priceLine(p))],
    [4, () => recipe(p)],
    [5, () => p.lines(1, 8, () => p.listing(random.pick([things.dishes, things.foods])))],
    [12, () => p.lines(1, 6, () => jargon(p))],
    [8, () => table(p)],
    [6, () => p.lines(1, 10, () => figures(p))],
    [7, () => blankForm(p)],
    [6, () => p.lines(1, 10, () => heading(p))],
    [5, () => contract(p)],
    [5, () => p.lines(1, 8, () => technical(p))],
    [6, () => p.lines(2, 10, () => sourceLine(p))],
    [6, () => markup(p)],
    [5, () => p.lines(1, 6, () => p.listing(p.some()))],
    [5, () => p.lines(1, 4, () => random.pick(things.ambiguous) + random.pick(['', '.', ', ']))],
    [5, () => p.lines(1, 4, () => body(p))],
    [24, () => foreign(p)],
    [8, () => p.lines(1, 4, () => running(p))],
    [5, () => p.lines(1, 8, () => marks(p))],
    [4, () => p.lines(1, 5, () => computing(p))],
  ])();
}
