import type { AppliedFile } from '../../../shared/model/change.ts';
import type { Envelope, EventOf } from '../../../shared/model/event.ts';
import type { Phase } from '../../../shared/model/phase.ts';
import type { Task } from '../../../shared/model/task.ts';
import { addUsage, noUsage, type Usage } from '../../../shared/model/usage.ts';
import { usageText } from '../../../shared/text/amounts.ts';
import { visible } from '../../../shared/text/visible.ts';
import type { Clock } from '../../engine/base/clock.ts';
import type { Disposable } from '../../engine/base/disposer.ts';
import { forTerminal } from '../base/forTerminal.ts';
import type { Printer } from '../base/printEvents.ts';
import { type Activity, activityLines, duration, nextActivity, noActivity, tailOf } from './activity.ts';
import { diffLines } from './diffLines.ts';
import { createPage, type Page } from './page.ts';
import type { Screen } from './screen.ts';
import { type Line, span, wrapped } from './spans.ts';

export interface TerminalPrinterDeps {
  readonly screen: Screen;
  readonly clock: Clock;
  /** Standard output is no terminal: it gets the final answer alone, as it was written. */
  readonly answerTo?: ((text: string) => void) | undefined;
  /** What a turn can be stopped with. */
  readonly hint: string;
  /** Those of the session so far. */
  readonly model: string;
  readonly phase: Phase | undefined;
  /** The diff of a file; undefined where it is no text. */
  diff(file: AppliedFile): Promise<string | undefined>;
  /** Whether the diff of this call has been shown already, when it was asked about. */
  isShown(call: string): boolean;
}

/** How often the line of what runs is drawn anew, so that its seconds go on. */
const tickMs = 250;
/** Lines of a diff that nobody asked for; the rest is a number. */
const diffRows = 24;
/** Lines of words that are still being written. */
const pendingRows = 8;

/**
 * Facts as a person at a terminal follows them: Markdown and diffs in colours within the width, and below them, while a turn
 * runs, a line that says what is waited for and the last lines of the command that runs.
 */
export function createTerminalPrinter(deps: TerminalPrinterDeps): Printer & Disposable {
  const { screen, clock, answerTo } = deps;
  const page = createPage(screen);
  let activity: Activity = { ...noActivity, model: deps.model, phase: deps.phase };
  let usage: Usage = noUsage;
  let turnStarted: number | undefined;
  let tick: Disposable | undefined;
  const running = new Map<string, Activity['commands'][number]>();

  const draw = (): void => {
    tick?.dispose();
    tick = undefined;
    const columns = screen.columns() - 1;
    const pending = forTerminal(page.pending()).trim();
    const words = pending === '' ? [] : pending.split('\n').flatMap((line) => wrapped([span(line)], columns));
    const state = activityLines(activity, clock.now(), columns, deps.hint);
    const gap = (isApart: boolean): readonly Line[] => (isApart ? [[]] : []);
    screen.setStatus([
      ...gap(words.length > 0 && page.begun()),
      ...words.slice(-pendingRows),
      ...gap(words.length > 0 || (page.begun() && state.length === 1)),
      ...state,
    ]);
    if (activity.doing !== 'nothing') tick = clock.after(tickMs, draw);
  };
  const told: Tell = {
    page,
    diff: (file) => shownDiff(file, deps, screen.columns() - 1),
    isShown: (calls) => calls.every(deps.isShown),
    waits: answerTo !== undefined,
    tailOf(call) {
      const command = running.get(call);
      running.delete(call);
      return tailOf(command?.tail ?? []);
    },
  };
  return {
    print(envelope) {
      const { event, at } = envelope;
      activity = nextActivity(activity, envelope);
      if (event.type === 'turn.started') turnStarted = Date.parse(at);
      if (event.type === 'usage') usage = addUsage(usage, { ...event.usage, cost: event.cost ?? event.usage.cost });
      for (const command of activity.commands) running.set(command.call, command);
      if (event.type !== 'turn.finished') tell(envelope, told);
      draw();
    },
    async end({ outcome, text, open = [] }) {
      activity = { ...activity, doing: 'nothing' };
      const isText = outcome === 'done' || outcome === 'answered' || outcome === 'incomplete';
      if (answerTo === undefined || !isText) page.flush();
      page.drop();
      draw();
      if (open.length > 0) page.note(open.join('\n'), 'yellow');
      const isFault = !isText && text !== '';
      if (isFault) page.note(`${outcome}: ${text}`, 'red');
      const took = turnStarted === undefined ? [] : [duration(clock.now() - turnStarted)];
      page.note([...(isFault ? [] : [outcome]), ...took, ...spent(usage)].join(' · '), 'dim');
      usage = noUsage;
      await page.end();
      if (answerTo !== undefined && isText && text.trim() !== '') answerTo(`${text.replace(/\n*$/, '')}\n`);
    },
    dispose: () => tick?.dispose(),
  };
}

