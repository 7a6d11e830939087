import { mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { extension, startProgram } from '../../lab/embedded/programs.ts';
import { createProgress } from '../../lab/embedded/progress.ts';
import { takeSettings } from '../../src/access/secret-settings.ts';
import { eventually } from '../support/eventually.ts';

describe('secret settings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secret-settings-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are in the environment of no program that script/server starts', async function () {
    const outputFile = join(folder, 'output');
    const secrets = { SECRET_KEY: 'a-secret=with,marks', DATABASE_URL: 'postgres://u:hidden@h/d' };
    const program = await startProgram(
      {
        name: 'program',
        file: resolve(import.meta.dirname, `programs/settings${extension}`),
        env: { PATH: process.env.PATH, PORT: '81', ...secrets },
        outputFile,
        graceMilliseconds: 5_000,
      },
      createProgress(),
      () => undefined,
    );
    try {
      const output = await eventually(async () => {
        const line = readFileSync(outputFile, 'utf8');
        if (!line.endsWith('\n')) throw new Error(`it printed ${line}`);
        return line;
      });
      expect(JSON.parse(output)).to.deep.equal({ ...secrets, PORT: '81', left: [] });
      if (process.platform !== 'linux') this.skip();
      const environment = readFileSync(`/proc/${program.pid}/environ`, 'latin1');
      expect(environment)
        .to.include('PORT=81')
        .and.not.match(/a-secret|hidden/);
    } finally {
      await program.stop();
    }
  });

  it('are removed from the environment', () => {
    const env = { SECRET_KEY: 'one', SIGNING_KEY: 'two', LOG_LEVEL: 'warn' };
    expect(takeSettings(env)).to.deep.equal({
      SECRET_KEY: 'one',
      SIGNING_KEY: 'two',
      LOG_LEVEL: 'warn',
    });
    expect(env).to.deep.equal({ LOG_LEVEL: 'warn' });
  });

  it('are read from the descriptor first, then from the environment', () => {
    const file = descriptorOf('SECRET_KEY=given\n\nREDIS_URL=redis://:p@h\n');
    const settings = takeSettings({ SECRET_KEY: 'old', SETTINGS_FD: String(file.fd) });
    expect(settings).to.include({ SECRET_KEY: 'given', REDIS_URL: 'redis://:p@h' });
  });

  it('are not repeated in errors', () => {
    const file = descriptorOf('the secret itself\n');
    expect(() => takeSettings({ SETTINGS_FD: String(file.fd) })).to.throw(
      /not of the form NAME=value\.$/,
    );
    expect(() => takeSettings({ SETTINGS_FD: 'x' })).to.throw(/SETTINGS_FD must be the number/);
    expect(() => takeSettings({ SETTINGS_FD: '999' })).to.throw(/cannot be read/);
  });

  function descriptorOf(text: string): { fd: number } {
    const path = join(folder, 'settings');
    writeFileSync(path, text);
    return { fd: openSync(path, 'r') };
  }
});
