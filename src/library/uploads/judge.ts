import type { Tx } from '../../db/transaction.ts';

/** What is known of a file on its way. */
export interface Arriving {
  /**
   * `announced` before any byte, by what the client says; `begun` when its first bytes were looked
   * at; `whole` when all have arrived, before there is an object.
   */
  moment: 'announced' | 'begun' | 'whole';
  projectId: string;
  filename: string;
  /** How large it will be. */
  bytes: number;
  tags: readonly string[];
  /** Declared at first, sniffed from `begun` on. */
  mime: string | null;
  executable: boolean | null;
  /** Null until it is known of the whole file. */
  scripted: boolean | null;
}

/** Why a file is not taken: stored with the upload and shown to who sent it. */
export type Rejection = Record<string, unknown>;

/**
 * What the project's policies say of a file on its way; null when they let it pass. This is the one
 * place where policies of the action `upload` meet resumable uploads.
 */
export async function judgeUpload(_tx: Tx, _file: Arriving): Promise<Rejection | null> {
  return null;
}
