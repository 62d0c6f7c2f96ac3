export interface Commit {
  readonly hash: string;
  readonly shortHash: string;
  readonly author: string;
  readonly email: string;
  /** ISO 8601 with the author's offset. */
  readonly date: string;
  readonly subject: string;
  readonly body: string;
  readonly parents: readonly string[];
}

/** For `git log -z`: no field can hold a NUL. */
export const logFormat = 'tformat:%H%x00%h%x00%an%x00%ae%x00%aI%x00%P%x00%s%x00%b';
const fieldCount = 8;

export function parseLog(output: string): readonly Commit[] {
  const fields = output.split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + fieldCount <= fields.length; at += fieldCount) {
    const [hash = '', shortHash = '', author = '', email = '', date = '', parents = '', subject = '', body = ''] =
      fields.slice(at, at + fieldCount);
    commits.push({
      hash,
      shortHash,
      author,
      email,
      date,
      subject,
      body: body.trimEnd(),
      parents: parents.split(' ').filter((parent) => parent !== ''),
    });
  }
  return commits;
}
