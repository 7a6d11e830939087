import { expect } from 'chai';
import {
  displayedNumber,
  searchableNumber,
} from '../../../packages/documents/src/files/number-formats.ts';

describe('number formats of workbooks', () => {
  it('shows numbers as their cells do, and dates in ISO 8601', () => {
    const cases: [string, string, string][] = [
      ['0.30000000000000004', 'General', '0.3'],
      ['1234567.891', '#,##0.00', '1,234,567.89'],
      ['-5', '#,##0;(#,##0)', '(5)'],
      ['-5.5', '0.0', '-5.5'],
      ['0', '0;-0;"none"', 'none'],
      ['0.256', '0%', '26%'],
      ['1234.5', '"$"#,##0.00', '$1,234.50'],
      ['1234.5', '#,##0.00\\ [$€-407]', '1,234.50 €'],
      ['99', '_-* #,##0.00 "kr"_-', '99.00 kr'],
      ['7', '000', '007'],
      ['12345', '0.00E+00', '1.23E+04'],
      ['45292.5', 'dd.mm.yyyy hh:mm', '2024-01-01 12:00'],
      ['0.75', 'h:mm AM/PM', '18:00'],
      ['1.5', '[h]:mm:ss', '36:00:00'],
      ['45292', '[$-409]mmmm\\ yyyy', '2024-01'],
      ['5', '[Red]0', '5'],
      ['2500000', '0.0,,"M"', '2.5M'],
      ['x', '0', 'x'],
      ['1234.5', '[$€-407] #,##0.00', '€ 1,234.50'],
      ['123456789', '000-00-0000', '123-45-6789'],
      ['5', '[>10]"big";"small" 0', 'small 5'],
      ['7', '_(* #,##0.00_)', '7.00'],
      ['0.125', '# ?/?', '0.125'],
      ['44000.5', 'm/d/yy h:mm', '2020-06-18 12:00'],
      ['44000', '[$-407]d. mmmm yyyy', '2020-06-18'],
      ['3', ';;;', '3'],
      ['1.5', 'not "a format', '1.5'],
    ];
    for (const [raw, code, expected] of cases)
      expect(displayedNumber(raw, code, false), code).to.equal(expected);
    expect(displayedNumber('0', 'yyyy-mm-dd', true)).to.equal('1904-01-01');
  });

  it('searches identifiers as their cells show them', () => {
    const cases: [string, string, string][] = [
      ['78051120', '000\\-00\\-0000', '078-05-1120'],
      ['78051120', '000-00-0000', '078-05-1120'],
      ['-78051120', '000-00-0000;[Red]000-00-0000', '078-05-1120'],
      ['78051120', '000000000', '078051120'],
      ['78051120', '"SSN "000-00-0000', 'SSN 078-05-1120'],
      ['78051120', '"SSN: "000-00-0000_)', 'SSN: 078-05-1120'],
      ['78051120', '[<=999999999]000-00-0000;00-0000000', '078-05-1120'],
      ['2125550142', '[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '(212) 555-0142'],
      ['5550142', '[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '555-0142'],
      ['15112345678', '"+49 "0', '+49 15112345678'],
      ['1234567890', '0#" "##" "##" "##" "##', '12 34 56 78 90'],
      ['123456789', '[Blue]0##" "##" "##" "##', '123 45 67 89'],
      ['12345678909', '000.000.000-00', '123.456.789-09'],
      ['12345678909', '000"."000"."000-00', '123.456.789-09'],
      ['12051980', '00/00/0000', '12/05/1980'],
      ['12051980', '00\\/00\\/0000', '12/05/1980'],
      ['89123456', '000/000000', '089/123456'],
      ['411111111111111', '0000 0000 0000 0000', '0411 1111 1111 1111'],
    ];
    for (const [raw, code, expected] of cases)
      expect(searchableNumber(raw, code, false), code).to.equal(expected);
  });

  it('searches other numbers in full', () => {
    const cases: [string, string, string][] = [
      ['4111111111111111', '0.00E+00', '4111111111111111'],
      ['4111111111111111', '#,##0', '4111111111111111'],
      ['4111111111111111', '#,##0\\ [$€-407]', '4111111111111111'],
      // Excel shows 15 digits; the file contains all of them.
      ['4111111111111111', '0000 0000 0000 0000', '4111111111111111'],
      ['4.111111111111111E15', 'General', '4111111111111111'],
      ['4111111111111111', '0.00', '4111111111111111'],
      ['4111111111111111', '0,,"M"', '4111111111111111'],
      ['4111111111111111', '"A"0', '4111111111111111'],
      ['4111111111111111', '0"kg"', '4111111111111111'],
      ['4111111111111111', '"12"0" 34"', '4111111111111111'],
      ['4111111111111111', ';;;', '4111111111111111'],
      ['4111111111111111', 'yyyy-mm-dd', '4111111111111111'],
      ['78051120', '# ?/?', '78051120'],
      ['78051120', '# 0/0', '78051120'],
      ['78051120', '0%', '78051120'],
      ['-78051120', '0', '-78051120'],
      ['12.50', '000-00', '12.5'],
      ['1e-7', 'General', '0.0000001'],
      ['29353', 'General', '29353'],
      ['29353', 'nn', '29353'],
      ['x', '0', 'x'],
      [' ', 'yyyy', ' '],
    ];
    for (const [raw, code, expected] of cases)
      expect(searchableNumber(raw, code, false), code).to.equal(expected);
  });

  it('searches complete dates, whichever parts of them a cell shows', () => {
    const codes = [
      'yyyy-mm-dd',
      'd/m/yy',
      'mmm yy',
      'dddd',
      'yyyy',
      'mmm',
      'mm/dd',
      '[$-407]d. mmmm yyyy;@',
      '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy',
      '[$-x-sysdate]dddd, mmmm dd, yyyy',
      // Eras: S55.5.12, 昭和55年5月12日, 55; Buddhist: 2523.
      'ge.m.d',
      '[$-411]ggge"年"m"月"d"日";@',
      'e',
      'b1yyyy',
      '[$-D07041E]d mmmm yyyy',
      'aaaa',
      'dd.mm.yyyy" г."',
      'yyyy/m/d;;;',
      ';;;yyyy',
      '[<1000]0;yyyy-mm-dd',
      'h:mm',
      // Rejected by the library, shown by Excel and LibreOffice.
      '[ENG][$-409]d\\-mmm\\-yy',
      '[~buddhist]d/m/yyyy',
    ];
    for (const code of codes)
      expect(searchableNumber('29353', code, false), code).to.equal('1980-05-12');
    expect(searchableNumber('27891', 'd.m.yy', true)).to.equal('1980-05-12');
    expect(searchableNumber('29353.75', 'd.m.yy', false)).to.equal('1980-05-12 18:00');
    expect(searchableNumber('29353.75', 'h:mm', false)).to.equal('1980-05-12 18:00');
    expect(searchableNumber('0.75', 'h:mm AM/PM', false)).to.equal('18:00');
    expect(searchableNumber('1.5', '[h]:mm', false)).to.equal('36:00');
  });
});
