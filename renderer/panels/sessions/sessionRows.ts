import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { homeOfSession } from '../../mirror/laneHomes.ts';

export const stateFilters = ['all', 'waiting', 'running', 'failed'] as const;
export type StateFilter = (typeof stateFilters)[number];

/** From when on the sessions below a head were touched last. */
export type Period = 'today' | 'yesterday' | 'week' | 'older';

/** One row of the list; heads name what is below them. A pinned session of another project is *elsewhere*: no head tells. */
export type SessionRow =
  | { readonly kind: 'session'; readonly session: SessionSummary; readonly isElsewhere?: boolean }
  | { readonly kind: 'head'; readonly key: string; readonly of: Period | 'pinned' | { readonly project: string } };

export interface Wish {
  readonly state: StateFilter;
  readonly showsArchived: boolean;
  readonly pinned: readonly string[];
  /** All projects, each with a head of its own, the one on show first; else that one alone. */
  readonly isEverywhere: boolean;
  readonly project: string | null;
  /** The session on show. */
  readonly shown: string | null;
  readonly nowMs: number;
}

/** Subagents are many and short: one is listed while it works or waits, and where it or its session is on show. */
function isListed({ id, state, subagentOf }: SessionSummary, shown: string | null): boolean {
  return !subagentOf || state !== 'idle' || id === shown || subagentOf.session === shown;
}

/** The sessions that are wished for, those of lanes under the project they belong to: pinned ones first, then by project and by when they were touched last, newest first. */
export function sessionRows(sessions: readonly SessionSummary[], wish: Wish): readonly SessionRow[] {
  const wanted = sessions
    .filter((one) => wish.isEverywhere || homeOfSession(one) === wish.project)
    .filter((one) => wish.state !== 'all' || isListed(one, wish.shown))
    .filter((one) => (wish.showsArchived || !one.archived) && isIn(one, wish.state))
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
  const isPinned = ({ id }: SessionSummary): boolean => wish.pinned.includes(id);
  const pinned = wanted.filter(isPinned);
  const rest = Map.groupBy(
    wanted.filter((one) => !isPinned(one)),
    homeOfSession,
  );
  const projects = [...rest.keys()].toSorted((a, b) => Number(b === wish.project) - Number(a === wish.project));
  return belowTheirs([
    ...(pinned.length > 0 ? [{ kind: 'head', key: 'pinned', of: 'pinned' } as const] : []),
    ...pinned.map((one) => ({ ...rowOf(one), isElsewhere: homeOfSession(one) !== wish.project })),
    ...projects.flatMap((project): readonly SessionRow[] => [
      ...(wish.isEverywhere ? [{ kind: 'head', key: project, of: { project } } as const] : []),
      ...byPeriod(rest.get(project) ?? [], project, wish.nowMs),
    ]),
  ]);
}

/** Subagents stand right below the session that started them, where that is listed. */
function belowTheirs(rows: readonly SessionRow[]): readonly SessionRow[] {
  const listed = new Set(rows.flatMap((row) => (row.kind === 'session' ? [row.session.id] : [])));
  const parentOf = (row: SessionRow): string | undefined => {
    const parent = row.kind === 'session' ? row.session.subagentOf?.session : undefined;
    return parent !== undefined && listed.has(parent) ? parent : undefined;
  };
  const children = Map.groupBy(rows, parentOf);
  return rows.flatMap((row) => {
    if (parentOf(row) !== undefined) return [];
    return row.kind === 'session' ? [row, ...(children.get(row.session.id) ?? [])] : [row];
  });
}

const rowOf = (session: SessionSummary): SessionRow => ({ kind: 'session', session });

function isIn({ state, lastOutcome, broken }: SessionSummary, filter: StateFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'failed') return broken !== undefined || (state === 'idle' && lastOutcome === 'failed');
  return state === filter;
}

function byPeriod(sessions: readonly SessionSummary[], project: string, nowMs: number): readonly SessionRow[] {
  const periods = Map.groupBy(sessions, ({ updatedAt }) => periodOf(Date.parse(updatedAt), nowMs));
  // Newest first, so the periods are in their order; alone, the newest needs no head.
  return [...periods].flatMap(([period, those]): readonly SessionRow[] => [
    ...(periods.size > 1 || period !== 'today'
      ? [{ kind: 'head', key: `${project} ${period}`, of: period } as const]
      : []),
    ...those.map(rowOf),
  ]);
}

/** By the days of the person's own clock. */
export function periodOf(atMs: number, nowMs: number): Period {
  const midnight = new Date(nowMs);
  midnight.setHours(0, 0, 0, 0);
  const dayStart = (daysAgo: number): number => new Date(midnight).setDate(midnight.getDate() - daysAgo);
  if (atMs >= dayStart(0)) return 'today';
  if (atMs >= dayStart(1)) return 'yesterday';
  return atMs >= dayStart(7) ? 'week' : 'older';
}
