import { forgetClaim } from './claim.ts';
import { closePdfJs } from './page/pdfjs.ts';
import { forgetFonts } from './page/trusted-fonts.ts';

/** Forgets the values of the last report and the last file. Called between projects. */
export function forgetCheckedFile(): void {
  forgetClaim();
  closePdfJs();
  forgetFonts();
}
