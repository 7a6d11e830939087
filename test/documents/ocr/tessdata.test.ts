import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  availableLanguages,
  checkLanguages,
  findTessdata,
} from '@scriptorium/documents/ocr/tessdata';
import { EngineError } from '@scriptorium/sandbox/errors';
import { expect } from 'chai';

describe('trained data', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tessdata-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is found in packages if no folder is given, including page orientation', () => {
    const found = findTessdata();
    expect(availableLanguages(found)).to.include('eng');
    expect(found).to.have.property('osd');
  });

  it('is taken from the given folders first', async () => {
    const path = join(folder, 'eng.traineddata');
    await writeFile(path, 'model');
    await writeFile(join(folder, 'deu_frak.traineddata.gz'), 'model');
    await writeFile(join(folder, '..traineddata'), 'no language');
    const found = findTessdata({ dirs: [join(folder, 'absent'), folder] });
    expect(found.eng).to.equal(path);
    expect(availableLanguages(found)).to.include('deu_frak').and.not.include('osd');
    expect(Object.keys(found)).not.to.include('.');
  });

  it('is rejected by name if missing or malformed', () => {
    const found = { eng: '/models/eng.traineddata', osd: '/models/osd.traineddata' };
    expect(() => checkLanguages(['eng'], found)).not.to.throw();
    const refusal = (languages: string[]): string => {
      try {
        checkLanguages(languages, found);
        return 'accepted';
      } catch (error) {
        return error instanceof EngineError ? error.code : 'other';
      }
    };
    expect(refusal(['fra'])).to.equal('language_unavailable');
    expect(refusal(['osd'])).to.equal('language_unavailable');
    expect(refusal(['constructor'])).to.equal('invalid_argument');
    expect(refusal(['../../etc/passwd'])).to.equal('invalid_argument');
    expect(refusal(['eng', 'eng', 'eng', 'eng', 'eng', 'eng'])).to.equal('invalid_argument');
  });
});
