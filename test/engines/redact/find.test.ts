import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { createEngines, type Engines, type PagePlan } from '../../../src/engines/index.ts';
import { findTessdata } from '../../../src/engines/ocr/tessdata.ts';
import { createTesseract } from '../../../src/engines/ocr/tesseract.ts';
import type { Detector } from '../../../src/engines/pii/finding.ts';
import { findPage } from '../../../src/engines/redact/find/find-page.ts';
import { spreadValues } from '../../../src/engines/redact/find/spread.ts';
import { isPlannedPage } from '../../../src/engines/redact/results.ts';
import { closeSources } from '../../../src/engines/source.ts';
import { write } from '../../support/model.ts';
import {
  bornDigitalPdf,
  handmadePdf,
  imageOf,
  pageHeight,
  pageWidth,
  rasterOf,
  scannedPdf,
} from '../../support/samples.ts';

const call = { deadlineMs: 60_000, isolation: 'prj_test' };
const pdf = 'application/pdf';

/** Finds US social security numbers, and John Smith, whatever stands between the two. */
const detector: Detector = (text) =>
  [...text.matchAll(/\b\d{3}-\d{2}-\d{4}\b|\bJohn\s+Smith\b/g)].map(({ index, 0: value }) => ({
    type: value.startsWith('J') ? 'PERSON' : 'US_SSN',
    start: index,
    end: index + value.length,
    score: 0.9,
  }));

describe('finding what goes from a page', () => {
  let engines: Engines;
  let folder: string;
  let files = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'find-test-'));
    engines = createEngines({ processes: 1, memoryBytes: 2 ** 30, tmpDir: folder });
  });
  after(async () => {
    closeSources();
    await tesseract.close();
    await engines.close();
    await rm(folder, { recursive: true, force: true });
  });
});
