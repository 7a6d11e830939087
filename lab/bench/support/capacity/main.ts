import { OptionError } from '../../../number-options.ts';
import { readCosts } from './costs.ts';
import { maxOf, plan } from './model.ts';
import { readOptions, usage } from './options.ts';
import { formatPlan } from './print.ts';

/** `script/capacity`: machines for a load. Exits with 2 for invalid arguments. */
try {
  const { load, machines, json, help } = readOptions(process.argv.slice(2));
  if (help) {
    console.log(usage());
  } else {
    const costs = readCosts();
    const result = plan(costs, load, machines);
    const maximum = maxOf(costs, load, machines);
    console.log(
      json
        ? JSON.stringify({ load, machines, plan: result, most: maximum })
        : formatPlan(costs, load, result, maximum),
    );
  }
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
