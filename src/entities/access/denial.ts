import { Entity, PrimaryColumn } from 'typeorm';

/** A marker that a key was denied something in a minute, which is recorded as one event. */
@Entity('denial')
export class NotedDenial {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'key_id' })
  keyId!: string;

  @PrimaryColumn({ type: 'text' })
  code!: string;

  @PrimaryColumn({ type: 'timestamptz' })
  minute!: Date;
}
