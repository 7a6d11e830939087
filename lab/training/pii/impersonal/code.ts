import type { Pieces } from './pieces.ts';

export function sourceLine(p: Pieces): string {
  const { random, world } = p;
  const word = () =>
    random.pick(random.pick([world.words.nouns, world.words.verbs, world.words.common]));
  const name = () =>
    p.identifier(
      random.pick([
        `${word()}`,
        `${word()} ${word()}`,
        `${word()} ${word()}`,
        random.pick(p.some()),
      ]),
    );
  const type = () =>
    name()
      .replace(/^[a-z]/, (letter) => letter.toUpperCase())
      .replace(/[-_]\w/g, (part) => part.charAt(1).toUpperCase());
  const text = () => random.pick([word(), `${word()} ${word()}`, name(), random.pick(p.some())]);
  const line = random.pick([
    () =>
      `const ${name()} = ${random.pick(['await ', 'new ', ''])}${name()}(${name()}, ${random.int(0, 99)});`,
    () => `import { ${name()}, ${type()} } from '${name()}';`,
    () =>
      `${random.pick(['export ', 'public ', 'private static ', ''])}${random.pick(['class', 'interface', 'enum', 'struct'])} ${type()} ${random.pick(['{', 'extends ', 'implements ', ': '])}${type()} {`,
    () =>
      `if (${name()}.${name()} ${random.pick(['===', '!=', '<', '>='])} ${random.pick(['null', '0', `'${text()}'`, 'undefined'])}) return ${name()};`,
    () => `def ${name()}(self, ${name()}: ${type()}) -> ${type()}:`,
    () =>
      `${random.pick(['SELECT', 'select'])} ${name()}, ${name()} ${random.pick(['FROM', 'from'])} ${name()} WHERE ${name()} = '${text()}' ORDER BY ${name()};`,
    () =>
      `${random.pick(['INSERT INTO', 'UPDATE', 'ALTER TABLE', 'DROP TABLE', 'CREATE VIEW'])} ${name()} ${random.pick(['ADD COLUMN', 'SET', 'AS SELECT'])} ${name()} ${random.pick(['INTEGER', 'TEXT NOT NULL', 'VARCHAR(40)'])};`,
    () =>
      `"${name()}": ${random.pick([`"${text()}"`, String(random.int(0, 9999)), 'true', 'null', '[]'])},`,
    () => `${name()}: ${random.pick([text(), String(random.int(0, 9999)), 'true', `"${text()}"`])}`,
    () => `  - ${name()}: ${text()}`,
    () => `[${type()}]`,
    () =>
      `${name().toUpperCase()}=${random.pick([text(), String(random.int(0, 9999)), `/${word()}/${word()}`])}`,
    () =>
      `${random.pick(['INFO', 'WARN', 'ERROR', 'DEBUG'])} [${type()}] ${text()} ${random.pick(['failed', 'started', 'took', 'finished'])} ${p.measure()}`,
    () =>
      `at ${type()}.${name()} (${word()}.${random.pick(['js', 'ts', 'java', 'py'])}:${random.int(1, 900)}:${random.int(1, 90)})`,
    () =>
      `$ ${random.pick(['git', 'npm', 'docker', 'curl', 'make', 'sudo apt', 'pip', 'ssh', 'tar'])} ${word()} --${name()} ${random.pick(['-v', '-xf', '', `--${word()}=${random.int(1, 99)}`])} ${word()}.${random.pick(['tar.gz', 'txt', 'json', 'md'])}`,
    () => `throw new ${type()}Error(\`${text()} \${${name()}}\`);`,
    () =>
      `#${random.pick(['define', 'include', 'ifdef'])} ${name().toUpperCase()} ${random.int(1, 4096)}`,
    () =>
      `.${name()} { ${random.pick(['color', 'margin', 'border', 'font', 'padding', 'display'])}: ${random.pick(['#', '0 auto', 'solid', 'DarkRed', 'inherit', 'LightSteelBlue'])}${random.pattern('####')}; }`,
    () => `// ${random.pick(['TODO', 'FIXME', 'NOTE', 'See'])}: ${text()} ${word()} ${word()}`,
    () => `${type()}<${type()}> ${name()} = ${type()}.${name()}();`,
    () => `@${type()}("${text()}")`,
    () => `${name()}.${name()}(${name()} => ${name()}.${name()});`,
    () =>
      `${random.pick(['Content-Type', 'Accept', 'Host', 'Cache-Control', 'X-Request-Id', 'Authorization', 'Set-Cookie'])}: ${text()}/${word()}; ${name()}=${word()}`,
    () => `<${type()} ${name()}="${text()}">`,
    () =>
      `/${word()}/${name()}/${name()}.${random.pick(['html', 'php', 'css', 'png', 'pdf', 'log'])}`,
    () =>
      `${name()}(${random.int(1, 8)}) ${name()} [-${random.pattern('?').toLowerCase()}] [--${name()}] <${word()}>`,
  ])();
  return '  '.repeat(random.int(0, 3)) + line;
}
