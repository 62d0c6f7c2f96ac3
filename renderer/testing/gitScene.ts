import type { GitState } from '../../shared/contract/gitApi.ts';

/** A branch ahead of its upstream, with a file on each side of the index and one that git does not know. */
export const gitState: GitState = {
  branch: 'mend-trailing-dash',
  detached: false,
  head: '4f1c9d2b7a6e5d4c3b2a190807f6e5d4c3b2a190',
  upstream: 'origin/mend-trailing-dash',
  ahead: 2,
  behind: 1,
  branches: ['main', 'mend-trailing-dash', 'release/1.2'],
  hasRemote: true,
  hosting: 'gh',
  total: 3,
  files: [
    {
      path: 'src/slug.ts',
      status: 'modified',
      staged: {
        id: 'h1',
        binary: false,
        additions: 1,
        deletions: 1,
        hunks: [
          {
            oldStart: 21,
            newStart: 21,
            lines: ["-export const version = '1.2.0';", "+export const version = '1.2.1';"],
          },
        ],
      },
      unstaged: {
        id: 'h2',
        binary: false,
        additions: 1,
        deletions: 4,
        hunks: [
          {
            oldStart: 12,
            newStart: 12,
            lines: [
              "-  let out = '';",
              '-  for (const word of words) {',
              '-    out += word + separator;',
              '-  }',
              '+  const out = words.join(separator);',
            ],
          },
        ],
      },
    },
    {
      path: 'src/slug.test.ts',
      status: 'modified',
      staged: { id: 'h3', binary: false, additions: 4, deletions: 0, hunks: [] },
    },
    { path: 'notes.md', status: 'untracked', unstaged: { binary: false, additions: 12, deletions: 0, hunks: [] } },
  ],
};
