import { statSync } from 'node:fs';
import { join } from 'node:path';
import { reduce } from '../../../shared/model/reduce.ts';
import { emptySession } from '../../../shared/model/sessionState.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { keepYoungSmall } from '../base/youngGeneration.ts';
import { journalName } from './journal.ts';
import { eachFact, type JournalContent } from './readJournal.ts';
import { readSnapshot, type SessionAt } from './snapshot.ts';

/** A session as its journal has it. */
export interface RestoredSession extends SessionAt, Pick<JournalContent, 'torn' | 'skipped' | 'skippedCount'> {
  /** How much of the journal was read: what came after the snapshot. */
  readonly readBytes: number;
}

/** From here on the young generation would grow. */
const longBytes = 16 * 1024 * 1024;

/**
 * The state of the session in a folder, from its snapshot and what its journal has after that, one fact at a time. Without a `version` the
 * journal alone counts; without `items`, see `readSnapshot`. Errors:
 * those of `eachFact`, and CONFIG_INVALID where the journal does not begin with its session.
 */
export function restoreSession(
  folder: string,
  version: string | undefined,
  { items = true }: { readonly items?: boolean } = {},
): Result<RestoredSession> {
  const path = join(folder, journalName);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= longBytes) keepYoungSmall();
  const known = version === undefined ? undefined : readSnapshot(folder, version, { items });
  const fromBytes = known?.wholeBytes ?? 0;
  let { state, seq } = known ?? { state: emptySession, seq: 0 };
  const read = eachFact(
    path,
    (fact) => {
      state = reduce(state, fact);
      seq = fact.seq;
    },
    { fromBytes },
  );
  if (!read.ok) return read;
  if (state.id === '') return fail('CONFIG_INVALID', `${path} does not begin with its session; it is left as it is.`);
  return ok({ ...read.value, state, seq, readBytes: read.value.wholeBytes - fromBytes });
}
