import { Entity, PrimaryColumn } from 'typeorm';

/** A word that stands in an image of the project, or stood there. */
@Entity('image_word')
export class ImageWord {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: number;

  @PrimaryColumn({ type: 'text' })
  word!: string;
}
