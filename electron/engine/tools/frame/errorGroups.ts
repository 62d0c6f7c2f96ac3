import type { ErrorCode } from '../../../../shared/errorCode.ts';

/** What opening and reading one file can end with. STALE: it was replaced in that moment. */
export const readErrors = [
  'PATH_TRAVERSAL_DETECTED',
  'FILE_NOT_FOUND',
  'NOT_A_FILE',
  'UNAVAILABLE',
  'STALE',
] as const satisfies readonly ErrorCode[];

/** What reading it as text can end with. */
export const textErrors = [...readErrors, 'BINARY_FILE', 'FILE_TOO_LARGE'] as const satisfies readonly ErrorCode[];

/** What keeping bytes beside the journal can end with. */
export const keepErrors = ['FILE_WRITE_ERROR', 'DISK_FULL', 'LIMIT_EXCEEDED'] as const satisfies readonly ErrorCode[];

/** What keeping the old content and writing the new one can end with. */
export const writeErrors = [
  'PATH_TRAVERSAL_DETECTED',
  'NOT_A_FILE',
  'STALE',
  'FILE_WRITE_ERROR',
  'DISK_FULL',
] as const satisfies readonly ErrorCode[];

/** What naming a folder can end with. */
export const folderErrors = [
  'PATH_TRAVERSAL_DETECTED',
  'DIRECTORY_NOT_FOUND',
  'NOT_A_DIRECTORY',
] as const satisfies readonly ErrorCode[];

/** What starting a command and waiting for it can end with. UNAVAILABLE: the sandbox cannot be set up, or all is closing. */
export const commandErrors = [
  'COMMAND_NOT_FOUND',
  'NOT_EXECUTABLE',
  'UNAVAILABLE',
  'TIMEOUT',
] as const satisfies readonly ErrorCode[];

/** What opening a repository and asking git can end with. */
export const gitErrors = [
  ...folderErrors,
  'NOT_A_GIT_REPOSITORY',
  'GIT_ERROR',
  'UNAVAILABLE',
  'TIMEOUT',
  'STALE',
] as const satisfies readonly ErrorCode[];

/** What every call on a page can end with. */
export const pageErrors = ['TAB_NOT_FOUND', 'TIMEOUT', 'UNAVAILABLE'] as const satisfies readonly ErrorCode[];

export const unique = (...codes: readonly ErrorCode[]): readonly ErrorCode[] => [...new Set(codes)];
