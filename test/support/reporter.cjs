// Plain CommonJS: mocha loads its reporter with require(), before any loader of TypeScript.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

/** Mocha's `spec`, which also leaves its counts in a file for `.ci/run`: passed, failed. */
module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.MOCHA_RESULT_FILE;
    if (!file) return;
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      writeFileSync(file, `${this.stats.passes} ${this.stats.failures}\n`);
    });
  }
};
