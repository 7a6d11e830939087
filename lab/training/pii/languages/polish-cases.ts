/** Cases of Polish names: genitive, dative, instrumental, locative, vocative. */
export type Case = 'g' | 'd' | 'i' | 'l' | 'v';

type Endings = Readonly<Record<Case, string>>;

const adjectives: readonly (readonly [RegExp, Endings])[] = [
  [/([sc]k|dzk)i$/, { g: '$1iego', d: '$1iemu', i: '$1im', l: '$1im', v: '$1i' }],
  [/([sc]k|dzk)a$/, { g: '$1iej', d: '$1iej', i: '$1ą', l: '$1iej', v: '$1a' }],
  [/y$/, { g: 'ego', d: 'emu', i: 'ym', l: 'ym', v: 'y' }],
];

const nouns: readonly (readonly [RegExp, Endings])[] = [
  [/ia$/, { g: 'ii', d: 'ii', i: 'ią', l: 'ii', v: 'io' }],
  [/ja$/, { g: 'ji', d: 'ji', i: 'ją', l: 'ji', v: 'jo' }],
  [/la$/, { g: 'li', d: 'li', i: 'lą', l: 'li', v: 'lu' }],
  [/ka$/, { g: 'ki', d: 'ce', i: 'ką', l: 'ce', v: 'ko' }],
  [/ga$/, { g: 'gi', d: 'dze', i: 'gą', l: 'dze', v: 'go' }],
  [/ra$/, { g: 'ry', d: 'rze', i: 'rą', l: 'rze', v: 'ro' }],
  [/ta$/, { g: 'ty', d: 'cie', i: 'tą', l: 'cie', v: 'to' }],
  [/da$/, { g: 'dy', d: 'dzie', i: 'dą', l: 'dzie', v: 'do' }],
  [/a$/, { g: 'y', d: 'ie', i: 'ą', l: 'ie', v: 'o' }],
  [/ek$/, { g: 'ka', d: 'kowi', i: 'kiem', l: 'ku', v: 'ku' }],
  [/eł$/, { g: 'ła', d: 'łowi', i: 'łem', l: 'le', v: 'le' }],
  [/ec$/, { g: 'ca', d: 'cowi', i: 'cem', l: 'cu', v: 'cu' }],
  [/r$/, { g: 'ra', d: 'rowi', i: 'rem', l: 'rze', v: 'rze' }],
  [/([kg])$/, { g: '$1a', d: '$1owi', i: '$1iem', l: '$1u', v: '$1u' }],
  [/([nmpbwfsz])$/, { g: '$1a', d: '$1owi', i: '$1em', l: '$1ie', v: '$1ie' }],
  [/([^aeiouyóąę])$/, { g: '$1a', d: '$1owi', i: '$1em', l: '$1u', v: '$1u' }],
];

const towns: readonly (readonly [RegExp, Readonly<Record<'g' | 'l', string>>])[] = [
  [/ice$/, { g: 'ic', l: 'icach' }],
  [/ów$/, { g: 'owa', l: 'owie' }],
  [/sko$/, { g: 'ska', l: 'sku' }],
  [/sk$/, { g: 'ska', l: 'sku' }],
  [/no$/, { g: 'na', l: 'nie' }],
  [/wa$/, { g: 'wy', l: 'wie' }],
  [/a$/, { g: 'y', l: 'ie' }],
  [/ź$/, { g: 'zi', l: 'zi' }],
  [/in$/, { g: 'ina', l: 'inie' }],
  [/([^aeiouyóąę])$/, { g: '$1a', l: '$1iu' }],
];

function changed<C extends string>(
  word: string,
  to: C,
  rules: readonly (readonly [RegExp, Readonly<Record<C, string>>])[],
): string {
  const rule = rules.find(([ending]) => ending.test(word));
  return rule ? word.replace(rule[0], rule[1][to]) : word;
}

export function firstName(name: string, to: Case): string {
  return changed(name, to, nouns);
}

/** A surname; women's surnames that end in a consonant have no cases. */
export function lastName(name: string, to: Case, woman: boolean): string {
  if (woman && !name.endsWith('a')) return name;
  const own = woman ? name : name.replace(/([sc]k|dzk)a$/, '$1i');
  return changed(own, to, [...adjectives, ...nouns]);
}

/** A town in the genitive or locative. */
export function town(name: string, to: 'g' | 'l'): string {
  return changed(name, to, towns);
}
