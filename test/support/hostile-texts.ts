/** Text that a stranger may put wherever there is a name; run, it would set `window.ran`. */
export const hostileTexts: readonly string[] = [
  `<img src=x onerror="window.ran=1">`,
  `<script>window.ran=1</script>`,
  `"><svg/onload=window.ran=1>`,
  'javascript:window.ran=1',
  'invoice\u202Efdp.exe',
  'x'.repeat(300),
];
