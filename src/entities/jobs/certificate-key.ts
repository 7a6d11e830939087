import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The key pair that signs and verifies a project's certificates. */
@Entity('certificate_key')
export class CertificateKey {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  /** The start of the SHA-256 of the public key, in hexadecimal. */
  @Column({ type: 'text' })
  id!: string;

  /** The 32 bytes in base64. */
  @Column({ type: 'text', name: 'public_key' })
  publicKey!: string;

  /** PKCS #8 in PEM; sealed. */
  @Column({ type: 'text', name: 'private_key' })
  privateKey!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
