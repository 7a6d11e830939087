import type { LabelEntry } from '../entry.ts';

/** Special categories of personal data (GDPR Art. 9). Any text after these labels is a finding. */
export const specialLabels: readonly LabelEntry[] = [
  {
    type: 'SPECIAL_CATEGORY',
    form: 'text',
    things: {
      en: 'religion|faith|denomination|religious affiliation|religious belief|ethnicity|ethnic origin|ethnic group|race|race ethnicity|sexual orientation|gender identity|trade union|trade union membership|union membership|political opinion|political party|political affiliation|party membership|diagnosis|diagnoses|medical condition|medical conditions|medical history|health condition|allergies|disability|disabilities|blood group|blood type|hiv status|pre existing conditions|reason for sick leave',
      de: 'religion|konfession|religionszugehorigkeit|glaube|bekenntnis|ethnische herkunft|ethnie|sexuelle orientierung|gewerkschaft|gewerkschaftszugehorigkeit|gewerkschaftsmitgliedschaft|parteizugehorigkeit|politische meinung|diagnose|diagnosen|vorerkrankungen|erkrankung|krankheiten|allergien|behinderung|schwerbehinderung|blutgruppe|gesundheitszustand',
      fr: 'religion|confession|croyance|origine ethnique|ethnie|orientation sexuelle|syndicat|appartenance syndicale|opinion politique|opinions politiques|diagnostic|antecedents medicaux|antecedents|maladie|allergies|handicap|groupe sanguin|etat de sante',
      es: 'religion|confesion|creencias|origen etnico|etnia|orientacion sexual|sindicato|afiliacion sindical|afiliacion politica|diagnostico|antecedentes medicos|enfermedad|enfermedades|alergias|discapacidad|grupo sanguineo|estado de salud',
      it: 'religione|confessione|origine etnica|etnia|orientamento sessuale|sindacato|iscrizione sindacale|appartenenza sindacale|opinione politica|diagnosi|patologie|malattie|allergie|disabilita|gruppo sanguigno|stato di salute',
      nl: 'religie|godsdienst|geloof|etnische afkomst|etniciteit|seksuele geaardheid|seksuele gerichtheid|vakbond|vakbondslidmaatschap|politieke voorkeur|diagnose|aandoeningen|ziekte|allergieen|handicap|bloedgroep|gezondheidstoestand',
      pt: 'religiao|crenca|origem etnica|etnia|raca|orientacao sexual|sindicato|filiacao sindical|filiacao politica|diagnostico|doencas|alergias|deficiencia|grupo sanguineo|tipo sanguineo|estado de saude',
      pl: 'wyznanie|religia|pochodzenie etniczne|orientacja seksualna|zwiazek zawodowy|przynaleznosc zwiazkowa|przekonania polityczne|rozpoznanie|diagnoza|choroby|alergie|niepelnosprawnosc|grupa krwi|stan zdrowia',
      sv: 'religion|trosuppfattning|etniskt ursprung|etnicitet|sexuell laggning|fackforening|facklig tillhorighet|politisk asikt|diagnos|sjukdomar|allergier|funktionsnedsattning|blodgrupp|halsotillstand',
    },
  },
];
