import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Mocha's `spec`, which also leaves its counts in a file for `.ci/run`: passed, failed. */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env.MOCHA_RESULT_FILE;
    if (!file) return;
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      writeFileSync(file, `${this.stats.passes} ${this.stats.failures}\n`);
    });
  }
}
