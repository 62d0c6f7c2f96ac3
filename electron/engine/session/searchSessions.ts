import { itemsOf } from '../../../shared/model/timeline.ts';
import type { Sessions } from './sessions.ts';

export interface SearchHit {
  readonly session: string;
  readonly title: string;
  readonly at: string;
  readonly excerpt: string;
}

const maxHits = 50;
const around = 80;

/** Full text over titles and messages, newest sessions first, case-insensitive; one hit a message. */
export function searchSessions(sessions: Sessions, query: string, project?: string): readonly SearchHit[] {
  const wanted = query.trim().toLowerCase();
  const hits: SearchHit[] = [];
  if (wanted === '') return hits;
  for (const summary of sessions.list()) {
    if (project !== undefined && summary.project !== project) continue;
    const read = sessions.stateOf(summary.id);
    if (!read.ok) continue;
    if (summary.title.toLowerCase().includes(wanted)) {
      hits.push({ session: summary.id, title: summary.title, at: summary.updatedAt, excerpt: summary.title });
    }
    for (const item of itemsOf(read.value.items)) {
      if (item.kind !== 'user' && item.kind !== 'assistant') continue;
      const at = item.text.toLowerCase().indexOf(wanted);
      if (at < 0) continue;
      const excerpt = item.text.slice(Math.max(0, at - around), at + wanted.length + around).replaceAll(/\s+/g, ' ');
      hits.push({ session: summary.id, title: summary.title, at: item.at, excerpt });
      if (hits.length >= maxHits) return hits;
    }
    if (hits.length >= maxHits) return hits;
  }
  return hits;
}
