import { Entity, PrimaryColumn } from 'typeorm';

/** A range of a project's feed that may contain events that are not published yet. */
@Entity('unpublished_stretch')
export class UnpublishedStretch {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'bigint' })
  stretch!: number;
}
