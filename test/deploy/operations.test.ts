import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseCommandLine } from '../../src/admin/command.ts';
import { commands } from '../../src/admin/index.ts';
import { stuckReasons } from '../../src/outbox/stuck-queries.ts';
import { commandsOf } from '../support/page-commands.ts';
import { checkout, run } from '../support/run.ts';

describe('docs/operations.md', () => {
  const read = (path: string): Promise<string> => readFile(join(checkout, path), 'utf8');

  it('contains only commands and options that exist', async () => {
    const text = await read('docs/operations.md');
    const blocks = [...(await commandsOf('docs/operations.md')).values()].flat().join('\n');
    const inLines = [...text.matchAll(/`(admin [^`]*)`/g)].map(([, line]) => line!);
    const inBlocks = blocks.split('\n').filter((line) => line.startsWith('admin '));
    expect(inBlocks.length).to.be.greaterThan(6);
    for (const line of [...inLines, ...inBlocks]) {
      const words = line
        .replaceAll('"', '')
        .replace(/ +#.*$/, '')
        .split(' ')
        .slice(1);
      if (words[0] === 'help') continue;
      // Inline code has the command only; a block also has its arguments.
      const whole = inBlocks.includes(line);
      const known = commands.find(({ name }) => words.join(' ').startsWith(name));
      expect(known?.name, line).to.be.a('string');
      if (whole) expect(parseCommandLine(commands, words), line).to.have.property('command', known);
    }
  });

  it('has shell blocks without syntax errors', async () => {
    for (const [heading, blocks] of await commandsOf('docs/operations.md')) {
      for (const block of blocks) {
        const { code, stderr } = await run('bash', ['-n', '-c', block]);
        expect(code, `${heading}: ${stderr}`).to.equal(0);
      }
    }
  });

  it('refers to files and reasons that exist', async () => {
    const text = await read('docs/operations.md');
    for (const [, path] of text.matchAll(/`(test\/[\w./-]+)`/g)) await read(path!);
    for (const reason of ['crashed', 'gave_up_next'] as const) {
      expect(stuckReasons).to.have.property(reason);
      expect(text).to.include(`\`${reason}\``);
    }
  });

  it('refers to settings that are in docs/configuration.md', async () => {
    const [text, settings] = [
      await read('docs/operations.md'),
      await read('docs/configuration.md'),
    ];
    for (const [, name] of text.matchAll(/`(OTEL_\w+|[A-Z]+_KEY|WORKER_SLOTS|LOG_LEVEL)`/g)) {
      expect(settings).to.include(`\`${name}\``);
    }
  });
});
