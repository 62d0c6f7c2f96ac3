import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Look } from '../../workspace/look.ts';
import { isText, type ProposedChange } from '../../workspace/proposedChange.ts';
import { encodeChanged, type TextStyle } from '../../workspace/textFile.ts';
import { unifiedDiff } from '../../workspace/unifiedDiff.ts';
import { clipText } from './clipText.ts';

export interface TextEditPlan<T> {
  /** Relative to the project. */
  readonly path: string;
  readonly change: ProposedChange;
  readonly edited: T;
}

/** What the encoding of a file cannot hold is a fault of the input that brings it. Error: VALIDATION_ERROR. */
export function unwritable(text: string, like: TextStyle, property: string): Result<never> | undefined {
  const bytes = encodeChanged(text, like);
  if (bytes.ok) return undefined;
  const { code, message } = bytes.error;
  return fail(code, message, [{ path: property, message }]);
}

/** An edit of one text file as a proposal; `property` is the input that brings new text. Errors: those of `readText` and of the edit. */
export async function planTextEdit<T extends { readonly text: string }>(
  look: Look,
  filePath: string,
  property: string,
  edit: (text: string) => Result<T>,
): Promise<Result<TextEditPlan<T>>> {
  const found = await look.resolve(filePath);
  if (!found.ok) return found;
  const path = found.value.relative;
  const before = await look.readText(path);
  if (!before.ok) return before;
  const edited = edit(before.value.text);
  if (!edited.ok) return edited;
  const wrong = unwritable(edited.value.text, before.value, property);
  if (wrong) return wrong;
  const change: ProposedChange = {
    path,
    real: found.value.real,
    status: 'modified',
    before: before.value,
    after: { text: edited.value.text, like: before.value },
  };
  return ok({ path, change, edited: edited.value });
}

/** The unified diff of an edit as it was really written. */
export function diffOf(path: string, change: ProposedChange | undefined): string {
  const before = change?.before && isText(change.before) ? change.before.text : null;
  const after = change?.after && 'text' in change.after ? change.after.text : null;
  return clipText(unifiedDiff(before, after, { path })).text;
}
