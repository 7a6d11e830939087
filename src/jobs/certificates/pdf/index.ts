import {
  checkInWords,
  countsInWords,
  decisionsInWords,
  resultInWords,
  reviewerInWords,
  timeInWords,
} from '@scriptorium/contracts/certificates/words';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import { AFRelationship, PDFDocument } from 'pdf-lib';
import encodeQr from 'qr';
import { drawFirstPage } from './first-page.ts';
import { badInk, goodInk, margin, Sheet, softInk } from './sheet.ts';

/** What the PDF shows besides the certificate. */
export interface CertificateContext {
  /** The name of the redacted file, in which removed values are replaced; null if it is unknown. */
  filename: string | null;
  /** The first page of the redacted file as PNG; null without one. */
  firstPage: Uint8Array | null;
  /** The address of the page that verifies certificates; null if it is unknown. */
  verifyUrl: string | null;
}

type Contents = Certificate['certificate'];

/**
 * A certificate for people, as PDF. The signed JSON is attached as `certificate.json`, which is the
 * file to verify. Shows nothing that was removed: the picture of the page before the redaction has
 * the found places covered.
 */
export async function certificatePdf(
  signed: Certificate,
  context: CertificateContext,
): Promise<Uint8Array> {
  const { certificate } = signed;
  const document = await PDFDocument.create({ updateMetadata: false });
  const finishedAt = new Date(certificate.finished_at);
  document.setTitle(`Certificate of redaction ${certificate.job_id}`, {
    showInWindowTitleBar: true,
  });
  document.setLanguage('en');
  document.setCreationDate(finishedAt);
  document.setModificationDate(finishedAt);
  const sheet = await Sheet.create(document);
  await writeTitle(sheet, certificate, context);
  writeRemoved(sheet, certificate);
  writeReview(sheet, certificate);
  writeChecks(sheet, certificate);
  writeFiles(sheet, certificate);
  writeSignature(sheet, signed, context.verifyUrl);
  if (sheet.lacksCharacters) {
    sheet.text(
      '□ stands for a character that this document cannot show. The attached file has it.',
      {
        colour: softInk,
        above: 10,
      },
    );
  }
  numberPages(document, sheet, certificate);
  await attach(document, signed, finishedAt);
  sheet.finish();
  return document.save();
}

async function writeTitle(
  sheet: Sheet,
  certificate: Contents,
  { filename, firstPage }: CertificateContext,
): Promise<void> {
  const output = certificate.outputs[0];
  sheet.text('Certificate of redaction', { size: 22, bold: true });
  sheet.text(filename ?? `Object ${output?.object_id ?? ''}`, { size: 13, above: 4 });
  sheet.text(`Redacted ${timeInWords(certificate.finished_at)}`, { colour: softInk, above: 2 });
  const passed = certificate.result.verified && certificate.state === 'succeeded';
  sheet.text(resultInWords(certificate), {
    bold: true,
    above: 6,
    colour: passed ? goodInk : badInk,
  });
  if (firstPage) await drawFirstPage(sheet, firstPage, certificate.first_page ?? null);
}

function writeRemoved(sheet: Sheet, { result, rejected_by_type: rejected }: Contents): void {
  const kept = countsInWords(rejected);
  if (kept.length > 0) {
    sheet.heading('Not removed');
    sheet.text('Reviewers rejected these findings, so they are still in the file:');
    writeCounts(sheet, kept);
  }
  sheet.heading('Removed');
  const removed = countsInWords(result.entities_by_type);
  writeCounts(sheet, removed);
  if (removed.length === 0) sheet.text('Nothing was found to remove.');
}

function writeCounts(sheet: Sheet, counts: ReturnType<typeof countsInWords>): void {
  for (const { kind, places } of counts) sheet.field(places, kind);
}

