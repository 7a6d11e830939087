import { expect } from 'chai';
import { browserName } from '../../../packages/portal/account/browser-name.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the name of a browser', () => {
  for (const [sent, name] of [
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`,
      'Chrome 140 on Linux',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Edge 140 on Windows',
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/139.0.0.0 Mobile Safari/537.36`,
      'Chrome 139 on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0',
      'Firefox 142 on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
      'Safari 18 on iPhone',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
  ] as const) {
    it(`is ${name}`, () => {
      expect(browserName(sent)).to.equal(name);
    });
  }
});
