import { resolve } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { extension } from '../src/embedded/programs.ts';
import { gatherLines } from '../src/log-lines.ts';
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
  const open = () => {
    const written: string[] = [];
    const logger = pino({ base: null }, gatherLines({ write: (text) => written.push(text) }));
    return { written, logger };
  };

  it('are written together, in order', async () => {
    const { written, logger } = open();
    for (let line = 0; line < 5; line++) logger.info({ line });
    expect(written).to.have.length(0);
    await eventually(async () => written.length > 0);
    const [text, ...others] = written;
    expect(others).to.have.length(0);
    const lines = text!.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).line)).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('are written at once from a warning on, with those before it', () => {
    const { written, logger } = open();
    logger.info('first');
    logger.warn('second');
    expect(written.join('')).to.match(/first.*\n.*second.*\n$/);
    logger.error('third');
    expect(written).to.have.length(2);
  });

  it('are never cut, and never more at once than a pipe takes in one piece', () => {
    const { written, logger } = open();
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
