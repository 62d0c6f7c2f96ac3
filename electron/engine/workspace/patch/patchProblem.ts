import { fail } from '../../../../shared/result.ts';

/** Why a section cannot be applied. */
export interface PatchProblem {
  readonly path: string;
  readonly hunk?: number;
  readonly reason:
    | 'not-found'
    | 'already-applied'
    | 'ambiguous'
    | 'file-missing'
    | 'file-exists'
    | 'blocked'
    | 'content-remains'
    | 'symlink'
    | 'submodule'
    | 'malformed';
  readonly expected?: string;
  readonly actual?: string;
  /** 1-based lines of the places between which nothing decides. */
  readonly candidates?: readonly number[];
  readonly message?: string;
}

export function patchFailed(problems: readonly PatchProblem[]) {
  const words = problems.map(({ path, hunk, reason, candidates, message }) => {
    const places = candidates ? ` (lines ${candidates.join(', ')}); add lines of context until they fit one` : '';
    const more = message === undefined ? '' : ` (${message})`;
    return `${path}${hunk === undefined ? '' : ` hunk ${hunk + 1}`}: ${reasons[reason]}${places}${more}`;
  });
  return fail(
    'PATCH_FAILED',
    `The patch does not apply, nothing was changed. ${words.slice(0, 10).join('; ')}`,
    problems,
  );
}

const reasons: Readonly<Record<PatchProblem['reason'], string>> = {
  'not-found': 'its old lines are not in the file',
  'already-applied': 'its new lines are there already',
  ambiguous: 'its old lines are in the file more than once',
  'file-missing': 'the file does not exist',
  'file-exists': 'the file exists already',
  blocked: 'a part of its path is a file, not a folder',
  'content-remains': 'the file to delete has other content',
  symlink: 'symbolic links are not patched',
  submodule: 'submodules are not patched',
  malformed: 'its section makes no sense',
};
