export type StatusWord = 'modified' | 'added' | 'deleted' | 'renamed' | 'untracked' | 'conflicted';

export interface StatusFile {
  readonly path: string;
  readonly oldPath?: string;
  /** One letter of `git status --porcelain=v2`: `.` unchanged, M, T, A, D, R, C, U; `?` for untracked. */
  readonly index: string;
  readonly worktree: string;
  readonly staged: boolean;
  readonly status: StatusWord;
}

export interface Status {
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  readonly detached: boolean;
  /** The commit, null before the first. */
  readonly head: string | null;
  readonly upstream: string | null;
  readonly ahead: number;
  readonly behind: number;
  readonly files: readonly StatusFile[];
}

/** The fields before the path in lines of type 1, 2 and u (git-status, "Porcelain Format Version 2"). */
const fieldsBefore: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

/** Reads `git status --porcelain=v2 --branch -z`. */
export function parseStatus(output: string): Status {
  const headers = new Map<string, string>();
  const files: StatusFile[] = [];
  const records = output.split('\0');
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? '';
    const kind = record.charAt(0);
    if (kind === '#') {
      const [, name = '', value = ''] = /^# (\S+) (.*)$/s.exec(record) ?? [];
      headers.set(name, value);
    } else if (kind === '?') {
      files.push({ path: record.slice(2), index: '?', worktree: '?', staged: false, status: 'untracked' });
    } else if (fieldsBefore[kind] !== undefined) {
      const path = afterFields(record, fieldsBefore[kind]);
      const [index = '.', worktree = '.'] = record.slice(2, 4);
      if (kind === '2') at += 1;
      const oldPath = kind === '2' ? { oldPath: records[at] ?? '' } : {};
      const staged = kind !== 'u' && index !== '.';
      files.push({ path, ...oldPath, index, worktree, staged, status: wordOf(kind, index, worktree) });
    }
  }
  const name = headers.get('branch.head') ?? '';
  const head = headers.get('branch.oid') ?? '(initial)';
  const [, ahead = '0', behind = '0'] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? [];
  const detached = name === '(detached)';
  return {
    branch: detached ? null : name,
    detached,
    head: head === '(initial)' ? null : head,
    upstream: headers.get('branch.upstream') ?? null,
    ahead: Number(ahead),
    behind: Number(behind),
    files,
  };
}

function afterFields(record: string, count: number): string {
  let at = 0;
  for (let field = 0; field < count; field += 1) at = record.indexOf(' ', at) + 1;
  return record.slice(at);
}

function wordOf(kind: string, index: string, worktree: string): StatusWord {
  if (kind === 'u') return 'conflicted';
  const letters = index + worktree;
  if (letters.includes('R')) return 'renamed';
  if (letters.includes('D')) return 'deleted';
  return /[AC]/.test(letters) ? 'added' : 'modified';
}
