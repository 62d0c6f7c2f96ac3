import { type Build, buildFindingLine, buildLine } from '../../../shared/model/build.ts';
import type { AppliedFile } from '../../../shared/model/change.ts';
import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import { findingLine, type Rehearsal, rehearsalCall, rehearsalLine } from '../../../shared/model/rehearsal.ts';
import type { Task } from '../../../shared/model/task.ts';
import { isOpenTodo, todoLine } from '../../../shared/model/todo.ts';
import { visible } from '../../../shared/text/visible.ts';
import { duration } from './duration.ts';
import type { Tone } from './io.ts';

/** How facts look: as lines of a stream, or as a page of a terminal. */
export interface Style {
  /** More words of the model. */
  words(text: string): void;
  /** A message of the model is whole. */
  endWords(): void;
  /** Those that were not whole yet are said anew. */
  dropWords(): void;
  /** Prints the words so far, so that what follows stands below them. */
  flush(): void;
  note(text: string, tone?: Tone): void;
  /** Behind the line of a file that was written. */
  showFile?(file: AppliedFile, calls: readonly string[]): void;
  /** Above the line of a command that ended otherwise than well; called for each that ended. */
  showTail?(task: Task): void;
}

/** Tells the facts of a session in a style, each once; `turn.finished` is for `tellEnd`. */
export function createTeller(style: Style): (envelope: Envelope) => void {
  /** Calls that somebody refused: told with the reason where it was answered. */
  const refused = new Set<string>();
  return ({ event }) => {
    switch (event.type) {
      case 'text.delta':
        return style.words(event.text);
      case 'text.restarted':
        return style.dropWords();
      case 'message':
        return event.role === 'assistant' ? style.endWords() : undefined;
      case 'phase.changed':
        style.flush();
        return style.note(`${event.from} → ${event.to}: ${event.cause}`, 'dim');
      case 'todos.changed':
        for (const todo of event.todos) style.note(`  ${todoLine(todo)}`, isOpenTodo(todo) ? undefined : 'dim');
        return;
      case 'tool.proposed': {
        style.flush();
        const preview = event.intent?.preview;
        return preview?.kind === 'command'
          ? // As it is approved: nothing of it hidden.
            style.note(`$ ${visible(preview.command).text}`, 'bold')
          : style.note(`· ${event.intent?.summary ?? event.tool}`);
      }
      case 'permission.answered':
        if (event.answer.decision !== 'deny' || event.answer.by !== 'user') return;
        refused.add(event.call);
        return style.note(`  denied: ${event.answer.reason ?? 'no reason given'}`, 'yellow');
      case 'tool.finished': {
        if (event.result.success || refused.delete(event.call)) return;
        const { code, message } = event.result.error;
        // "Not allowed: …" says by itself what its code says, with the reason and the remedy.
        const isRefusal = code === 'PERMISSION_REQUIRED' || code === 'PERMISSION_DENIED';
        return style.note(isRefusal ? `  ${message}` : `  ${code}: ${message}`, isRefusal ? 'yellow' : 'red');
      }
      case 'change.applied':
        for (const file of event.files) {
          style.note(`  ${file.verdict} ${file.path} +${file.additions} −${file.deletions}`, 'green');
          style.showFile?.(file, event.calls ?? [event.call]);
        }
        return;
      case 'change.rehearsed':
        return event.rehearsal ? tellRehearsal(event.rehearsal, style) : undefined;
      case 'build.changed':
        style.flush();
        return tellBuild(event.build, style);
      case 'task.backgrounded':
        if (event.task.call === rehearsalCall) return;
        return style.note(`  goes on in the background as ${event.task.id}`, 'dim');
      case 'task.ended':
        return event.task.kind === 'agent' && event.task.call !== rehearsalCall
          ? tellEnded(event.task, style)
          : undefined;
      case 'notice':
        style.flush();
        return style.note(
          event.text,
          event.level === 'error' ? 'red' : event.level === 'info' && event.code === 'hook' ? 'dim' : 'yellow',
        );
      default:
        return undefined;
    }
  };
}

/** Findings of a rehearsal that are told; the window has all of them. */
const maxFindingsTold = 10;

/** What checks say of the edits that wait, once they have said it, or which ones could. */
function tellRehearsal(rehearsal: Rehearsal, style: Style): void {
  const { state, checks, findings } = rehearsal;
  if (state === 'running') return;
  style.flush();
  if (state === 'asks') {
    const commands = checks.flatMap((check) => (check.state === 'asks' ? visible(check.command).text : []));
    return style.note(`  can be tried first: ${commands.join(', ')}`, 'dim');
  }
  const isRed = checks.some(({ errors }) => errors > 0);
  style.note(`  tried: ${rehearsalLine(rehearsal)}`, isRed ? 'red' : 'green');
  for (const finding of findings.slice(0, maxFindingsTold)) style.note(`    ${findingLine(finding)}`);
}

function tellBuild(build: Build, style: Style): void {
  style.note(`  ${build.task}: ${buildLine(build)}`, build.state === 'red' ? 'red' : 'green');
  for (const finding of build.findings.slice(0, maxFindingsTold)) style.note(`    ${buildFindingLine(finding)}`);
}

function tellEnded(task: Task, style: Style): void {
  const { command, state, exitCode, startedAt, endedAt, background, id } = task;
  const took =
    startedAt === undefined || endedAt === undefined
      ? ''
      : ` · ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`;
  const name = background === undefined ? '' : `${id} (${command}) `;
  style.showTail?.(task);
  style.note(
    `  ${name}${exitCode === undefined ? state : `exit code ${exitCode}`}${took}`,
    exitCode === 0 ? 'green' : 'red',
  );
}

/** Whether a turn ended with an answer; else its text says what went wrong. */
export function isAnswer({ outcome }: EventOf<'turn.finished'>): boolean {
  return outcome === 'done' || outcome === 'answered' || outcome === 'incomplete';
}

/** What stays to be told of a turn that is over: what is open, and what went wrong. */
export function tellEnd(event: EventOf<'turn.finished'>, style: Pick<Style, 'note'>): void {
  const { outcome, text, open = [] } = event;
  if (open.length > 0) style.note(open.join('\n'), 'yellow');
  if (!isAnswer(event) && text !== '') style.note(`${outcome}: ${text}`, 'red');
}
