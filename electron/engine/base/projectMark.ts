import { createHash } from 'node:crypto';

/**
 * What the folders of a project's state are named after: 16 hex digits, the same for the same path. Ask for it when such
 * a folder is used and not before: the hash loads `node:crypto`, 4 ms of a start.
 */
export function projectMark(project: string): string {
  return createHash('sha256').update(project).digest('hex').slice(0, 16);
}
