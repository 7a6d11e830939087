import { expect } from 'chai';
import { removed } from './personal.ts';

describe('names of accounts', () => {
  const behindWords: Record<string, string[]> = {
    'Online-Zugang mreuter_giro\n': ['mreuter_giro'],
    'Skype: live:karin.holl\n': ['karin.holl'],
    'Kundenportal: t.baumann77\n': ['t.baumann77'],
    'Espace client nlefort_75, mot de passe à part': ['nlefort_75'],
    'Área reservada: tnogueira_adm\n': ['tnogueira_adm'],
    'Acceso web\tlbarros_88\nCuota\tMensual\n': ['lbarros_88'],
    'Accesso area clienti fgallo_casa\n': ['fgallo_casa'],
    'Ouderportaal    wblom.utrecht\n': ['wblom.utrecht'],
    'Nazwa użytkownika w portalu: zkruk_m4\n': ['zkruk_m4'],
    'Portal login\twharris.hire\n': ['wharris.hire'],
    'Ihr Onlinebanking-Zugang tmarquart_depot wurde gesperrt.': ['tmarquart_depot'],
    'Please sign in to the patient portal as mo_fairweather.': ['mo_fairweather'],
    'Kundenportal: Anmeldung als rfeldhoff am 3. Mai': ['rfeldhoff'],
    'Accès en ligne jbroussard_92': ['jbroussard_92'],
    'Connexion avec oberthier_ldd impossible': ['oberthier_ldd'],
    'Banca electrónica tbarrientos_7': ['tbarrientos_7'],
    'Home banking fdeluca_prepagata': ['fdeluca_prepagata'],
    'Mijn omgeving jdekeyser_82': ['jdekeyser_82'],
    'Área de cliente acordeiro_88': ['acordeiro_88'],
    'Bankowość internetowa bkaczmarczyk_1': ['bkaczmarczyk_1'],
    'Online-Zugang\nesauerbier_giro\n': ['esauerbier_giro'],
    'Online-Zugang (esauerbier_giro), Tarif Komfort': ['esauerbier_giro'],
    'Online-Zugang: esauerbier-giro': ['esauerbier-giro'],
    'Zugangskennung ESAUERBIER_GIRO': ['ESAUERBIER_GIRO'],
    'Erreichbar im Forum als spaeneflug_61.': ['spaeneflug_61'],
    'Web access granted on Monday.': [],
    'The user_id column of the users table references account_settings in the portal.': [],
    'Benutzer können in der Datei postgresql_conf den Wert work_mem ändern.': [],
    'Web-Zugang: rund-um-die-uhr': [],
    'Angemeldet als teilnehmende Person.': [],
    'User get_value is called with two arguments.': [],
    'The account balance_total is read from settings_file before.': [],
    'See the portal guide_2024.pdf\n': [],
    'Login page: shop.example.org/login\n': [],
    'Konto gesperrt seit März.': [],
  };
  for (const [text, values] of Object.entries(behindWords)) {
    it(`${values.length > 0 ? 'are found' : 'are not'} behind words for access: ${JSON.stringify(text)}`, () => {
      const accounts = removed(text).filter((one) => one.startsWith('PERSONAL_ID'));
      expect(accounts).to.deep.equal(values.map((value) => `PERSONAL_ID ${value}`));
    });
  }

  it('are found behind words for access if their underscore was read as a space', () => {
    expect(removed('Online-Zugang esauerbier giro', true)).to.deep.equal([
      'PERSONAL_ID esauerbier giro',
    ]);
    expect(removed('mein konto gesperrt seit\nportal access granted today', true)).to.deep.equal(
      [],
    );
  });

  const ofNames: Record<string, string[]> = {
    'Ms Philippa Drayton asked us to reset pdrayton and philippad7.': ['pdrayton', 'philippad7'],
    'Frau Henrike Tönnies, Ablage unter toennies_kopien und htonnies.': [
      'toennies_kopien',
      'htonnies',
    ],
    'Zuzanna Kołodziej, folder zkolodziej_m4': ['zkolodziej_m4'],
    'M. Anselme Pruvost, poste apruvost': ['apruvost'],
    'Mrs Anna Baker runs the bakery and the bakers of the town.': [],
    'Mr Bert Lender bought it. See the lender.': [],
  };
  for (const [text, values] of Object.entries(ofNames)) {
    it(`${values.length > 0 ? 'are found' : 'are not'} by the names of people: ${JSON.stringify(text)}`, () => {
      const accounts = removed(text).filter((one) => one.startsWith('PERSONAL_ID'));
      expect(accounts).to.deep.equal(values.map((value) => `PERSONAL_ID ${value}`));
    });
  }
});

describe('extensions of telephones', () => {
  for (const value of [
    '01925 746 118 ext. 62',
    '0161 496 0288 x14',
    '+44 161 496 0288 (ext. 4471)',
    '0341 2255 917 Durchwahl -12',
    '04921 77 30 12 App. 4',
    '02 98 44 17 60 poste 23',
    '944 15 37 82, extensión 114',
    '051 6140 228 int. 7',
    '020 555 0147 toestel 31',
    '213 456 789 ramal 12',
    '85 742 19 30 wew. 4',
  ]) {
    it(`belong to their number: ${value}`, () => {
      expect(removed(`Kontakt\n${value}\nvormittags`)).to.deep.equal([`PHONE_NUMBER ${value}`]);
    });
  }

  it('belong to a number that looks like one of another kind, too', () => {
    const text = 'Compte en ligne\nGardien 05 56 01 88 14 poste 2\nCaution';
    expect(removed(text).map((one) => one.replace(/^\S+ /, ''))).to.deep.equal([
      '05 56 01 88 14 poste 2',
    ]);
  });

  it('are not the sizes behind a number', () => {
    expect(removed('Brett 1200 800 x 600 mm')).to.deep.equal([]);
  });
});

describe('documents of identity behind short labels', () => {
  const cases: Record<string, string[]> = {
    'Documento AX4827193': ['AX4827193'],
    'Documento: 72091834K': ['72091834K'],
    'Documento CA41728QX esibito': ['CA41728QX'],
    'Dokument C01X0006H (Kopie)': ['C01X0006H'],
    'Legitimatie SPC4L1DR8 is ingezien': ['SPC4L1DR8'],
    'Documento 14378922 4 ZX1': ['14378922 4 ZX1'],
    'Dokument DBA 731620': ['DBA 731620'],
    'ID PT6649018 checked': ['PT6649018'],
    'Pièce 12AB34567 présentée': ['12AB34567'],
    'Reisepass C01XYCCG9': ['C01XYCCG9'],
    'Legitimiert mit LZ6311T475': ['LZ6311T475'],
    'Document seen: PS7719204': ['PS7719204'],
    'Documento presentado AAB120344': ['AAB120344'],
    'ID-kaart 592-1180736-41': ['592-1180736-41'],
    'Documento de identificação 13377102': ['13377102'],
    'Título de residência 2L90BV114': ['2L90BV114'],
    'Fecha de nacimiento: sin datos\nDocumento 30417726': ['30417726'],
    'Documento 30417726 del registro de entrada': [],
    'Document INV 2025014 of May': [],
    'Dokument RE2025014 vom Mai': [],
    'Documento 2025/0143': [],
    'Document version 12 of 2025': [],
  };
  for (const [text, values] of Object.entries(cases)) {
    it(`${values.length > 0 ? 'are' : 'are not'} found: ${text}`, () => {
      expect(removed(text).map((one) => one.replace(/^\S+ /, ''))).to.deep.equal(values);
    });
  }
});
