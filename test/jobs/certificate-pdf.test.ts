import { checkInWords, isDescribedCheck } from '@scriptorium/contracts/certificates/words';
import { expect } from 'chai';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { certificatePdf } from '../../src/jobs/certificates/pdf/index.ts';
import { rasterOf, textOf } from '../support/samples.ts';
import { certificateFor, createKey, signWith } from '../support/signed-certificates.ts';

const verifyUrl = 'https://files.example.com/verify?project=prj_00000000000000000000000001';
const setting = { filename: null, firstPage: null, verifyUrl };
const contents = certificateFor(Buffer.from('output'), Buffer.from('source'));

describe('the PDF of a certificate', () => {
  it('says in words what was removed, checked and reviewed, with names, roles and times', async () => {
    const signed = signWith(createKey(), { ...contents, rejected_by_type: { LOCATION: 2 } });
    const pdf = await certificatePdf(signed, { ...setting, filename: 'Letter.redacted.pdf' });
    const text = (await textOf(pdf)).join('\n');
    for (const expected of [
      'Letter.redacted.pdf',
      'Redacted 30 November 2026, 20:11:05 UTC',
      'All 2 checks passed.',
      'Not removed',
      'Countries, regions, cities',
      '3 places',
      'Names of people',
      'Ada Okafor, reviewer',
      'The stored bytes of the file were searched for every removed value. None was found.',
      contents.outputs[0]!.sha256,
      signed.signature.key_id,
    ]) {
      expect(text).to.include(expected);
    }
  });

  it('shows the first page twice, with the found places covered on the first picture', async () => {
    const white = { create: { width: 210, height: 297, channels: 3, background: '#fff' } } as const;
    const firstPage = await sharp(white).png().toBuffer();
    const pdf = await certificatePdf(signWith(createKey(), contents), { ...setting, firstPage });
    expect((await textOf(pdf))[0])
      .to.include('Page 1 before')
      .and.include('Page 1 after');
    const { data, width } = await rasterOf(pdf, 1, 72);
    const yellow = Array.from({ length: data.length / 3 }, (_, pixel) => pixel).filter(
      (pixel) => data[3 * pixel]! > 200 && data[3 * pixel + 2]! < 100,
    );
    expect(yellow.length).to.be.greaterThan(100);
    expect(yellow.every((pixel) => pixel % width < width / 2)).to.equal(true);
  });

  it('prints names in other scripts, and marks characters that its font lacks', async () => {
    const names = ['Łucja Müller-Ünal', 'Дмитрий Ковалёв', 'Αγγελική Νικολάου', 'Անի'];
    const reviewed = {
      ...contents.reviewed!,
      by: [...names, '山田'].map((name) => ({ type: 'user', id: 'usr_1', name, role: 'admin' })),
    };
    const signed = signWith(createKey(), { ...contents, reviewed });
    const text = (await textOf(await certificatePdf(signed, setting))).join('\n');
    for (const name of names) expect(text).to.include(`${name}, admin`);
    expect(text).to.include('□□, admin').and.to.include('The attached file has it.');
  });

  it('has the signature as a QR code that leads to the page that verifies it', async () => {
    const signed = signWith(createKey(), contents);
    const pdf = await certificatePdf(signed, setting);
    const pages = await textOf(pdf);
    const page = pages.findIndex((text) => text.includes('Signature')) + 1;
    const { data, width, height } = await rasterOf(pdf, page, 150);
    const picture = sharp(data, { raw: { width, height, channels: 3 } }).ensureAlpha();
    const link = decodeQr({ width, height, data: await picture.raw().toBuffer() });
    const { value } = signed.signature;
    expect(link).to.equal(`${verifyUrl}#${Buffer.from(value, 'base64').toString('base64url')}`);
  });

  it('continues long lists on further pages', async () => {
    const checks = Array.from({ length: 120 }, (_, at) => ({
      name: `check_${at}`,
      passed: at !== 7,
      detail: `Detail ${at} `.repeat(12),
      pages: [],
    }));
    const result = { ...contents.result, checks };
    const pages = await textOf(
      await certificatePdf(signWith(createKey(), { ...contents, result }), setting),
    );
    expect(pages.length).to.be.greaterThan(4);
    const text = pages.join('\n');
    expect(text).to.include('The check “check_119” passed.').and.include('“check_7” did not pass.');
    expect(text).to.include(`page ${pages.length} of ${pages.length}`);
  });
});

describe('checks in words', () => {
  it('are sentences without the name of the check', () => {
    const check = { name: 'occlusion', passed: true, detail: 'No regions.', pages: [] };
    expect(checkInWords(check).text).to.match(/^Nothing lies beneath the boxes/);
    expect(isDescribedCheck('occlusion')).to.equal(true);
    const failed = checkInWords({ ...check, passed: false });
    expect(failed.text).to.equal('The check “occlusion” did not pass.');
  });
});
