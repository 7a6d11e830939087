import { Entity, PrimaryColumn } from 'typeorm';

/** A marker that a caller was denied something within a minute: only one event is recorded for it. */
@Entity('denial')
export class DenialMarker {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'key_id' })
  keyId!: string;

  @PrimaryColumn({ type: 'text' })
  code!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  minute!: Date;
}