function spent(usage: Usage): readonly string[] {
  const { requests } = usage;
  return requests === 0 ? [] : [`${requests} ${requests === 1 ? 'request' : 'requests'}`, usageText(usage)];
}

/** What the facts are told with. */
interface Tell {
  readonly page: Page;
  diff(file: AppliedFile): Promise<readonly Line[]>;
  isShown(calls: readonly string[]): boolean;
  /** The words of a reply may be the final answer, which is not for the terminal. */
  readonly waits: boolean;
  /** The last lines of a command's output, once. */
  tailOf(call: string): readonly Line[];
}

function tell({ event }: Envelope, told: Tell): void {
  const { page } = told;
  switch (event.type) {
    case 'text.delta':
      return page.grow(event.text, told.waits);
    case 'text.restarted':
      return page.drop();
    case 'message':
      if (event.role !== 'assistant') return;
      return told.waits && page.pending() !== '' ? page.grow('\n', true) : told.waits ? undefined : page.flush();
    case 'tool.proposed': {
      page.flush();
      const preview = event.intent?.preview;
      return preview?.kind === 'command'
        ? // As it is approved: nothing of it hidden.
          page.note(`$ ${visible(preview.command).text}`, 'bold')
        : page.note(`· ${event.intent?.summary ?? event.tool}`);
    }
    case 'phase.changed':
      page.flush();
      return page.note(`${event.from} → ${event.to}: ${event.cause}`, 'dim');
    case 'permission.answered':
      return event.answer.decision === 'deny'
        ? page.note(`  denied: ${event.answer.reason ?? 'no reason given'}`, 'yellow')
        : undefined;
    case 'tool.finished':
      return event.result.success || isDenied(event.result.error.code)
        ? undefined
        : page.note(`  ${event.result.error.code}: ${event.result.error.message}`, 'red');
    case 'change.applied':
      return tellApplied(event, told);
    case 'task.backgrounded':
      return page.note(`  goes on in the background as ${event.task.id}`, 'dim');
    case 'task.ended':
      return event.task.kind === 'agent' ? tellEnded(event.task, told) : undefined;
    case 'notice':
      page.flush();
      return page.note(event.text, event.level === 'error' ? 'red' : 'yellow');
    default:
      return undefined;
  }
}

/** The refusal has been told with its reason where it was answered. */
const isDenied = (code: string): boolean => code === 'PERMISSION_DENIED' || code === 'PERMISSION_REQUIRED';

function tellEnded({ call, command, state, exitCode, startedAt, endedAt, background, id }: Task, told: Tell): void {
  const took = startedAt !== undefined && endedAt !== undefined ? Date.parse(endedAt) - Date.parse(startedAt) : 0;
  const tail = call === undefined ? [] : told.tailOf(call);
  const name = background === undefined ? '' : `${id} (${command}) `;
  told.page.show('note', () => (exitCode === 0 ? [] : tail));
  told.page.note(
    `  ${name}${exitCode === undefined ? state : `exit code ${exitCode}`} · ${duration(took)}`,
    exitCode === 0 ? 'green' : 'red',
  );
}

function tellApplied({ files, calls, call }: EventOf<'change.applied'>, { page, diff, isShown }: Tell): void {
  const isKnown = isShown(calls ?? [call]);
  for (const file of files) {
    page.note(`  ${file.verdict} ${file.path} +${file.additions} −${file.deletions}`, 'green');
    if (!isKnown) page.show('note', () => diff(file));
  }
}

async function shownDiff(file: AppliedFile, deps: TerminalPrinterDeps, columns: number): Promise<readonly Line[]> {
  const text = file.verdict === 'rejected' ? undefined : await deps.diff(file);
  if (text === undefined) return [];
  // Its head names the file once more.
  const lines = diffLines(forTerminal(text.slice(Math.max(0, text.indexOf('\n@@') + 1))), columns - 2);
  const shown = lines.slice(0, diffRows).map((line) => [span('  '), ...line]);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, [span(`  … ${more} more lines`, 'dim')]] : shown;
}
