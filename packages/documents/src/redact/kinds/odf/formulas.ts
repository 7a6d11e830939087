/** Whether a formula reads other files or runs code. */
export const isForeign = (formula: string): boolean =>
  /'[a-z]+:\/\/|#\$|\b(?:DDE|WEBSERVICE|INFO|CELL|STYLE|HYPERLINK)\(|\|/i.test(formula);

/**
 * Returns a formula (OpenFormula, ODF 1.3 part 4) with references in the syntax of Excel:
 * `of:=[.A1]+[$Rates.B2]` becomes `A1+Rates!B2`.
 */
export const inExcelSyntax = (formula: string): string =>
  formula
    .replace(/^\w*:?=/, '')
    .replace(/"(?:[^"]|"")*"|\[((?:'(?:[^']|'')*'|[^\]'])*)\]/g, (whole, reference?: string) =>
      reference === undefined
        ? whole
        : reference
            .split(/:(?=\$?['.\p{L}])/u)
            .map(cellOf)
            .join(':'),
    );

function cellOf(reference: string): string {
  const [, sheet = '', cell = ''] = /^\$?((?:'(?:[^']|'')*'|[^'.]*)?)\.(.*)$/.exec(reference) ?? [];
  return sheet === '' ? cell || reference : `${sheet}!${cell}`;
}
