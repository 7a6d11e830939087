import { forgetClaim } from './claim.ts';
import { forgetFonts } from './page/honest-fonts.ts';
import { closePdfJs } from './page/pdfjs.ts';

/** Forgets the values of the last report and the last file. Called between projects. */
export function forgetChecked(): void {
  forgetClaim();
  closePdfJs();
  forgetFonts();
}
