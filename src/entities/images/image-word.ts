import { Entity, PrimaryColumn } from 'typeorm';

/** A word that is or was in an image, another object or a document of the project. */
@Entity('image_word')
export class ImageWord {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: number;

  @PrimaryColumn({ type: 'text' })
  word!: string;
}
