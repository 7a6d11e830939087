import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import { contentWidth, found, margin, type Sheet, softInk } from './sheet.ts';

type FirstPage = NonNullable<Certificate['certificate']['first_page']>;

const gap = 24;
const maxHeight = 250;

/**
 * Draws the first page before and after the redaction. Both pictures are made from the redacted
 * page: certificates are handed to people who may not see what was removed, and even a small picture
 * of the original could be read. "Before" therefore covers each place where something was found.
 */
export async function drawFirstPage(
  sheet: Sheet,
  png: Uint8Array,
  firstPage: FirstPage | null,
): Promise<void> {
  const picture = await sheet.document.embedPng(png);
  const maxWidth = (contentWidth - gap) / 2;
  const scale = Math.min(maxWidth / picture.width, maxHeight / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  sheet.space(14);
  sheet.reserve(height + 30);
  const top = sheet.y;
  const after = { x: firstPage ? margin + maxWidth + gap : margin, top, width, height };
  if (firstPage) {
    const before = { ...after, x: margin };
    sheet.drawPicture(picture, before);
    for (const box of firstPage.boxes) coverPlace(sheet, before, firstPage, box);
  }
  sheet.drawPicture(picture, after);
  sheet.space(height + 14);
  const caption = { size: 8, colour: softInk };
  if (firstPage) sheet.draw('Page 1 before: what was found, covered', margin, sheet.y, caption);
  sheet.draw('Page 1 after: as redacted', after.x, sheet.y, caption);
  sheet.space(4);
}

function coverPlace(
  { page }: Sheet,
  picture: { x: number; top: number; width: number; height: number },
  { width: pageWidth, height: pageHeight }: FirstPage,
  [x = 0, y = 0, width = 0, height = 0]: readonly number[],
): void {
  const [across, down] = [picture.width / pageWidth, picture.height / pageHeight];
  page.drawRectangle({
    x: picture.x + x * across,
    y: picture.top - (y + height) * down,
    width: width * across,
    height: height * down,
    color: found,
  });
}
