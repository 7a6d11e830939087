import { StartError } from '../../lab/embedded/start-error.ts';
import { provideChromium } from './chromium.ts';

/** `script/test`'s browser. With REQUIRE_BROWSER, none is an error; else its tests are skipped. */
const say = (line: string): void => console.error(line);
try {
  const chromium = await provideChromium(say);
  if (chromium) {
    say(`Chromium: ${chromium.path}.`);
  } else {
    say('No Chromium runs on this machine, and no package has one for it.');
    say('Tests in a browser are skipped. Install Chromium, or set CHROMIUM_PATH to run them.');
    if (process.env.REQUIRE_BROWSER) process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  say(error.message);
  if (process.env.REQUIRE_BROWSER) process.exitCode = 1;
}
