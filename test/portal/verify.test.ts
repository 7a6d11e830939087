import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { type TestApi, useSharedApi } from '../support/api.ts';
import { seriousFindingsInThemes } from '../support/axe.ts';
import { describeInBrowser, openTab, startBrowser, type Tab } from '../support/browser.ts';
import { bornDigitalPdf } from '../support/samples.ts';
import {
  certificateFor,
  createKey,
  signWith,
  type TestKey,
} from '../support/signed-certificates.ts';

/** A file to choose, from memory. */
const fileOf = (name: string, content: Uint8Array | string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

describeInBrowser('the page that verifies certificates', () => {
  let api: TestApi;
  let key: TestKey;
  let output: Buffer;
  let signed: Certificate;
  before(async () => {
    api = await useSharedApi();
    key = createKey();
    await api.rows('DELETE FROM certificate_key WHERE project_id = $1', [api.projectId]);
    await api.rows(
      `INSERT INTO certificate_key (project_id, id, public_key, private_key)
       VALUES ($1, $2, $3, 'sealed')`,
      [api.projectId, key.id, key.publicKey],
    );
    output = await bornDigitalPdf([['Dear PERSON,']]);
    const contents = certificateFor(output, await bornDigitalPdf([['Dear Mara,']]));
    signed = signWith(key, { ...contents, project_id: api.projectId });
  });
  after(() => api.rows('DELETE FROM certificate_key WHERE project_id = $1', [api.projectId]));

  const certificateFile = (certificate: Certificate = signed) =>
    fileOf('certificate.json', JSON.stringify(certificate));
  const openPage = async (tab: Tab, query = `?project=${api.projectId}`): Promise<void> => {
    await tab.page.goto(`${api.url}/verify${query}`);
    await tab.page.getByRole('heading', { level: 1 }).waitFor();
  };
  const choose = (tab: Tab, ...files: ReturnType<typeof fileOf>[]): Promise<void> =>
    tab.page.getByLabel('Certificate and redacted file').setInputFiles(files);
  const expectVerdict = (tab: Tab, title: string): Promise<void> =>
    tab.page.getByRole('status').getByRole('heading', { name: title }).waitFor();

  it('confirms the certified file with the published key, and sends nothing once it is loaded', async () => {
    const tab = await openTab({ newProcess: true });
    await openPage(tab);
    const requests: string[] = [];
    tab.page.on('request', (request) => requests.push(request.url()));
    await choose(tab, certificateFile(), fileOf('letter.pdf', output));
    await expectVerdict(tab, 'Certified and unchanged');
    await tab.page.getByText('Names of people').waitFor();
    await tab.page.getByText('Ada Okafor, reviewer').waitFor();
    await tab.page.getByText(signed.certificate.outputs[0]!.sha256).first().waitFor();
    expect(requests).to.deep.equal([]);
    expect(tab.faults).to.deep.equal([]);
    // The policy of the page would also stop one.
    const sent = await tab.page.evaluate(
      "fetch(location.href).then(() => 'sent', () => 'stopped')",
    );
    expect(sent).to.equal('stopped');
  });

  it('reports what was changed', async () => {
    const tab = await openTab();
    await openPage(tab);
    const tampered = Buffer.from(output);
    tampered[100]! ^= 1;
    await choose(tab, certificateFile(), fileOf('letter.pdf', tampered));
    await expectVerdict(tab, 'Not the certified file');
    const forged = { ...signed, certificate: { ...signed.certificate, reviewed: null } };
    await choose(tab, certificateFile(forged), fileOf('letter.pdf', output));
    await expectVerdict(tab, 'The certificate was changed');
    await tab.page.getByText('Do not rely on these contents.').waitFor();
    await choose(tab, certificateFile(signWith(createKey(), signed.certificate)));
    await expectVerdict(tab, 'Signed with an unknown key');
    expect(tab.faults).to.deep.equal([]);
  });

  it('reads the certificate in its PDF, and says that its pages are not signed', async () => {
    const tab = await openTab();
    await openPage(tab);
    const document = await PDFDocument.create();
    document.addPage();
    await document.attach(Buffer.from(JSON.stringify(signed)), 'certificate.json');
    const pdf = fileOf('certificate.pdf', await document.save());
    await choose(tab, pdf);
    await expectVerdict(tab, 'The certificate is genuine');
    await tab.page.getByText('Only the file attached to this PDF is signed').waitFor();
    await choose(tab, fileOf('letter.pdf', output));
    await expectVerdict(tab, 'Certified and unchanged');
  });

  it('says that the signer is not confirmed without a published or entered key', async () => {
    const tab = await openTab();
    await openPage(tab, '');
    await choose(tab, certificateFile(), fileOf('letter.pdf', output));
    await expectVerdict(tab, 'Unchanged, but the signer is not confirmed');
    await tab.page.getByLabel(/Public key/).fill(key.publicKey);
    await expectVerdict(tab, 'Certified and unchanged');
    await tab.page.getByRole('link', { name: /Load the keys/ }).click();
    await tab.page.waitForURL(`**/verify?project=${api.projectId}`);
  });

  it('compares the signature in the link of a printed certificate', async () => {
    const tab = await openTab();
    const printed = signed.signature.value.replaceAll('+', '-').replaceAll('/', '_');
    await openPage(tab, `?project=${api.projectId}#${printed.replace(/=+$/, '')}`);
    await choose(tab, certificateFile());
    await tab.page.getByText(/printed certificate belongs to this certificate/).waitFor();
  });

  it('works as a copy without the service', async () => {
    const response = await fetch(`${api.url}/verify/offline.html?project=${api.projectId}`);
    expect(response.headers.get('content-disposition')).to.equal(
      'attachment; filename="verify.html"',
    );
    const folder = await mkdtemp(join(tmpdir(), 'verify-'));
    const context = await (await startBrowser()).newContext({ offline: true });
    try {
      await writeFile(join(folder, 'verify.html'), await response.text());
      const page = await context.newPage();
      await page.goto(`file://${join(folder, 'verify.html')}`);
      await page
        .getByLabel('Certificate and redacted file')
        .setInputFiles([certificateFile(), fileOf('letter.pdf', output)]);
      await page.getByRole('heading', { name: 'Certified and unchanged' }).waitFor();
      await page.getByText(/as saved in this copy on/).waitFor();
    } finally {
      await context.close();
      await rm(folder, { recursive: true });
    }
  });

  it('is accessible in both themes, and fits a phone', async () => {
    const tab = await openTab({ width: 390, height: 800 });
    await openPage(tab);
    expect(await seriousFindingsInThemes(tab.page)).to.deep.equal([]);
    await choose(tab, certificateFile(), fileOf('letter.pdf', output));
    await expectVerdict(tab, 'Certified and unchanged');
    expect(await seriousFindingsInThemes(tab.page)).to.deep.equal([]);
    const overflow = 'document.documentElement.scrollWidth - innerWidth';
    expect(await tab.page.evaluate(overflow)).to.equal(0);
  });

  it('shows names and other texts of a certificate as text', async () => {
    const tab = await openTab();
    await openPage(tab);
    const name = '<img src=x onerror="document.title=1">';
    const contents = { ...signed.certificate, reviewed: { ...signed.certificate.reviewed! } };
    contents.reviewed.by = [{ type: 'user', id: 'usr_1', name, role: 'reviewer' }];
    await choose(tab, certificateFile(signWith(key, contents)));
    await tab.page.getByText(name).waitFor();
    expect(await tab.page.title()).to.equal('Verify a certificate · Scriptorium');
    expect(tab.faults).to.deep.equal([]);
  });
});

describe('GET /verify', () => {
  let api: TestApi;
  before(async () => {
    api = await useSharedApi();
  });

  it('needs no key, and shows nothing but the public key of the project that is named', async () => {
    const pages = await Promise.all(
      ['', '?project=prj_00000000000000000000000000'].map(async (query) => {
        const response = await fetch(`${api.url}/verify${query}`);
        expect(response.status).to.equal(200);
        expect(response.headers.get('set-cookie')).to.equal(null);
        const policy = response.headers.get('content-security-policy')!;
        expect(policy).to.include("default-src 'none'").and.not.include('unsafe');
        const text = await response.text();
        return JSON.parse(/id="data">(.*?)<\/script>/.exec(text)![1]!);
      }),
    );
    expect(pages.map(({ published }) => published)).to.deep.equal([
      null,
      { projectId: 'prj_00000000000000000000000000', keys: [] },
    ]);
  });

  it('rejects what is not the identifier of a project, and other methods', async () => {
    for (const query of ['?project=', '?project=prj_1', '?project[]=a', '?project=a&project=b']) {
      const { status } = await fetch(`${api.url}/verify${query}`);
      expect(status, query).to.equal(query.includes('[]') ? 200 : 400);
    }
    expect((await fetch(`${api.url}/verify`, { method: 'POST' })).status).to.equal(405);
  });
});
