import * as things from '../words/things.ts';
import type { Pieces } from './pieces.ts';

/** A blank form, or one with only ticks and numbers. */
export function blankForm(p: Pieces): string {
  const { random } = p;
  const foreign = random.chance(0.35);
  const from = foreign ? random.pick(things.foreignLabels) : things.labels;
  const label = () => {
    const made = random.pick(from);
    return random.weighted([
      [80, made],
      [10, made.toUpperCase()],
      [
        10,
        made
          .split(' ')
          .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
          .join(' '),
      ],
    ]);
  };
  const blank = () =>
    random.pick([
      ':',
      ':',
      ': ',
      '',
      '',
      ' *',
      ': ____________',
      ':..........',
      ' ______',
      ': [ ]',
      ' (required)',
      ' (if any)',
      ' (please print)',
      '?',
      ': -',
      ': n/a',
      ': see above',
    ]);
  return random.weighted<() => string>([
    [5, () => p.lines(1, 10, () => `${label()}${blank()}`)],
    [
      3,
      () =>
        Array.from({ length: random.int(2, 7) }, label).join(
          random.pick([', ', ' | ', '\t', ';', ' ', ' / ', ',']),
        ),
    ],
    [
      2,
      () =>
        p.lines(1, 5, () => `${label()}: ${label()}: ${random.chance(0.5) ? `${label()}:` : ''}`),
    ],
    [
      2,
      () =>
        p.lines(
          1,
          5,
          () => `${label()}${random.pick([' of ', ' / ', ' and '])}${label().toLowerCase()}`,
        ),
    ],
    [
      2,
      () =>
        p.lines(
          1,
          4,
          () =>
            `${random.pick(['Please enter your', 'Enter', 'Your', 'What is your', 'Change', 'Invalid', 'Missing', 'Enter a valid', 'Confirm your', 'Type your', 'Select a', 'The', 'Applicant’s', "Employee's", 'Proof of', 'New', 'Copy of'])} ${label().toLowerCase()}${random.pick(['', '.', '?', ':', ' is required', ' must not be empty', ' here'])}`,
        ),
    ],
    [
      1,
      () =>
        Array.from({ length: random.int(2, 8) }, () => p.identifier(label())).join(
          random.pick([',', ';', ', ', '\t']),
        ),
    ],
  ])();
}

export function heading(p: Pieces): string {
  const { random } = p;
  const head = random.pick(
    random.pick([
      things.headings,
      things.headings,
      things.business,
      things.defined,
      things.technical,
      things.labels,
    ]),
  );
  const number = random.pattern(
    random.pick([
      '',
      '',
      '',
      '!. ',
      '!.! ',
      '!.!.! ',
      '§ ! ',
      '?. ',
      'Chapter !: ',
      'Section ! – ',
      'Appendix ? ',
      'Annex ! ',
      'Part ! ',
      'Step !: ',
      'Item ! ',
      '# ',
      '## ',
      '### ',
      '(?) ',
      '* ',
      '• ',
      '- ',
      'I. ',
      'II. ',
      'IV. ',
    ]),
  );
  const more = random.weighted<() => string>([
    [6, () => head],
    [2, () => `${head} and ${random.pick(things.headings)}`],
    [2, () => `${head} of the ${random.pick(p.some())}`],
    [1, () => `${head} for ${random.pick(things.business)}`],
    [1, () => `${head} (${random.pick(p.some())})`],
    [1, () => `${head} ........ ${random.int(1, 200)}`],
    [1, () => `${random.pick(p.world.calendar)} ${head}`],
  ])();
  return p.cased(number + more);
}

/** Text at the edges of pages: signs, stamps, buttons, file names, times. */
export function marks(p: Pieces): string {
  const { random, world } = p;
  const day = () => random.pick(world.calendar);
  return p.cased(
    random.pick([
      () => random.pick(things.interfaceWords),
      () => `${day()} ${random.int(1, 31)}`,
      () => `${day()}, ${day()} ${random.pick(['and', '&', 'to', '–'])} ${day()}`,
      () =>
        `${random.pick(['In', 'Since', 'By', 'Until', 'Last', 'Next', 'Every', 'On', 'From', 'Early', 'Late', 'Mid'])} ${day()} ${random.pick(world.words.common)} ${random.pick(world.words.nouns)}`,
      () =>
        `${random.pick(['Page', 'Seite', 'Sheet', 'Slide', 'p.', 'Folio', 'Pagina', 'Strona', 'Sida'])} ${random.int(1, 99)} ${random.pick(['of', '/', 'von', 'de', 'di', 'van'])} ${random.int(1, 99)}`,
      () =>
        `${random.pick(['DRAFT', 'COPY', 'Paid', 'Received', 'Approved', 'Void', 'Confidential', 'Urgent', 'Original', 'Duplicate', 'Final', 'Sample', 'Specimen', 'For Information Only'])} ${random.pick(things.headings)}`,
      () => `${random.pick(things.business)}.${random.pick(['pdf', 'docx', 'xlsx', 'csv'])}`,
      () =>
        `${random.pick(['Dear', 'Hello', 'Hi', 'Welcome', 'Good morning'])} ${random.pick(['Customer', 'Colleagues', 'All', 'Team', 'Member', 'Parents', 'Neighbours', 'Reader', 'Everyone', 'Guests', 'Applicant', 'Friends', 'Subscriber', 'Students'])},`,
      () =>
        `${random.pick(['Yours', 'Regards', 'Best wishes', 'Sincerely'])}, ${random.pick(['the Sales Team', 'Customer Care', 'Your Support Team', 'the Management', 'Accounts Department', 'the Editors', 'Human Resources', 'the Organisers'])}`,
      () =>
        `${random.pick(['Room', 'Hall', 'Building', 'Gate', 'Platform', 'Block', 'Wing', 'Floor', 'Table', 'Row', 'Seat', 'Bay', 'Level', 'Entrance'])} ${random.pick([random.pattern('?'), String(random.int(1, 300)), random.pattern('?!#')])}`,
      () => `${random.pick(['Wi-Fi', 'PIN', 'Password', 'Code', 'Key'])}: ${p.thingNumber()}`,
      () =>
        `${random.pick(things.computing)} ${random.pick(['guide', 'for Beginners', 'Conference', 'release notes', 'v!', 'support', 'users'])}`.replace(
          '!',
          String(random.int(1, 20)),
        ),
    ])(),
  );
}
