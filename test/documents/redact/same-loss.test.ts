import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engines } from '@scriptorium/documents';
import { readPlans, writePlans } from '@scriptorium/documents/redact/contract/plan-file';
import { createDetector } from '@scriptorium/pii';
import type { CustomPattern } from '@scriptorium/pii/finding';
import { expect } from 'chai';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { docx, paragraph, run } from '../../support/office.ts';
import { redactBytes } from '../../support/redact-kinds.ts';
import { bornDigitalPdf } from '../../support/samples.ts';

const lines = [
  'Dear Mara Kleinhoevel, we met Rose Stone in Leeds.',
  'The stone wall was built in May. Stone walls last long.',
  'Kleinhoevel signed as M. Kleinhoevel. It is Maras copy.',
  'We asked Mara whether Ms Stone agreed, and',
  'the letter that Stone sent in May was lost.',
];
const people = ['Mara Kleinhoevel', 'Rose Stone'];

/** Words that are left, without the marks. */
const wordsOf = (text: string): string[] =>
  text.replace(/\[[A-Z0-9_]+\]/g, ' ').match(/\p{L}+/gu) ?? [];

describe('a PDF and a DOCX of the same text', () => {
  let engines: Engines;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'same-loss-'));
    engines = sharedEngines();
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** The text of a PDF of one page without what is planned to be removed. */
  async function planned(bytes: Uint8Array, customPatterns: CustomPattern[]): Promise<string> {
    const [path, pageFile, plansFile, outPath] = ['pdf', 'page', 'plans', 'spread'].map((name) =>
      join(folder, name),
    ) as [string, string, string, string];
    const source = { path, mime: 'application/pdf', page: 1 };
    await writeFile(path, bytes);
    await writeFile(pageFile, JSON.stringify(await engines.recognisePage(source, callOptions)));
    const options = { entities: [], minConfidence: 0, customPatterns, allowList: [] };
    const plan = await engines.findPage({ ...source, pageFile, options }, callOptions);
    const removals = plan.removals.map((one) => ({ ...one, type: 'PERSON' as const }));
    await writePlans(plansFile, [{ state: 'planned', ...plan, removals }]);
    await engines.spreadValues({ plansFile, outPath }, callOptions);
    const [spread] = await readPlans(outPath);
    return spread?.state === 'planned' ? spread.redactedText : '';
  }

  it('lose the same words', async () => {
    const patterns = people.map((pattern, at) => ({
      name: `P${at}`,
      pattern,
      case_sensitive: true,
    }));
    const byPattern = createDetector({
      entities: [],
      minConfidence: 0,
      customPatterns: patterns,
      allowList: [],
    });
    const asPeople = (text: string) =>
      byPattern(text).map((one) => ({ ...one, type: 'PERSON' as const }));
    const file = await redactBytes(
      'docx',
      docx(lines.map((line) => paragraph(run(line))).join('')),
      asPeople,
      { style: 'blackbox' },
    );
    const found = await planned(await bornDigitalPdf([lines]), patterns);
    const left = wordsOf(found);
    expect(left).to.deep.equal(wordsOf(file.result.pages.join('\n')));
    expect(left.join(' '))
      .to.include('The stone wall was built in May Stone walls last long')
      .and.not.match(/Kleinhoevel|Mara|Rose|Ms Stone|that Stone/);
  });
});
