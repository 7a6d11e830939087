// Plain CommonJS: mocha loads its reporter with require(), before any loader of TypeScript.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

/**
 * Mocha's `spec`, which also leaves its counts (passed, failed) in a file for `.ci/run`, and the
 * failures in one beside it: two runs side by side would bury them in each other's output.
 */
module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.MOCHA_RESULT_FILE;
    if (!file) return;
    const failures = [];
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      failures.push(`${test.fullTitle()}\n  ${error.stack ?? error.message ?? error}\n`);
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      writeFileSync(file, `${this.stats.passes} ${this.stats.failures}\n`);
      writeFileSync(`${file}-failures`, failures.join('\n'));
    });
  }
};
