import type { PartRule } from '../package/copy-parts.ts';

const wordContentType = (name: string): string =>
  `application/vnd.openxmlformats-officedocument.wordprocessingml.${name}+xml`;

/**
 * The parts of a document that are kept. Comments, people, macros, objects, custom XML, properties
 * and fonts are dropped.
 */
export const docxParts: Readonly<Record<string, PartRule>> = {
  officeDocument: {
    name: 'word/document.xml',
    contentType: wordContentType('document.main'),
    root: 'document',
  },
  styles: { name: 'word/styles.xml', contentType: wordContentType('styles'), root: 'styles' },
  settings: {
    name: 'word/settings.xml',
    contentType: wordContentType('settings'),
    root: 'settings',
  },
  numbering: {
    name: 'word/numbering.xml',
    contentType: wordContentType('numbering'),
    root: 'numbering',
  },
  fontTable: {
    name: 'word/fontTable.xml',
    contentType: wordContentType('fontTable'),
    root: 'fonts',
  },
  header: { name: 'word/header#.xml', contentType: wordContentType('header'), root: 'hdr' },
  footer: { name: 'word/footer#.xml', contentType: wordContentType('footer'), root: 'ftr' },
  footnotes: {
    name: 'word/footnotes.xml',
    contentType: wordContentType('footnotes'),
    root: 'footnotes',
  },
  endnotes: {
    name: 'word/endnotes.xml',
    contentType: wordContentType('endnotes'),
    root: 'endnotes',
  },
  theme: {
    name: 'word/theme/theme#.xml',
    contentType: 'application/vnd.openxmlformats-officedocument.theme+xml',
    root: 'theme',
  },
  chart: {
    name: 'word/charts/chart#.xml',
    contentType: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
    root: 'chartSpace',
  },
};

/**
 * Content types of main parts that can be read: documents and templates, with or without macros.
 */
export const docxMainTypes = [
  wordContentType('document.main'),
  wordContentType('template.main'),
  'application/vnd.ms-word.document.macroenabled.main+xml',
  'application/vnd.ms-word.template.macroenabledtemplate.main+xml',
];

/** Settings that are kept because they affect the layout of pages. */
export const keptSettings = new Set(
  `zoom mirrorMargins defaultTabStop autoHyphenation consecutiveHyphenLimit hyphenationZone
   evenAndOddHeaders bookFoldPrinting drawingGridHorizontalSpacing drawingGridVerticalSpacing
   characterSpacingControl footnotePr endnotePr compat mathPr themeFontLang clrSchemeMapping
   decimalSymbol listSeparator displayBackgroundShape gutterAtTop borderSurroundHeader
   borderSurroundFooter noLineBreaksAfter noLineBreaksBefore`.split(/\s+/),
);
