import { Check, CircleHelp, Clock, Play, Square, X } from 'lucide-react';
import type { Task, TaskState } from '../../../shared/model/task.ts';
import { cx } from '../../parts/cx.ts';
import { useNow } from '../../parts/useNow.ts';
import { showTask } from '../../view/show.ts';
import { useSession } from '../../view/useSession.ts';
import { clockText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';

const faces: Readonly<Record<TaskState, { readonly icon: typeof Play; readonly color: string }>> = {
  queued: { icon: Clock, color: 'text-warn' },
  running: { icon: Play, color: 'text-good' },
  completed: { icon: Check, color: 'text-good' },
  failed: { icon: X, color: 'text-bad' },
  cancelled: { icon: Square, color: 'text-soft' },
  timeout: { icon: Clock, color: 'text-bad' },
  lost: { icon: CircleHelp, color: 'text-bad' },
};

export function TaskLine({
  task,
  isChosen,
  panelId,
}: {
  readonly task: Task;
  readonly isChosen: boolean;
  readonly panelId: string;
}) {
  const words = useWords();
  const build = useSession(({ builds }) => builds[task.id]);
  const hasFailed = task.exitCode !== undefined && task.exitCode !== 0 && task.state === 'completed';
  const { icon: Icon, color } = faces[hasFailed ? 'failed' : task.state];
  return (
    <li role="presentation">
      <button
        type="button"
        role="tab"
        aria-selected={isChosen}
        aria-controls={isChosen ? panelId : undefined}
        tabIndex={isChosen ? 0 : -1}
        title={task.command}
        onClick={() => showTask(task.id)}
        className={cx(
          'flex h-7 w-full items-center gap-2 rounded-md px-2 text-left transition-colors hover:bg-hover',
          isChosen && 'bg-chosen hover:bg-chosen',
        )}
      >
        <Icon
          aria-hidden
          className={cx('size-3 shrink-0', color)}
          fill={task.state === 'running' ? 'currentColor' : 'none'}
        />
        <span className="sr-only">{words.console.state[task.state]}: </span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs">{task.title || task.command}</span>
        {build?.state === 'red' && (
          <span className="tabular shrink-0 rounded-sm bg-bad-tint px-1 text-2xs font-medium text-bad">
            {words.builds.errors(build.errors)}
          </span>
        )}
        {task.stalledOn && <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-warn" />}
        <span className="tabular shrink-0 text-2xs text-soft">
          {task.state === 'running' ? (
            <>
              <Elapsed since={task.startedAt ?? task.createdAt} />
              {task.ports?.[0] !== undefined && ` :${task.ports[0]}`}
            </>
          ) : task.state === 'queued' ? (
            words.console.queuedAt(task.place ?? 1)
          ) : (
            <span className={cx((task.exitCode ?? 0) !== 0 && 'text-bad')}>
              {task.exitCode === undefined ? words.console.state[task.state] : words.console.exit(task.exitCode)}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}

function Elapsed({ since }: { readonly since: string }) {
  return <>{clockText(useNow() - Date.parse(since))}</>;
}
