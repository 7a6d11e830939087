import { identifierRecogniser } from '../identifier.ts';

const checkLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** The number modulo 23 determines the letter. X, Y and Z of foreigners count as 0, 1 and 2. */
export const nif = identifierRecogniser({
  forms: {
    '99999999 A': [0.75, 0.97],
    '99.999.999 A': [0.75, 0.97],
    'A 9999999 A': [0.75, 0.97],
  },
  isValid: (id) => {
    const number = id.replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
    return (
      /^\d{8}[A-Z]$/.test(number) && checkLetters[Number(number.slice(0, 8)) % 23] === number[8]
    );
  },
  context: [
    'nif',
    'n.i.f.',
    'nie',
    'n.i.e.',
    'dni',
    'd.n.i.',
    'documento nacional',
    'identidad',
    'identificacion fiscal',
    'extranjero',
    'tax id*',
    'id number',
    'documento',
  ],
});
