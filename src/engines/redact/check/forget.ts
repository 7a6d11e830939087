import { closePdfJs } from './page/pdfjs.ts';
import { forgetClaim } from './report.ts';

/** Forgets the values of the last report and the last file: called between projects. */
export function forgetChecked(): void {
  forgetClaim();
  closePdfJs();
}
