import { readCertificateFile } from '@scriptorium/contracts/certificates/read-file';
import { hashFile } from '@scriptorium/contracts/certificates/sha256';
import {
  type KnownKeys,
  type Verification,
  verifyCertificate,
} from '@scriptorium/contracts/certificates/verify';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import { useEffect, useState } from 'preact/hooks';

export interface OpenedCertificate {
  name: string;
  isPdf: boolean;
  certificate: Certificate;
}

export interface HashedFile {
  name: string;
  bytes: number;
  sha256: string;
}

/** A file that is being read: how much of it, from 0 to 1. */
export interface Reading {
  name: string;
  share: number;
}

/** Reads files: the certificate, and the file to compare with it. Nothing leaves the browser. */
export function useFiles() {
  const [opened, setOpened] = useState<OpenedCertificate | null>(null);
  const [file, setFile] = useState<HashedFile | null>(null);
  const [reading, setReading] = useState<Reading | null>(null);
  const [error, setError] = useState<string | null>(null);
  const readOne = async (one: File): Promise<void> => {
    const { name, size } = one;
    setReading({ name, share: 0 });
    const certificate = await readCertificateFile(one);
    if (certificate) {
      setOpened({ name, isPdf: /[.]pdf$/i.test(name), certificate });
      return;
    }
    setFile(null);
    const sha256 = await hashFile(one, (bytes) => setReading({ name, share: bytes / size }));
    setFile({ name, bytes: size, sha256 });
  };
  const read = async (files: readonly File[]): Promise<void> => {
    setError(null);
    for (const one of files) {
      try {
        await readOne(one);
      } catch {
        setError(
          `“${one.name}” cannot be read. Folders and files that have moved cannot be opened.`,
        );
      }
    }
    setReading(null);
  };
  return { opened, file, reading, error, read };
}

/** Verifies a certificate; null until the result is known. */
export function useVerification(
  certificate: Certificate | null,
  { published, given }: KnownKeys,
): Verification | null {
  const [result, setResult] = useState<{ of: Certificate; verification: Verification } | null>(
    null,
  );
  useEffect(() => {
    if (!certificate) return;
    let isCurrent = true;
    void verifyCertificate(certificate, { published, given }).then((verification) => {
      if (isCurrent) setResult({ of: certificate, verification });
    });
    return () => {
      isCurrent = false;
    };
  }, [certificate, published, given.join()]);
  return result && result.of === certificate ? result.verification : null;
}
