import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { families, makeCorpus, makeFile } from '../../support/corpus/index.ts';
import { makePairs } from '../../support/corpus/pairs.ts';
import { readWithoutTools } from '../../support/corpus/read-pdf.ts';
import { findLeaks } from '../../support/corpus/reading.ts';
import { SecretSource } from '../../support/corpus/secrets.ts';

/** What can be read as text or bytes, unlike pictures and paths. */
const inPictures = /^(scan,|scan turned|picture|.* part of a picture$|letters drawn)/;

describe('the redaction corpus', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('is large enough to draw conclusions from', () => {
    expect(families.reduce((sum, { count }) => sum + count, 0)).to.be.at.least(220);
  });

  it('is the same in every run', async () => {
    for (const name of ['runs', 'forms', 'type3', 'scans', 'revisions']) {
      const family = families.find((one) => one.name === name)!;
      const [a, b] = await Promise.all([1, 2].map(() => makeFile(family, 1, new SecretSource(5))));
      expect(a?.pdf.equals(b!.pdf), name).to.equal(true);
    }
  });

  it('plants distinct secrets that are visible before redaction', async () => {
    const values = new Set<string>();
    const unseen: string[] = [];
    let secrets = 0;
    for await (const file of makeCorpus({ max: 1 })) {
      const path = join(folder, `${file.name}.pdf`);
      await writeFile(path, file.pdf);
      const seen = new Set(
        findLeaks(await readWithoutTools(path), file.secrets).map((one) => one.secret),
      );
      for (const secret of file.secrets) {
        secrets += 1;
        values.add(secret.value);
        if (!seen.has(secret) && !inPictures.test(secret.channel)) {
          unseen.push(`${file.name}: ${secret.channel}`);
        }
      }
      expect(file.secrets, file.name).to.have.lengthOf.at.least(2);
    }
    expect(unseen).to.deep.equal([]);
    expect(values.size).to.equal(secrets);
  });

  it('makes pairs that differ only in their secrets', async () => {
    for await (const { name, files } of makePairs(1)) {
      const [a, b] = files;
      expect(a?.pdf.equals(b!.pdf), name).to.equal(false);
      expect(a?.secrets.length, name).to.equal(b?.secrets.length);
      expect(a?.secrets.map(({ type }) => type)).to.deep.equal(b?.secrets.map(({ type }) => type));
    }
  });
});
