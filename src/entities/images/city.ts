import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A city that names places; written by a migration. */
@Entity('city')
export class City {
  /** The rank by inhabitants: the largest city is the first. */
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  country!: string;

  @Column({ type: 'double precision' })
  latitude!: number;

  @Column({ type: 'double precision' })
  longitude!: number;
}
