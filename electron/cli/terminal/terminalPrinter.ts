import type { AppliedFile } from '../../../shared/model/change.ts';
import type { Phase } from '../../../shared/model/phase.ts';
import { addUsage, noUsage, type Usage } from '../../../shared/model/usage.ts';
import { usageText } from '../../../shared/text/amounts.ts';
import type { Clock } from '../../engine/base/clock.ts';
import type { Disposable } from '../../engine/base/disposer.ts';
import { duration } from '../base/duration.ts';
import { forTerminal } from '../base/forTerminal.ts';
import type { Printer } from '../base/printEvents.ts';
import { createTeller, isAnswer, type Style, tellEnd } from '../base/tellFacts.ts';
import { type Activity, activityLines, nextActivity, noActivity, tailOf } from './activity.ts';
import { hunkLines } from './diffLines.ts';
import { createPage } from './page.ts';
import type { Screen } from './screen.ts';
import { factLines, type Line, span, wrapped } from './spans.ts';

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
  const waits = answerTo !== undefined;
  const style: Style = {
    words: (text) => page.grow(text, waits),
    // Words of a reply that may be the final answer are not for the terminal.
    endWords: () => (waits ? page.pending() !== '' && page.grow('\n', true) : page.flush()),
    dropWords: () => page.drop(),
    flush: () => page.flush(),
    note: (text, tone) => page.note(text, ...(tone === undefined ? [] : [tone])),
    showFile(file, calls) {
      if (!calls.every(deps.isShown)) page.show('note', () => shownDiff(file, deps, screen.columns() - 1));
    },
    showTail({ call = '', exitCode }) {
      const tail = tailOf(running.get(call)?.tail ?? []);
      running.delete(call);
      if (exitCode !== 0) page.show('note', () => tail);
    },
  };
  const tell = createTeller(style);
  return {
    print(envelope) {
      const { event, at } = envelope;
      activity = nextActivity(activity, envelope);
      if (event.type === 'turn.started') turnStarted = Date.parse(at);
      if (event.type === 'usage') usage = addUsage(usage, { ...event.usage, cost: event.cost ?? event.usage.cost });
      for (const command of activity.commands) running.set(command.call, command);
      if (event.type !== 'turn.finished') tell(envelope);
      draw();
    },
    async end(event) {
      const { outcome, text } = event;
      const isText = isAnswer(event);
      activity = { ...activity, doing: 'nothing' };
      if (!waits || !isText) page.flush();
      page.drop();
      draw();
      tellEnd(event, style);
      const took = turnStarted === undefined ? [] : [duration(clock.now() - turnStarted)];
      const said = isText || text === '' ? [outcome] : [];
      const facts = [...said, ...took, ...spent(usage)];
      // How long it took to fail without having asked says nothing.
      if (facts.length > 1) page.show('note', () => factLines(facts, screen.columns() - 1, 'dim'));
      usage = noUsage;
      await page.end();
      if (waits && isText && text.trim() !== '') answerTo(`${text.replace(/\n*$/, '')}\n`);
    },
    dispose: () => tick?.dispose(),
  };
}

function spent(usage: Usage): readonly string[] {
  const { requests } = usage;
  return requests === 0
    ? []
    : [`${requests} ${requests === 1 ? 'request' : 'requests'}`, ...usageText(usage).split(' · ')];
}

async function shownDiff(file: AppliedFile, deps: TerminalPrinterDeps, columns: number): Promise<readonly Line[]> {
  const text = file.verdict === 'rejected' ? undefined : await deps.diff(file);
  if (text === undefined) return [];
  const lines = hunkLines(forTerminal(text), columns);
  const shown = lines.slice(0, diffRows);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, [span(`  … ${more} more lines`, 'dim')]] : shown;
}
