import type { PartRule } from '../package/copy-parts.ts';

const sheetContentType = (name: string): string =>
  `application/vnd.openxmlformats-officedocument.spreadsheetml.${name}+xml`;

/**
 * The parts of a workbook that are kept. Comments, pivot tables, queries, links, macros and
 * properties are dropped.
 */
export const xlsxParts: Readonly<Record<string, PartRule>> = {
  officeDocument: {
    name: 'xl/workbook.xml',
    contentType: sheetContentType('sheet.main'),
    root: 'workbook',
  },
  worksheet: {
    name: 'xl/worksheets/sheet#.xml',
    contentType: sheetContentType('worksheet'),
    root: 'worksheet',
  },
  chartsheet: {
    name: 'xl/chartsheets/sheet#.xml',
    contentType: sheetContentType('chartsheet'),
    root: 'chartsheet',
  },
  styles: { name: 'xl/styles.xml', contentType: sheetContentType('styles'), root: 'styleSheet' },
  table: { name: 'xl/tables/table#.xml', contentType: sheetContentType('table'), root: 'table' },
  theme: {
    name: 'xl/theme/theme#.xml',
    contentType: 'application/vnd.openxmlformats-officedocument.theme+xml',
    root: 'theme',
  },
  drawing: {
    name: 'xl/drawings/drawing#.xml',
    contentType: 'application/vnd.openxmlformats-officedocument.drawing+xml',
    root: 'wsDr',
  },
  chart: {
    name: 'xl/charts/chart#.xml',
    contentType: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
    root: 'chartSpace',
  },
};

/**
 * Content types of main parts that can be read: workbooks and templates, with or without macros.
 */
export const xlsxMainTypes = [
  sheetContentType('sheet.main'),
  sheetContentType('template.main'),
  'application/vnd.ms-excel.sheet.macroenabled.main+xml',
  'application/vnd.ms-excel.template.macroenabled.main+xml',
];

/**
 * The children of the root that are kept, by kind of part. All children of other kinds are kept.
 */
export const keptChildren: Readonly<Record<string, ReadonlySet<string>>> = {
  officeDocument: new Set('workbookPr bookViews sheets definedNames calcPr'.split(' ')),
  worksheet: new Set(
    `sheetPr dimension sheetViews sheetFormatPr cols sheetData autoFilter mergeCells
     conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter
     rowBreaks colBreaks ignoredErrors drawing tableParts`.split(/\s+/),
  ),
  chartsheet: new Set('sheetPr sheetViews pageMargins pageSetup headerFooter drawing'.split(' ')),
  table: new Set('autoFilter tableColumns tableStyleInfo'.split(' ')),
};
