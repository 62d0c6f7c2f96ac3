import { type Issue, issueOf } from '../base/issue.ts';

const field = (fields: string, name: string): string | undefined =>
  new RegExp(`(?:^|,) ?${name}=([^,]*)`).exec(fields)?.[1];

/** Workflow commands: `::error file=a.ts,line=1,col=7,title=rule::message`, as many linters print them for CI. */
export function parseAnnotations(text: string): readonly Issue[] {
  return [...text.matchAll(/^::(error|warning|notice) ([^:\n]*(?::(?!:)[^:\n]*)*)::(.*)$/gm)].flatMap(
    ([, severity = '', fields = '', message]) => {
      const file = field(fields, 'file');
      if (file === undefined) return [];
      const word = severity === 'notice' ? 'info' : severity;
      const [line, column, rule] = ['line', 'col', 'title'].map((name) => field(fields, name));
      return [issueOf({ severity: word, message, file, line, column, rule })];
    },
  );
}
