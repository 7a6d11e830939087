import { StartError } from '../../lab/embedded/start-error.ts';
import { provideChromium } from './chromium.ts';

/** `script/test`'s browser. With REQUIRE_BROWSER, none is an error; else its tests are skipped. */
const log = (line: string): void => console.error(line);
try {
  const chromium = await provideChromium(log);
  if (chromium) {
    log(`Chromium: ${chromium.path}.`);
  } else {
    log('No Chromium runs on this machine, and no package has one for it.');
    log('Tests in a browser are skipped. Install Chromium, or set CHROMIUM_PATH to run them.');
    if (process.env.REQUIRE_BROWSER) process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  log(error.message);
  if (process.env.REQUIRE_BROWSER) process.exitCode = 1;
}
