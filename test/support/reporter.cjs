// Plain CommonJS: mocha loads its reporter with require(), before any loader of TypeScript.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

/**
 * Mocha's `spec`, which also leaves its counts (passed, failed) in a file for `.ci/run`, and beside it
 * the failures, which runs side by side would bury in each other's output, and the seconds that each
 * test file took.
 */
module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.MOCHA_RESULT_FILE;
    if (!file) return;
    const failures = [];
    const times = new Map();
    let [began, path] = [Date.now(), ''];
    const next = (file) => {
      if (path !== '') times.set(path, (times.get(path) ?? 0) + Date.now() - began);
      [began, path] = [Date.now(), file];
    };
    runner.on(Mocha.Runner.constants.EVENT_SUITE_BEGIN, (suite) => {
      if (suite.file && suite.file !== path) next(suite.file);
    });
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      failures.push(`${test.fullTitle()}\n  ${error.stack ?? error.message ?? error}\n`);
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      writeFileSync(file, `${this.stats.passes} ${this.stats.failures}\n`);
      writeFileSync(`${file}-failures`, failures.join('\n'));
      next('');
      const seconds = [...times].map(([name, ms]) => `${Math.round(ms / 1000)} s ${name}\n`);
      writeFileSync(`${file}-times`, seconds.join(''));
    });
  }
};
