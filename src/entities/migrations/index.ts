import { Baseline2000000000001 } from './1-baseline.ts';
import { Search2000000000002 } from './2-search.ts';
import { FillSearch2000000000003 } from './3-fill-search.ts';
import { NameIndex2000000000004 } from './4-name-index.ts';
import { Places2000000000005 } from './5-places.ts';
import { FillPlaces2000000000006 } from './6-fill-places.ts';
import { Credits2000000000007 } from './7-credits.ts';
import { ProjectDeletion2000000000008 } from './8-project-deletion.ts';
import { RetentionRules2000000000009 } from './9-retention-rules.ts';
import { Erasures2000000000010 } from './10-erasures.ts';
import { Passages2000000000011 } from './11-passages.ts';
import { FillPassages2000000000012 } from './12-fill-passages.ts';
import { AccessTokens2000000000013 } from './13-access-tokens.ts';
import { Embeddings2000000000014 } from './14-embeddings.ts';

/** In the order of execution. */
export const migrations = [
  Baseline2000000000001,
  Search2000000000002,
  FillSearch2000000000003,
  NameIndex2000000000004,
  Places2000000000005,
  FillPlaces2000000000006,
  Credits2000000000007,
  ProjectDeletion2000000000008,
  RetentionRules2000000000009,
  Erasures2000000000010,
  Passages2000000000011,
  FillPassages2000000000012,
  AccessTokens2000000000013,
  Embeddings2000000000014,
];
