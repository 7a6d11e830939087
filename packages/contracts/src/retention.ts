/** What a retention rule does, and when. */
export const retentionRuleTypes = {
  delete_after: 'Deletes objects a number of days after their creation.',
  delete_after_last_job:
    'Deletes objects a number of days after the last job on them has ended. Objects without a job stay.',
  keep_until: 'Prevents other rules from deleting objects before a time.',
} as const;

export type RetentionRuleType = keyof typeof retentionRuleTypes;
