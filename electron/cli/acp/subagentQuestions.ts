import type { Client } from '../../../shared/contract/client.ts';
import type { SessionSummary } from '../../../shared/model/workbench.ts';
import { shown } from './callView.ts';
import { askedBy, type Editor } from './editor.ts';
import { createEditorQuestions, type EditorQuestions, type EditorQuestionsDeps } from './editorQuestions.ts';
import { type WatchedSession, watchSession } from './watchSession.ts';

/** What a session and its subagents ask. */
export interface AllQuestions extends EditorQuestions {
  stop(): Promise<void>;
}

interface SubagentQuestionsDeps extends Omit<EditorQuestionsDeps, 'client' | 'state'> {
  readonly client: Client;
  readonly session: string;
}

/** What subagents ask is put before the person in the session that started them, which is the one that the editor knows. */
export function withSubagents(own: EditorQuestions, deps: SubagentQuestionsDeps): AllQuestions {
  const { client, session, editor, warn } = deps;
  const known = new Map<string, { readonly questions: EditorQuestions; watched?: WatchedSession }>();
  const take = async ({ id, title, project, subagentOf }: SessionSummary): Promise<void> => {
    if (subagentOf?.session !== session || known.has(id)) return;
    const read: Editor['read'] = async (content) => {
      if (content === null) return null;
      const found = await client.call('content.read', { session: id, id: content });
      return found.ok ? (found.value.text ?? undefined) : undefined;
    };
    const asker = `The subagent “${shown(title)}”`;
    const questions = createEditorQuestions({
      ...deps,
      state: () => {
        if (!one.watched) throw new Error('asked before it was watched');
        return one.watched.state();
      },
      editor: () => ({ ...editor(), project, read, asker }),
      say: (text) => deps.say(`\n\n${askedBy(asker, text.trim())}`),
    });
    const one: { readonly questions: EditorQuestions; watched?: WatchedSession } = { questions };
    known.set(id, one);
    const watched = await watchSession(client, id, ({ event }) => {
      if (event.type === 'permission.asked' && one.watched) questions.ask();
    });
    if (!watched.ok) return warn(`The subagent ${title} cannot be followed: ${watched.error.message}`);
    one.watched = watched.value;
    questions.ask();
  };
  const forget = client.onWorkbench(({ event }) => {
    if (event.type === 'session.listed') void take(event.summary);
  });
  void client.call('workbench.watch', {}).then((watched) => {
    if (watched.ok) for (const summary of Object.values(watched.value.state.sessions)) void take(summary);
  });
  const all = () => [own, ...[...known.values()].flatMap(({ questions, watched }) => (watched ? [questions] : []))];
  return {
    begin() {
      for (const questions of all()) questions.begin();
    },
    ask() {
      for (const questions of all()) questions.ask();
    },
    answerWith(text) {
      for (const questions of all()) {
        const answered = questions.answerWith(text);
        if (answered) return answered;
      }
      return undefined;
    },
    async stop() {
      forget();
      for (const { watched } of known.values()) await watched?.stop();
    },
  };
}
