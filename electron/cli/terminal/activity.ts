import type { Envelope } from '../../../shared/model/event.ts';
import type { Phase } from '../../../shared/model/phase.ts';
import { rehearsalCall } from '../../../shared/model/rehearsal.ts';
import { duration } from '../base/duration.ts';
import { forTerminal } from '../base/forTerminal.ts';
import { cutLine, type Line, span, widthOf } from './spans.ts';

/** What a turn does at this moment, as far as its facts tell. Times are milliseconds since the epoch. */
export interface Activity {
  readonly model: string;
  /** Of a session in the phased mode. */
  readonly phase?: Phase | undefined;
  /** `background`: the turn is over, and what it left running is waited for. */
  readonly doing: 'nothing' | 'waiting' | 'thinking' | 'writing' | 'asking' | 'working' | 'background';
  readonly since: number;
  /** The call that is worked on. */
  readonly work: string;
  /** When a failed request is sent again. */
  readonly retryAt?: number | undefined;
  /** Commands that run, by their call: the oldest first. */
  readonly commands: readonly RunningCommand[];
}

interface RunningCommand {
  readonly call: string;
  readonly command: string;
  readonly since: number;
  readonly background: boolean;
  /** The last lines of what it printed, the last one perhaps unfinished. */
  readonly tail: readonly string[];
}

export const noActivity: Activity = { model: '', doing: 'nothing', since: 0, work: '', commands: [] };

const tailLines = 5;
const maxLineChars = 2_000;

/** The activity after a fact. */
export function nextActivity(before: Activity, { event, at }: Envelope): Activity {
  const since = Date.parse(at);
  const now = (doing: Activity['doing'], work = ''): Activity =>
    before.doing === doing && before.work === work ? before : { ...before, doing, since, work, retryAt: undefined };
  switch (event.type) {
    case 'session.started':
    case 'session.configured': {
      const { model, mode } = event;
      const phase = mode === undefined ? before.phase : mode === 'phased' ? (before.phase ?? 'IDLE') : undefined;
      return { ...before, model: model ?? before.model, phase };
    }
    case 'turn.started':
      return { ...before, doing: 'waiting', since };
    case 'reasoning.delta':
      return now('thinking');
    case 'text.delta':
      return now('writing');
    case 'text.restarted':
      return now('waiting');
    case 'phase.changed':
      return { ...before, phase: event.to };
    case 'tool.proposed':
      return now('working', event.intent?.summary ?? event.tool);
    case 'permission.asked':
      return now('asking');
    case 'permission.answered':
      return now('working', before.work);
    case 'task.started': {
      const { call, command, background, kind } = event.task;
      if (call === undefined || call === rehearsalCall || kind !== 'agent') return before;
      const running = { call, command, since, background: background !== undefined, tail: [] };
      return { ...before, commands: [...before.commands.filter((one) => one.call !== call), running] };
    }
    case 'task.backgrounded':
      return withCommand(before, event.task.call, (one) => ({ ...one, background: true }));
    case 'tool.output':
      return withCommand(before, event.call, (one) => ({ ...one, tail: grownTail(one.tail, event.text) }));
    case 'task.ended':
      return { ...before, commands: before.commands.filter(({ call }) => call !== event.task.call) };
    case 'tool.finished':
      return { ...before, doing: 'waiting', since, work: '' };
    case 'notice':
      return event.until === undefined ? before : { ...before, retryAt: Date.parse(event.until) };
    case 'turn.finished':
      return { ...before, doing: before.commands.length === 0 ? 'nothing' : 'background', since, work: '' };
    default:
      return before;
  }
}

function withCommand(
  before: Activity,
  call: string | undefined,
  change: (command: RunningCommand) => RunningCommand,
): Activity {
  return { ...before, commands: before.commands.map((one) => (one.call === call ? change(one) : one)) };
}

/** The last lines after more text. A carriage return begins the line anew, as progress bars do. */
function grownTail(tail: readonly string[], text: string): readonly string[] {
  const [last = '', ...more] = text.split(/\r?\n/);
  const lines = [...tail.slice(0, -1), `${tail.at(-1) ?? ''}${last}`, ...more];
  return lines.map((line) => line.slice(line.lastIndexOf('\r') + 1).slice(-maxLineChars)).slice(-tailLines - 1);
}

/** The last lines of an output that say something. */
export function toldLines(tail: readonly string[]): readonly string[] {
  return tail.filter((line) => line.trim() !== '').slice(-tailLines);
}

const turning = ['◐', '◓', '◑', '◒'] as const;

/**
 * What stands below the conversation while a turn runs: the last lines of the command that is waited for, and one line that says
 * what is waited for and for how long. Empty while nothing runs.
 */
export function activityLines(activity: Activity, now: number, columns: number, hint: string): readonly Line[] {
  const { doing, model, phase, commands, retryAt, since, work } = activity;
  if (doing === 'nothing') return [];
  const command = commands.find(({ background }) => !background || doing === 'background');
  const others = commands.filter((one) => one !== command).length;
  const facts = [
    ...(retryAt !== undefined && retryAt > now ? [`again in ${Math.ceil((retryAt - now) / 1000)} s`] : []),
    ...(doing === 'asking' ? [] : [duration(now - (command?.since ?? since))]),
    ...(phase === undefined || doing === 'background' ? [] : [phase]),
    ...(others > 0 ? [`${others} ${command === undefined ? 'in the background' : 'more running'}`] : []),
    hint,
  ].join(' · ');
  const what = {
    waiting: `waiting for ${model || 'the model'}`,
    thinking: `${model || 'the model'} thinks`,
    writing: `${model || 'the model'} writes`,
    asking: 'waiting for your answer',
    background: 'waiting for the background',
    working: work,
  }[doing];
  const sign = turning[Math.floor(now / 250) % turning.length] ?? turning[0];
  const shown = forTerminal(command === undefined ? what : `$ ${command.command}`).replaceAll(/\s+/g, ' ');
  // What is waited for must not push the seconds off the line.
  const room = Math.max(8, columns - widthOf(facts) - 5);
  const status: Line = [span(`${sign} `, 'yellow'), ...cutLine([span(shown)], room), span(` · ${facts}`, 'dim')];
  return [...(command === undefined ? [] : tailOf(command.tail)), status];
}

export function tailOf(tail: readonly string[]): readonly Line[] {
  return toldLines(tail).map((line) => [span(`  │ ${forTerminal(line).replaceAll('\t', '    ')}`, 'dim')]);
}
