import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The purposes of notifications between processes. */
export type ChannelPurpose = 'events' | 'upload_wanted';

/** The name of a notification channel, which differs between databases. */
@Entity('channel')
export class Channel {
  @PrimaryColumn({ type: 'text' })
  purpose!: ChannelPurpose;

  @Column({ type: 'text' })
  name!: string;
}