function writeReview(sheet: Sheet, { reviewed, requested_by: by, started_at }: Contents): void {
  sheet.heading('Review');
  sheet.field('Requested by', by.type === 'api_key' ? `API key ${by.id}` : (by.id ?? by.type));
  sheet.field('Started', timeInWords(started_at));
  if (!reviewed) {
    sheet.text('No person reviewed the findings.');
    return;
  }
  for (const reviewer of reviewed.by) sheet.field('Reviewed by', reviewerInWords(reviewer));
  sheet.field('Submitted', timeInWords(reviewed.at));
  sheet.field('Decisions', decisionsInWords(reviewed));
}

function writeChecks(sheet: Sheet, { result }: Contents): void {
  sheet.heading('Checks');
  for (const check of result.checks) {
    const { text, detail } = checkInWords(check);
    sheet.reserve(34);
    const [label, colour] = check.passed ? ['Passed', goodInk] : ['Failed', badInk];
    const labelStyle = { colour, bold: true, size: 8 };
    sheet.text(text, { indent: 52, above: 4, label, labelStyle });
    if (detail !== '') sheet.text(detail, { indent: 52, size: 8, colour: softInk });
  }
}

function writeFiles(
  sheet: Sheet,
  { source, outputs, project_id, job_id, engines }: Contents,
): void {
  sheet.heading('Files');
  const all = [['Original', source] as const, ...outputs.map((one) => ['Redacted', one] as const)];
  for (const [name, { object_id, mime, bytes, sha256 }] of all) {
    sheet.field(name, `${object_id}, ${mime}, ${pluralise(bytes, 'byte')}`);
    sheet.field('SHA-256', sha256, { size: 9 });
  }
  sheet.field('Project', project_id);
  sheet.field('Job', job_id);
  const versions = Object.entries(engines).map(([name, version]) => `${name} ${version}`);
  sheet.field('Programs', versions.join(', '));
}

const qrSize = 118;

function writeSignature(sheet: Sheet, { signature }: Certificate, verifyUrl: string | null): void {
  sheet.reserve(qrSize + 60);
  sheet.heading('Signature');
  const top = sheet.y;
  const indent = qrSize + 16;
  const value = signature.value.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  drawQr(sheet, `${verifyUrl ?? ''}#${value}`, top);
  sheet.text(
    'The attached file certificate.json is signed, not the pages of this document. To verify it, open it together with the redacted file on the page below, which sends nothing.',
    { indent },
  );
  if (verifyUrl) sheet.text(verifyUrl, { indent, above: 4, bold: true });
  sheet.text(`Key ${signature.key_id}, ${signature.algorithm}`, { indent, above: 4 });
  sheet.text(signature.value, { indent, size: 8, above: 2 });
  sheet.space(Math.max(0, qrSize - (top - sheet.y)));
}

/** Draws a QR code with its top left corner at the left margin. */
function drawQr(sheet: Sheet, text: string, top: number): void {
  const modules = encodeQr(text, 'raw', { ecc: 'medium', border: 1 });
  const size = qrSize / modules.length;
  for (const [row, dark] of modules.entries()) {
    for (const [column, isDark] of dark.entries()) {
      if (!isDark) continue;
      const [x, y] = [margin + column * size, top - (row + 1) * size];
      // Slightly larger, so that no gaps show between them.
      sheet.page.drawRectangle({ x, y, width: size + 0.05, height: size + 0.05 });
    }
  }
}

function numberPages(document: PDFDocument, sheet: Sheet, { job_id: jobId }: Contents): void {
  const pages = document.getPages();
  for (const [index, page] of pages.entries()) {
    const text = `Certificate of redaction · ${jobId} · page ${index + 1} of ${pages.length}`;
    sheet.drawOn(page, text, margin, 30, { size: 7.5, colour: softInk });
  }
}

async function attach(document: PDFDocument, signed: Certificate, at: Date): Promise<void> {
  await document.attach(Buffer.from(JSON.stringify(signed, null, 2)), 'certificate.json', {
    mimeType: 'application/json',
    description: 'The signed certificate',
    creationDate: at,
    modificationDate: at,
    afRelationship: AFRelationship.Data,
  });
}
