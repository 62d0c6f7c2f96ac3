import * as z from 'zod';
import { ok } from '../../../../shared/result.ts';
import { commitOf } from '../../git/currentBranch.ts';
import { logFormat, parseLog } from '../../git/parseLog.ts';
import type { GitPort } from '../../git/repository.ts';
import type { Tool } from '../frame/tool.ts';
import { defineGitTool, placesOf, repoPath, withoutNul } from './gitTool.ts';

const defaultCount = 20;
const maxCommits = 500;

export function createGitLog(port: GitPort): Tool {
  return defineGitTool(port, {
    name: 'git_log',
    permission: 'none',
    about: 'The latest commits, newest first; since and until are dates ("2 weeks ago"), author and file narrow it.',
    input: () =>
      z.object({
        repoPath: repoPath(),
        maxCount: z.int().min(1).max(maxCommits).optional(),
        since: withoutNul().optional(),
        until: withoutNul().optional(),
        author: withoutNul().optional(),
        file: z.string().optional(),
      }),
    output: () =>
      z.object({
        commits: z.array(
          z.object({
            hash: z.string(),
            shortHash: z.string(),
            author: z.string(),
            email: z.string(),
            date: z.string(),
            subject: z.string(),
            body: z.string(),
            parents: z.array(z.string()),
          }),
        ),
        count: z.number(),
        truncated: z.boolean().optional(),
      }),
    text: ({ commits }) =>
      commits.length === 0
        ? 'no commits'
        : commits
            .map(({ shortHash, date, author, subject, body }) =>
              [`${shortHash} ${date.slice(0, 10)} ${author}: ${subject}`, ...(body === '' ? [] : [body])].join('\n'),
            )
            .join('\n'),
    effects: () => ['reads'],
    summary: () => 'Look at the history',
    async check({ file }, repository) {
      const whole = repository.isForeign ? ['.'] : [];
      const places = file === undefined ? ok(whole) : await placesOf(repository, [file]);
      return places.ok ? ok({ value: places.value, places: places.value }) : places;
    },
    async run({ maxCount = defaultCount, since, until, author }, repository, places) {
      const head = await commitOf(repository, 'HEAD');
      if (!head.ok) return head;
      if (head.value === null) return ok({ commits: [], count: 0 });
      const narrowed = [
        ...(since === undefined ? [] : [`--since=${since}`]),
        ...(until === undefined ? [] : [`--until=${until}`]),
        ...(author === undefined ? [] : [`--author=${author}`]),
      ];
      const read = await repository.read([
        'log',
        '-z',
        '--no-show-signature',
        '--no-color',
        `--max-count=${maxCount}`,
        `--format=${logFormat}`,
        ...narrowed,
        ...(places.length > 0 ? ['--', ...places] : []),
      ]);
      if (!read.ok) return read;
      const commits = parseLog(read.value.stdout);
      return ok({ commits, count: commits.length, truncated: read.value.truncated || undefined });
    },
  });
}
