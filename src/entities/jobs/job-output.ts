import { Entity, PrimaryColumn } from 'typeorm';

/** An object that an operation created. */
@Entity('job_output')
export class JobOutput {
  @PrimaryColumn({ type: 'text', name: 'project_id' })
  projectId!: string;

  @PrimaryColumn({ type: 'text', name: 'job_id' })
  jobId!: string;

  @PrimaryColumn({ type: 'integer', name: 'operation_index' })
  operationIndex!: number;

  @PrimaryColumn({ type: 'text' })
  kind!: string;

  @PrimaryColumn({ type: 'text', name: 'object_id' })
  objectId!: string;
}
