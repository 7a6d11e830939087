/** Functions that LaTeX knows by name. */
export const functions: ReadonlySet<string> = new Set(
  `arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup
   ln log max min Pr sec sin sinh sup tan tanh`.split(/\s+/),
);

/** Operators with limits. */
export const operators: ReadonlyMap<string, string> = new Map([
  ['∑', '\\sum'],
  ['∏', '\\prod'],
  ['∐', '\\coprod'],
  ['∫', '\\int'],
  ['∬', '\\iint'],
  ['∭', '\\iiint'],
  ['∮', '\\oint'],
  ['∯', '\\oiint'],
  ['∰', '\\oiiint'],
  ['⋃', '\\bigcup'],
  ['⋂', '\\bigcap'],
  ['⋀', '\\bigwedge'],
  ['⋁', '\\bigvee'],
  ['⨁', '\\bigoplus'],
  ['⨂', '\\bigotimes'],
]);

const greek =
  `alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho
  varsigma sigma tau upsilon varphi chi psi omega`.split(/\s+/);

const capitals: Readonly<Record<string, string>> = {
  Γ: 'Gamma',
  Δ: 'Delta',
  Θ: 'Theta',
  Λ: 'Lambda',
  Ξ: 'Xi',
  Π: 'Pi',
  Σ: 'Sigma',
  Υ: 'Upsilon',
  Φ: 'Phi',
  Ψ: 'Psi',
  Ω: 'Omega',
};

const commands: ReadonlyMap<string, string> = new Map([
  ...greek.map((name, index): [string, string] => [String.fromCharCode(0x3b1 + index), name]),
  ...Object.entries(capitals),
  ...Object.entries({
    ϵ: 'epsilon',
    ϕ: 'phi',
    ϑ: 'vartheta',
    ϱ: 'varrho',
    ϖ: 'varpi',
    '∞': 'infty',
    '≤': 'leq',
    '≥': 'geq',
    '≠': 'neq',
    '≈': 'approx',
    '≡': 'equiv',
    '∼': 'sim',
    '≅': 'cong',
    '∝': 'propto',
    '±': 'pm',
    '∓': 'mp',
    '×': 'times',
    '÷': 'div',
    '⋅': 'cdot',
    '·': 'cdot',
    '∘': 'circ',
    '∗': 'ast',
    '⊗': 'otimes',
    '⊕': 'oplus',
    '∩': 'cap',
    '∪': 'cup',
    '∈': 'in',
    '∉': 'notin',
    '∋': 'ni',
    '⊂': 'subset',
    '⊃': 'supset',
    '⊆': 'subseteq',
    '⊇': 'supseteq',
    '∅': 'emptyset',
    '∀': 'forall',
    '∃': 'exists',
    '¬': 'neg',
    '∧': 'wedge',
    '∨': 'vee',
    '∇': 'nabla',
    '∂': 'partial',
    '√': 'surd',
    '∑': 'sum',
    '∏': 'prod',
    '∫': 'int',
    '→': 'rightarrow',
    '←': 'leftarrow',
    '↔': 'leftrightarrow',
    '⇒': 'Rightarrow',
    '⇐': 'Leftarrow',
    '⇔': 'Leftrightarrow',
    '↦': 'mapsto',
    '…': 'dots',
    '⋯': 'cdots',
    '⋮': 'vdots',
    '⋱': 'ddots',
    ℏ: 'hbar',
    ℓ: 'ell',
    ℝ: 'mathbb{R}',
    ℕ: 'mathbb{N}',
    ℤ: 'mathbb{Z}',
    ℚ: 'mathbb{Q}',
    ℂ: 'mathbb{C}',
    '∥': 'parallel',
    '‖': 'Vert',
    '⟨': 'langle',
    '⟩': 'rangle',
    '⌈': 'lceil',
    '⌉': 'rceil',
    '⌊': 'lfloor',
    '⌋': 'rfloor',
    '∠': 'angle',
    '⊥': 'perp',
    '∴': 'therefore',
    '°': 'degree',
    '′': 'prime',
    '†': 'dagger',
  }),
]);

/** A symbol in LaTeX, between spaces if it is a command. */
export function commandOf(sign: string): string {
  const command = commands.get(sign);
  if (command !== undefined) return ` \\${command} `;
  if (sign === '−') return ' - ';
  return /^[#$%&_{}]$/.test(sign) ? `\\${sign}` : sign === '\\' ? '\\backslash ' : sign;
}

/** Text of a formula as LaTeX. Letters of the mathematical alphabets become plain ones. */
export const texText = (text: string): string =>
  [...text]
    .flatMap((sign) => (commands.has(sign) ? [sign] : [...sign.normalize('NFKC')]))
    .map(commandOf)
    .join('')
    .replaceAll('\u200b', '');
