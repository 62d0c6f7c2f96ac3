import { create } from 'zustand';
import { type Decision, undecided } from './verdict.ts';

/** What was decided about waiting files and not applied yet, by call and path. It survives a reload of the page. */
interface Decisions {
  readonly byFile: Readonly<Record<string, Decision>>;
}

const storageKey = 'vise.review';
/** Decisions on calls that are long gone are dropped, the oldest first. */
const most = 200;

export const fileKey = (call: string, path: string): string => `${call} ${path}`;

function restore(): Readonly<Record<string, Decision>> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Readonly<Record<string, Decision>>) : {}; // written below
  } catch {
    return {};
  }
}

export const useDecisions = create<Decisions>(() => ({ byFile: restore() }));

useDecisions.subscribe(({ byFile }) => {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(byFile));
  } catch {
    // Very large edits may not fit; they then live as long as the page.
  }
});

export function decisionOn(byFile: Decisions['byFile'], key: string): Decision {
  return byFile[key] ?? undecided;
}

/** What the latest verdicts were made over, the newest last; as many as one takes back. */
const past: { readonly key: string; readonly before: Decision }[] = [];
const mostPast = 100;

/** Takes the last verdict back; the key of its file. Words that were typed are no verdict. */
export function takeBackVerdict(): string | undefined {
  const last = past.pop();
  if (!last) return undefined;
  const { rejected, seen } = last.before;
  useDecisions.setState(({ byFile }) => ({
    byFile: { ...byFile, [last.key]: { ...decisionOn(byFile, last.key), rejected, seen } },
  }));
  return last.key;
}

export function decide(key: string, change: (decision: Decision) => Decision): void {
  useDecisions.setState(({ byFile: { [key]: before = undecided, ...others } }) => {
    const now = change(before);
    if (now.rejected !== before.rejected || now.seen !== before.seen) past.push({ key, before });
    if (past.length > mostPast) past.shift();
    return { byFile: Object.fromEntries([...Object.entries(others).slice(-most), [key, now]]) };
  });
}

export function forgetDecisions(keys: readonly string[]): void {
  past.splice(0, past.length, ...past.filter(({ key }) => !keys.includes(key)));
  useDecisions.setState(({ byFile }) => ({
    byFile: Object.fromEntries(Object.entries(byFile).filter(([key]) => !keys.includes(key))),
  }));
}
