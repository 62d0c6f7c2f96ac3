import type { Client } from '../../../shared/contract/client.ts';
import { allAsked } from '../../../shared/model/asked.ts';
import type { Call } from '../../../shared/model/call.ts';
import { questionsOf, waitsAsEdit } from '../../../shared/model/questions.ts';
import { liveCallsOf } from '../../../shared/model/reduce.ts';
import type { SessionState } from '../../../shared/model/sessionState.ts';
import type { Result } from '../../../shared/result.ts';
import { askChoice, askEditor } from './askEditor.ts';
import { askInForm } from './askInWords.ts';
import { questionText, shown } from './callView.ts';
import type { Editor, EditorAnswer } from './editor.ts';

export interface EditorQuestionsDeps {
  readonly client: Client;
  readonly state: () => SessionState;
  /** A prompt of the client waits for its end: at other times it expects no question. */
  readonly isRunning: () => boolean;
  readonly editor: () => Editor;
  /** Resolves when the editor has been told all that happened so far. */
  readonly told: () => Promise<void>;
  readonly say: (text: string) => Promise<void>;
  /** Ends the client's prompt while the turn waits: the next prompt is the answer. */
  readonly endPrompt: () => Promise<void>;
  readonly warn: (problem: string) => void;
}

/** What waits in a session, put before the person behind the editor: one after the other. */
export interface EditorQuestions {
  /** A prompt begins: what was taken back before is asked again. */
  begin(): void;
  /** Asks what waits, if a prompt runs; answers at once. */
  ask(): void;
  /** Answers the agent's question that waits; undefined when none does. */
  answerWith(text: string): Promise<Result<unknown>> | undefined;
}

export function createEditorQuestions(deps: EditorQuestionsDeps): EditorQuestions {
  const { client, state, isRunning, editor, told, say, endPrompt, warn } = deps;
  const asked = new Set<string>();
  let asking: Promise<void> | undefined;

  const askAll = async (): Promise<void> => {
    for (;;) {
      await told();
      const next = nextQuestion(state(), asked);
      if (next === undefined || !isRunning()) return;
      const [first] = next;
      if (!isQuestion(first)) await askApprovals(first);
      else if (!(await askQuestion(first))) return;
    }
  };

  /** The edits of one turn are answered together, so that they are written all or none. */
  const askApprovals = async (first: Call): Promise<void> => {
    const session = state().id;
    const answers: (EditorAnswer & { readonly call: string })[] = [];
    const belongs = (one: Call): boolean => waitsAsEdit(first) && waitsAsEdit(one) && one.turn === first.turn;
    for (let call: Call | undefined = first; call !== undefined; ) {
      asked.add(call.id);
      const answer = await askEditor(call, editor());
      if (answer === undefined) return;
      answers.push({ call: call.id, ...answer });
      call = nextQuestion(state(), asked)?.find(belongs);
    }
    const plain = answers.flatMap(({ decision, call, reason, verdicts }) =>
      decision === 'once' || decision === 'deny' ? [{ call, decision, reason, verdicts }] : [],
    );
    if (answers.length > 1 && plain.length === answers.length)
      return warnOf(await client.call('change.answer', { session, answers: plain }));
    for (const answer of answers) warnOf(await client.call('permission.answer', { session, ...answer }));
  };

  /** False when the answer is the next prompt. */
  const askQuestion = async (call: Call): Promise<boolean> => {
    const preview = call.intent?.preview;
    const questions = preview?.kind === 'question' ? allAsked(preview) : [];
    asked.add(call.id);
    if (editor().forms) return answerQuestion(call, await askInForm(call, questions, editor()));
    const [{ choices = [], isMultiple = false } = {}] = questions;
    const isChoice = questions.length === 1 && choices.length > 0 && !isMultiple;
    const chosen = isChoice ? await askChoice(call, choices, editor()) : undefined;
    if (chosen !== undefined || editor().signal.aborted) return answerQuestion(call, chosen);
    if (!isChoice) await say(`\n\n${shown(questionText(questions))}`);
    await endPrompt();
    return false;
  };
  const answerQuestion = async (call: Call, answer: string | undefined): Promise<boolean> => {
    if (editor().signal.aborted) return true;
    const decision = answer === undefined ? 'deny' : 'once';
    warnOf(await client.call('permission.answer', { session: state().id, call: call.id, decision, answer }));
    return true;
  };

  const warnOf = (result: Result<unknown>): void => {
    if (!result.ok) warn(result.error.message);
  };

  const ask = (): void => {
    if (asking !== undefined || !isRunning() || nextQuestion(state(), asked) === undefined) return;
    asking = askAll()
      .catch((error: unknown) => warn(`a question was not answered: ${String(error)}`))
      .finally(() => {
        asking = undefined;
        ask(); // one may have come since the last look
      });
  };

  return {
    begin: () => asked.clear(),
    ask,
    answerWith(answer) {
      const call = liveCallsOf(state()).find(isQuestion);
      return call && client.call('permission.answer', { session: state().id, call: call.id, decision: 'once', answer });
    },
  };
}

function isQuestion({ state, intent }: Call): boolean {
  return state === 'waiting' && intent?.preview.kind === 'question';
}

/** What waits and was not asked yet. */
function nextQuestion(state: SessionState, asked: ReadonlySet<string>): readonly [Call, ...Call[]] | undefined {
  for (const question of questionsOf(state)) {
    const [first, ...others] = question.filter(({ id }) => !asked.has(id));
    if (first) return [first, ...others];
  }
  return undefined;
}
