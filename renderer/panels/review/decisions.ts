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

export function decide(key: string, change: (decision: Decision) => Decision): void {
  useDecisions.setState(({ byFile: { [key]: before = undecided, ...others } }) => ({
    byFile: Object.fromEntries([...Object.entries(others).slice(-most), [key, change(before)]]),
  }));
}

export function forgetDecisions(keys: readonly string[]): void {
  useDecisions.setState(({ byFile }) => ({
    byFile: Object.fromEntries(Object.entries(byFile).filter(([key]) => !keys.includes(key))),
  }));
}
