import type { FileRole, Verification } from './verify.ts';

/** The result of a verification in words. */
export interface Verdict {
  tone: 'good' | 'warn' | 'bad';
  title: string;
  text: string;
}

/**
 * Returns the verdict about a certificate and, if one was given, a file. The worst fact decides.
 */
export function verdictOf(verification: Verification, file: FileRole | null): Verdict {
  const aboutCertificate = certificateVerdict(verification);
  if (aboutCertificate.tone === 'bad' || file === null) return aboutCertificate;
  const aboutFile = fileVerdicts[file];
  if (aboutFile.tone === 'bad') return aboutFile;
  if (file === 'source')
    return { ...aboutFile, text: `${aboutFile.text} ${aboutCertificate.text}` };
  if (aboutCertificate.tone === 'good') return aboutFile;
  return {
    tone: 'warn',
    title: `Unchanged, but ${lowerFirst(aboutCertificate.title)}`,
    text: `The file is the one that the certificate describes. ${aboutCertificate.text}`,
  };
}

const fileVerdicts: Record<FileRole, Verdict> = {
  output: {
    tone: 'good',
    title: 'Certified and unchanged',
    text: 'The file is exactly the one that was certified, and the certificate is genuine.',
  },
  source: {
    tone: 'warn',
    title: 'This is the original, not the redaction',
    text: 'The file is the one from which the redaction was made. It contains what was removed.',
  },
  other: {
    tone: 'bad',
    title: 'Not the certified file',
    text: 'The file is not the one that was certified: at least one byte is different, or it is another file.',
  },
};

function certificateVerdict({ signature, key }: Verification): Verdict {
  if (key === 'foreign') return foreignKey;
  if (key === 'missing') return missingKey;
  if (signature === 'unsupported') return unsupported;
  if (signature === 'invalid') return changed;
  return genuine[key];
}

const genuine: Record<'published' | 'given' | 'enclosed', Verdict> = {
  published: {
    tone: 'good',
    title: 'The certificate is genuine',
    text: 'It is unchanged, and signed with a key that the service publishes for the project.',
  },
  given: {
    tone: 'good',
    title: 'The certificate is genuine',
    text: 'It is unchanged, and signed with the key that you entered.',
  },
  enclosed: {
    tone: 'warn',
    title: 'The signer is not confirmed',
    text: 'The certificate is unchanged since it was signed, but the key was not compared with the keys that the service publishes. Anyone can sign with a key of their own.',
  },
};

const foreignKey: Verdict = {
  tone: 'bad',
  title: 'Signed with an unknown key',
  text: 'The key is not one of those that the service publishes for the project, or that you entered.',
};
const missingKey: Verdict = {
  tone: 'warn',
  title: 'The signature was not checked',
  text: 'The certificate does not contain its key. Enter the key to check the signature.',
};
const unsupported: Verdict = {
  tone: 'warn',
  title: 'The signature was not checked',
  text: 'This browser cannot check Ed25519 signatures here. Use a current browser, and open the page over HTTPS or from a file.',
};
const changed: Verdict = {
  tone: 'bad',
  title: 'The certificate was changed',
  text: 'The signature does not fit the contents of the certificate, so nothing in it can be trusted.',
};

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
