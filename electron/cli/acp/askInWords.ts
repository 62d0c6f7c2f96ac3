import type { ElicitationPropertySchema } from '@agentclientprotocol/sdk';
import { type Asked, answerText } from '../../../shared/model/asked.ts';
import type { Call } from '../../../shared/model/call.ts';
import { shown } from './callView.ts';
import { askForm, type Editor, textIn } from './editor.ts';

/** Questions in words as one form. Undefined when the person says nothing to any of them. */
export async function askInForm(call: Call, asked: readonly Asked[], editor: Editor): Promise<string | undefined> {
  const [first] = asked;
  const isAlone = asked.length === 1;
  const nameOf = (field: string, at: number): string => (isAlone ? field : `${field}_${at + 1}`);
  const fields = asked.flatMap(({ question, choices = [], isMultiple }, at) => {
    const title = isAlone ? undefined : `${at + 1}. ${shown(question)}`;
    const own = { type: 'string', title: choices.length > 0 ? 'Or in your own words' : (title ?? 'Answer') } as const;
    const rows: [string, ElicitationPropertySchema][] = [[nameOf('answer', at), own]];
    if (choices.length > 0) rows.unshift([nameOf('choice', at), choiceField(choices, isMultiple, title)]);
    return rows;
  });
  const message = isAlone ? shown(first?.question ?? '') : `${asked.length} questions`;
  const form = await askForm(editor, call.id, message, Object.fromEntries(fields));
  const said = asked.map((_, at) => ({
    picked: pickedIn(form?.get(nameOf('choice', at))),
    text: textIn(form, nameOf('answer', at)) ?? '',
  }));
  return answerText(asked, said) || undefined;
}

function choiceField(
  choices: readonly string[],
  isMultiple: boolean | undefined,
  title = 'Choice',
): ElicitationPropertySchema {
  if (!isMultiple) return { type: 'string', title, enum: [...choices] };
  return { type: 'array', title, items: { type: 'string', enum: [...choices] } };
}

function pickedIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '');
}
