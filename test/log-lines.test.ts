import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { extension } from '../lab/embedded/programs.ts';
import { createLogger, openLogDestination } from '../src/logger.ts';
import { eventually } from './support/eventually.ts';
import { runFile } from './support/run.ts';

const program = resolve(import.meta.dirname, `support/programs/logging${extension}`);

/** The `line` of each line that a process leaves on its standard output when it ends. */
async function linesOf(end: string): Promise<unknown[]> {
  const { stdout } = await runFile(program, [end]);
  return stdout
    .split('\n')
    .filter((text) => text.includes('a line'))
    .map((text) => JSON.parse(text).line);
}

const hundred = Array.from({ length: 100 }, (_, at) => at + 1);

describe('lines of the log', () => {
  let folder: string;
  const { writeSync } = fs;
  /** What is written at once to the files of the tests. */
  let written: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-log-'));
    fs.writeSync = (fd: number, text: unknown, ...more: unknown[]) => {
      if (String(text).includes('"name":"lines"')) written.push(String(text));
      return Reflect.apply(writeSync, fs, [fd, text, ...more]);
    };
  });
  after(async () => {
    fs.writeSync = writeSync;
    await rm(folder, { recursive: true });
  });
  let files = 0;
  const open = () => {
    written = [];
    files += 1;
    return createLogger('info', 'lines', openLogDestination(join(folder, `${files}.log`)));
  };

  it('are written together, in order', async () => {
    const logger = open();
    for (let line = 0; line < 5; line++) logger.info({ line });
    expect(written).to.have.length(0);
    await eventually(async () => written.length > 0);
    const [text, ...others] = written;
    expect(others).to.have.length(0);
    const lines = text!.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('are written at once from a warning on, with those before it', () => {
    const logger = open();
    logger.info('first');
    logger.warn('second');
    expect(written.join('')).to.match(/first.*\n.*second.*\n$/);
    logger.child({ a: 1 }).error('third');
    expect(written).to.have.length(2);
  });

  it('are never cut, and never more at once than a pipe takes in one piece', () => {
    const logger = open();
    const texts = Array.from({ length: 60 }, (_, at) => 'é'.repeat(at * 13));
    for (const text of texts) logger.info(text);
    logger.info('long '.repeat(2_000));
    logger.warn('end');
    for (const chunk of written) {
      expect(chunk.endsWith('\n')).to.equal(true);
      const isOne = chunk.indexOf('\n') === chunk.length - 1;
      if (!isOne) expect(Buffer.byteLength(chunk)).to.be.at.most(4_096);
    }
    expect(written.length).to.be.below(20);
    const messages = written.join('').trimEnd().split('\n');
    expect(messages.map((line) => JSON.parse(line).msg)).to.deep.equal([
      ...texts,
      'long '.repeat(2_000),
      'end',
    ]);
  });

  for (const end of ['signal', 'exception', 'rejection', 'exit']) {
    it(`are all there when a process ends by ${end}`, async () => {
      expect(await linesOf(end)).to.deep.equal(hundred);
    });
  }

  it('are written too when they come while a process exits', async () => {
    expect(await linesOf('after exit')).to.deep.equal([...hundred, 101]);
  });
});
