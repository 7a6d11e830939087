/** Sites on which the first part of a path is a person's page, unless it is in `siteSections`. */
const socialNetworks =
  /(?:^|\.)(?:linkedin|facebook|fb|instagram|twitter|x|xing|tiktok|threads|vk|t|wa|snapchat|paypal|venmo|about|linktr|keybase|calendly|bsky|orcid|researchgate|reddit|twitch|soundcloud|github|gitlab|codeberg|medium|pinterest|telegram|strava|onlyfans|patreon|ko-fi|buymeacoffee)\.(?:com|net|org|me|ee|io|app|social|tv|de)$/;
const siteSections = new Set(
  `about blog business careers company companies developers docs events explore features groups
  hashtag help home intent jobs legal login orgs pages policies policy pricing privacy publication
  r school search security settings share sharer signup support terms topics watch`.split(/\s+/),
);
/** Sites that host code: a path of two parts is a project. */
const codeHosts = /(?:^|\.)(?:github|gitlab|codeberg)\./;

/** Folders in a path that contain the pages or accounts of people. */
const personFolders = new Set(
  `user users u people person persons profile profiles member members author authors staff account
  accounts employee employees customer customers patient patients client clients student students
  mitarbeiter personen nutzer benutzer kunden autor autoren equipe utilisateur utilisateurs
  usuario usuarios utente utenti personas persone medewerkers gebruiker pessoas`.split(/\s+/),
);

/** Fields of a query that identify a person. */
const personFields =
  /^(?:user|username|user_?id|uid|login|e?-?mail|email_?address|name|first_?name|last_?name|surname|phone|tel|mobile|account|account_?id|customer|customer_?id|kunde|patient|patient_?id|member|member_?id|token|auth|session|session_?id|sid|key|api_?key|password|ssn|dob|birth.*)$/i;

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Minimum number of letters of a name in a URL. */
const minNameLength = 4;
const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Whether a web address identifies a person: by a login, a profile, a user folder, a query field,
 * an e-mail address, or a person's name in the same text.
 */
export function hasPersonalPart(url: string, names: readonly string[]): boolean {
  const plain = url.replace(/\s+/g, '');
  const [, authority = '', path = '', query = ''] =
    /^(?:[a-z]+:\/\/)?([^/?#]*)([^?#]*)(.*)$/is.exec(plain) ?? [];
  if (authority.includes('@') || /@|%40/.test(path + query)) return true;
  const host = authority.toLowerCase().replace(/:\d+$/, '');
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.some((part) => part.startsWith('~') || part.toLowerCase().startsWith('%7e')))
    return true;
  const lower = parts.map((part) => part.toLowerCase());
  if (lower.some((part, at) => personFolders.has(part) && at + 1 < lower.length)) return true;
  if (socialNetworks.test(host) && lower[0] && !siteSections.has(lower[0])) {
    if (!codeHosts.test(host) || lower.length === 1) return true;
  }
  const queryFields = query.split(/[?&#;]/).map((field) => field.split('='));
  if (queryFields.some(([name = '', value = '']) => value !== '' && personFields.test(name)))
    return true;
  return containsName(lettersOf(decode(plain)), names);
}

function containsName(letters: string, names: readonly string[]): boolean {
  return names.some((name) =>
    name.split(/\s+/).some((word) => {
      const wordLetters = lettersOf(word);
      return wordLetters.length >= minNameLength && letters.includes(wordLetters);
    }),
  );
}
