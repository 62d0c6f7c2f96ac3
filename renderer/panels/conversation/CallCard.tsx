import { Ban, Check, ChevronRight, CircleDashed, Loader, SquareTerminal, X } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../../shared/model/call.ts';
import type { Task } from '../../../shared/model/task.ts';
import { costText } from '../../../shared/text/amounts.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { changesOf, lineTotals, subagentEndOf } from '../../mirror/selectors.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { Lines } from '../../parts/Lines.tsx';
import { useNow } from '../../parts/useNow.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { showTask } from '../../view/show.ts';
import { useSession } from '../../view/useSession.ts';
import { durationText, spanText } from '../../words/amounts.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { BuildMark } from './BuildMark.tsx';
import { CallDetails } from './CallDetails.tsx';
import { RewindButton } from './RewindButton.tsx';
import { SubagentButtons } from './SubagentButtons.tsx';

type Face = 'proposed' | 'running' | 'finished' | 'failed' | 'denied';

export function faceOf({ state, result, answer }: Call): Face {
  if (state !== 'finished') return state === 'running' ? 'running' : 'proposed';
  if (result?.success) return 'finished';
  return answer?.decision === 'deny' ? 'denied' : 'failed';
}

const faces = {
  proposed: { icon: CircleDashed, color: 'text-soft' },
  running: { icon: Loader, color: 'text-accent' },
  finished: { icon: Check, color: 'text-good' },
  failed: { icon: X, color: 'text-bad' },
  denied: { icon: Ban, color: 'text-warn' },
} as const;

/** One call in one line; opened, everything it was given and gave. */
export function CallCard({ call }: { readonly call: Call }) {
  const words = useWords();
  const client = useClient();
  const [open, setOpen] = useState(false);
  const task = useSession(({ tasks }) => (call.task === undefined ? null : (tasks[call.task] ?? null)));
  const session = useSession(({ id }) => id);
  const face = faceOf(call);
  // A command that ran and failed is a finished call, but nobody should read a green mark beside `exit 1`.
  const { icon: Icon, color } = faces[face === 'finished' && (task?.exitCode ?? 0) !== 0 ? 'failed' : face];
  const error = call.result?.success === false ? call.result.error : undefined;
  const changes = changesOf(call);
  const totals = lineTotals(changes);
  return (
    <article className="py-0.5">
      <div className={cx('rounded-md', open && 'border border-line bg-raised')}>
        <div className="group flex items-center">
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className={cx(
              'flex h-7 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left transition-colors hover:bg-hover',
              open && 'hover:bg-transparent',
            )}
          >
            <ChevronRight
              aria-hidden
              className={cx('size-3 shrink-0 text-soft transition-transform', open && 'rotate-90')}
            />
            <Icon aria-hidden className={cx('size-3.5 shrink-0', color, face === 'running' && 'animate-spin')} />
            <span className="min-w-0 flex-1 truncate" title={call.tool}>
              <VisibleText text={words.said(call.intent?.summary ?? call.tool)} />
            </span>
            {changes.length > 0 && <Lines {...totals} />}
            <Outcome call={call} task={task} face={face} words={words} />
          </button>
          <SubagentButtons call={call.id} />
          {call.changeSet !== undefined && <BuildMark changeSet={call.changeSet} />}
          {call.changeSet !== undefined && <RewindButton to={{ changeSet: call.changeSet }} />}
          {task && (
            <button
              type="button"
              aria-label={words.call.watch}
              title={words.call.watch}
              className="mr-1 rounded-sm p-1 text-soft hover:bg-hover hover:text-ink"
              onClick={() => showTask(task.id)}
            >
              <SquareTerminal aria-hidden className="size-3.5" />
            </button>
          )}
        </div>
        {open && <CallDetails call={call} />}
      </div>
      {error && !open && (
        <div className="flex items-center gap-2 pb-1 pl-9 text-xs">
          <p
            className={cx('min-w-0 flex-1 truncate', face === 'denied' ? 'text-soft' : 'text-bad')}
            title={words.said(error.message)}
          >
            {words.said(error.message)}
          </p>
          {error.code === 'PHASE_FORBIDDEN' && (
            <Button onClick={() => void valueOrToast(client.call('session.movePhase', { session, phase: 'PATCHING' }))}>
              {words.call.moveToPatching}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

function Outcome({
  call,
  task,
  face,
  words,
}: {
  readonly call: Call;
  readonly task: Task | null;
  readonly face: Face;
  readonly words: Words;
}) {
  const parts: string[] = [];
  if (call.startedAt && call.finishedAt) {
    const took = durationText(Date.parse(call.finishedAt) - Date.parse(call.startedAt), words);
    if (took) parts.push(took);
  }
  const cost = subagentEndOf(call)?.cost;
  if (cost !== undefined) parts.push(costText(cost));
  const live = task !== null && (task.state === 'running' || task.state === 'queued');
  if (live && task.background) parts.push(words.call.background);
  else if (task?.exitCode !== undefined) parts.push(words.call.exit(task.exitCode));
  else if (face !== 'finished' && face !== 'running') parts.push(words.call[face]);
  const failed = task?.exitCode !== undefined && task.exitCode !== 0;
  return (
    <span className={cx('tabular shrink-0 text-2xs', failed ? 'text-bad' : 'text-soft')}>
      {parts.join(' · ')}
      {face === 'running' && call.startedAt && <Running since={call.startedAt} words={words} />}
    </span>
  );
}

function Running({ since, words }: { readonly since: string; readonly words: Words }) {
  return <>{spanText(useNow() - Date.parse(since), words)}</>;
}
