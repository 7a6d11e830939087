import { inspect } from 'node:util';

/*
 * A rejection that nothing handles would end a process of the service. Mocha ignores it, so the
 * run fails at its end and names the tests (.mocharc.json requires this file).
 */

/** By promise: Mocha passes each on twice. */
const unhandled = new Map<Promise<unknown>, string>();
let test = 'before the first test';
process.on('unhandledRejection', (reason, promise) => {
  const what = `${test}: ${inspect(reason)}`;
  if (!unhandled.has(promise)) console.error(`Nothing handled a rejection in ${what}`);
  unhandled.set(promise, what);
});

export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    test = this.currentTest?.fullTitle() ?? test;
  },
  afterAll(): void {
    if (unhandled.size === 0) return;
    const all = [...unhandled.values()];
    unhandled.clear();
    throw new Error(`${all.length} rejections were not handled.\n${all.join('\n')}`);
  },
};
