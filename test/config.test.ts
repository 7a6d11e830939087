import { expect } from 'chai';
import { readConfig } from '../src/config.ts';

const read = (env: NodeJS.ProcessEnv) => readConfig(env, []);

describe('config: where webhooks may go', () => {
  it('opens nothing unless told', () => {
    expect(read({})).to.deep.include({ webhookAllowCidrs: [], webhookDenyCidrs: [] });
  });
  it('takes ranges that an operator opens and closes', () => {
    const given = {
      WEBHOOK_ALLOW_CIDRS: '10.1.0.0/16, fd12::/16',
      WEBHOOK_DENY_CIDRS: '5.6.7.0/24',
    };
    for (const NODE_ENV of ['development', 'production']) {
      expect(read({ ...given, NODE_ENV })).to.deep.include({
        webhookAllowCidrs: ['10.1.0.0/16', 'fd12::/16'],
        webhookDenyCidrs: ['5.6.7.0/24'],
      });
    }
  });
  for (const range of [
    '127.0.0.0/8',
    '127.0.0.1',
    '126.0.0.0/7',
    '0.0.0.0/1',
    '169.254.0.0/16',
    '168.0.0.0/6',
    '::1',
    '0:0::1/128',
    'fe80::/10',
    'fe90::/16',
  ]) {
    it(`takes ${range} in development only`, () => {
      const env = { WEBHOOK_ALLOW_CIDRS: `10.0.0.0/8,${range}` };
      expect(read(env).webhookAllowCidrs).to.include(range);
      expect(() => read({ ...env, NODE_ENV: 'production' })).to.throw(
        `WEBHOOK_ALLOW_CIDRS must not contain ${range} in production`,
      );
    });
  }
  for (const name of ['WEBHOOK_ALLOW_CIDRS', 'WEBHOOK_DENY_CIDRS']) {
    for (const range of ['localhost', '10.0.0.0/33', '0.0.0.0/0', '::/0', '::ffff:0:0/96']) {
      it(`does not start with ${range} in ${name}`, () => {
        expect(() => read({ [name]: range })).to.throw(`${name}: "${range}"`);
      });
    }
  }

  it('leaves what is not set to those who know better: how many cores there are, whether to listen', () => {
    const config = readConfig({}, []);
    for (const name of [
      'WORKER_SLOTS',
      'OCR_PROCESSES',
      'IMAGING_PROCESSES',
      'METRICS_PORT',
    ] as const) {
      expect(config[name], name).to.equal(undefined);
    }
    expect(readConfig({ WORKER_SLOTS: '3' }, []).WORKER_SLOTS).to.equal(3);
    expect(() => readConfig({ OCR_PROCESSES: '0' }, [])).to.throw('OCR_PROCESSES');
  });
});

describe('config: what a process does not start with', () => {
  it('is reported at once, by name', () => {
    const settings = {
      PORT: 'x',
      OPERATOR_PASSWORD: 'short',
      WORKERS: 'ocr,paint',
      OIDC_CLIENT_ID: 'c',
    };
    const start = () => readConfig(settings, ['DATABASE_URL', 'SIGNING_KEY']);
    for (const name of [...Object.keys(settings), 'DATABASE_URL', 'SIGNING_KEY']) {
      expect(start).to.throw(name);
    }
    expect(start).not.to.throw('short');
  });

  it('includes no PUBLIC_URL, if it signs URLs in production', () => {
    const start = (env: NodeJS.ProcessEnv) => () =>
      readConfig({ SIGNING_KEY: 's'.repeat(44), ...env }, ['SIGNING_KEY']);
    const fault = 'PUBLIC_URL must be set in production';
    expect(start({ NODE_ENV: 'production' })).to.throw(fault);
    const url = 'https://files.example.com';
    expect(start({ NODE_ENV: 'production', PUBLIC_URL: url })().PUBLIC_URL).to.equal(url);
    expect(start({})().PUBLIC_URL).to.equal(undefined);
    // Workers make no URLs.
    expect(read({ NODE_ENV: 'production' }).PUBLIC_URL).to.equal(undefined);
  });

  it('includes the token of the local person in production only', () => {
    const settings = { LOCAL_SIGN_IN_TOKEN: 'a token of the local person' };
    expect(read(settings)).to.include(settings);
    expect(() => read({ ...settings, NODE_ENV: 'production' })).to.throw(
      'LOCAL_SIGN_IN_TOKEN must not be set in production',
    );
  });
});

describe('config: the external recogniser', () => {
  it('is none by default, and has the path /analyze', () => {
    expect(read({}).recogniser).to.equal(null);
    for (const url of ['http://presidio:3000', 'http://presidio:3000/analyze']) {
      const { recogniser } = read({
        RECOGNISER_URL: url,
        RECOGNISER_TYPES: 'ORG=ORGANIZATION, Body part = PERSONAL_ID',
        RECOGNISER_LANGUAGES: 'en,de',
      });
      expect(recogniser!.url.href).to.equal('http://presidio:3000/analyze');
      expect([...recogniser!.types]).to.deep.equal([
        ['ORG', 'ORGANIZATION'],
        ['Body part', 'PERSONAL_ID'],
      ]);
      expect(recogniser).to.deep.include({ languages: ['en', 'de'], timeoutMs: 30_000 });
    }
    expect(read({ RECOGNISER_URL: 'https://a/x/' }).recogniser!.url.pathname).to.equal(
      '/x/analyze',
    );
  });
  for (const [name, value] of [
    ['RECOGNISER_URL', 'presidio:3000'],
    ['RECOGNISER_URL', 'file:///analyze'],
    ['RECOGNISER_TYPES', 'ORG'],
    ['RECOGNISER_TYPES', 'ORG=COMPANY'],
    ['RECOGNISER_TYPES', 'SIGN=SIGNATURE'],
    ['RECOGNISER_LANGUAGES', 'English'],
    ['RECOGNISER_TIMEOUT_SECONDS', '0'],
  ] as const) {
    it(`does not start with ${name}=${value}`, () => {
      expect(() => read({ [name]: value })).to.throw(name);
    });
  }
});
