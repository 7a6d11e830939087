import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { tricks } from '../../lab/adversary/generate.ts';
import { findSightings } from '../../lab/adversary/judge/match.ts';
import { provideTools } from '../../lab/adversary/judge/tools.ts';
import { runAdversary } from '../../lab/adversary/run.ts';
import type { PlantedSecret } from '../support/corpus/index.ts';
import type { Reading } from '../support/corpus/reading.ts';
import { checkout } from '../support/run.ts';

const secret = (value: string): PlantedSecret => ({
  type: 'US_SSN',
  channel: 'test',
  page: 1,
  codes: [],
  findable: true,
  value,
});
const shown = (text: string): Reading[] => [{ by: 'test', text, kind: 'picture' }];
const seen = (text: string, ...values: string[]): string[] =>
  findSightings(shown(text), values.map(secret)).map(
    ({ secret: { value }, isWhole }) => `${value} ${isWhole ? 'whole' : 'in part'}`,
  );

describe('the judge of redactions', () => {
  it('finds a value of which one letter was misread, lost or added', () => {
    const values = ['219-09-9999', 'Miriam Okafor'];
    const all = values.map((value) => `${value} whole`);
    expect(seen('SSN: 219-09-9999, Miriam Okafor', ...values)).to.deep.equal(all);
    expect(seen('SSN: 2I9-O9-9999, Miriarn Okafor', ...values)).to.deep.equal(all);
    expect(seen('SSN: 219-09-9399, Miri@m Okafor', ...values)).to.deep.equal(all);
    expect(seen('SSN: 219-09-999, Mirriam Okafor', ...values)).to.deep.equal(all);
    expect(seen('SSN: 2 1 9 0 9\n9 9 9 9 Miriam\nOkafor', ...values)).to.deep.equal(all);
  });

  it('finds a part of a value', () => {
    expect(seen('and 4111 1111 is left', '4111 1111 1111 1111')).to.deep.equal([
      '4111 1111 1111 1111 in part',
    ]);
  });

  it('finds no value in others', () => {
    const values = ['219-09-9999', 'Miriam Okafor', '4000 1234 5678 9017'];
    expect(seen('SSN: 218-08-9899, Marian Oakford, 4000 9876', ...values)).to.deep.equal([]);
    expect(seen('mirror\nE-mail: above', 'miriam.okafor@sycamoremail.net')).to.deep.equal([]);
    expect(seen('██████████ [PERSON] Telephone: window garden', ...values)).to.deep.equal([]);
  });

  it('shares no code with the engines', async () => {
    const reached = new Set([join(checkout, 'lab/adversary/judge/judge.ts')]);
    const packages = new Set<string>();
    for (const file of reached) {
      const text = await readFile(file, 'utf8');
      for (const [, names, to = ''] of text.matchAll(
        /^(?:import|export)\s([^;]*?)from\s'((?:\.|@scriptorium\/)[^']+)';/gms,
      )) {
        if (names!.startsWith('type ')) continue;
        if (to.startsWith('.')) reached.add(join(dirname(file), to));
        else packages.add(to.split('/')[1]!);
      }
    }
    const files = [...reached].map((file) => relative(checkout, file));
    expect(files).to.include.members(['lab/bench/support/redaction/judges.ts']);
    expect(files.filter((file) => file.startsWith('packages/'))).to.deep.equal([]);
    expect([...packages].filter((name) => name !== 'contracts')).to.deep.equal([]);
  });

  it('reads what was planted in files that nothing was removed from', async function () {
    const { isUnusable: isBlind } = await provideTools();
    if (isBlind) this.skip();
    // What only LibreOffice shows is left to the longer run.
    const shownBy = [
      'font shifted cid',
      'font program swapped',
      'font type3 misnamed',
      'pattern of letters',
      'pictures of 9 pixels',
      'letters of rectangles',
      'text layer lies 1',
      'stamp shows',
      'png white on clear',
      'png black without alpha',
      'webp second frame',
      'tiff second page',
      'png frame of the animation alone',
      'jpeg thumbnail differs',
      'jpeg orientation 6',
      'docx deleted text',
      'docx embedded workbook',
      'xlsx text in a formula',
      'xlsx letters joined by a formula',
      'html drawing as data',
      'csv cells',
    ];
    expect(shownBy.filter((name) => !tricks.some((trick) => trick.name === name))).to.deep.equal(
      [],
    );
    const verdicts = await runAdversary({
      seed: 5,
      files: shownBy.length,
      sabotage: true,
      twins: 'none',
      only: (name) => shownBy.includes(name),
    });
    const unseen = verdicts.filter(({ leaks: left, planted }) => left.length < planted);
    expect(
      unseen.map(({ trick, leaks: left, planted }) => `${trick}: ${left.length} of ${planted}`),
    ).to.deep.equal([]);
    expect(verdicts).to.have.length(shownBy.length);
  });
});
