import { ClipboardCopy, RotateCw, Square, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { finalTaskStates, type Task } from '../../../shared/model/task.ts';
import { told, useClient } from '../../app/client.tsx';
import { setView, showDialog } from '../../app/view.ts';
import { IconButton } from '../../parts/Button.tsx';
import { copyText } from '../../parts/copyText.ts';
import { useNow } from '../../parts/useNow.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { clockText, spanText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';

/** What is known of the chosen task, and what can be done to it. */
export function TaskFacts({ task, session }: { readonly task: Task; readonly session: string }) {
  const words = useWords();
  const client = useClient();
  const isOver = finalTaskStates.includes(task.state);
  const input = { session, task: task.id };
  const restart = async (): Promise<void> => {
    const started = await told(client.call('task.restart', input));
    if (started) setView({ task: started.task });
  };
  return (
    <div className="shrink-0 border-b border-line">
      <div className="flex h-8.5 items-center gap-3 pr-1.5 pl-3 text-xs whitespace-nowrap text-soft">
        <code
          className="selectable min-w-0 flex-1 truncate font-mono text-xs text-ink"
          title={`${task.command}\n${task.cwd}`}
        >
          <VisibleText text={task.command} />
        </code>
        {task.kind === 'user' && <span>{words.console.user}</span>}
        <Timing task={task} />
        {task.pid !== undefined && !isOver && (
          <Fact label={words.console.pid}>
            {words.console.pid} {task.pid}
          </Fact>
        )}
        {task.ports?.map((port) => (
          <button
            key={port}
            type="button"
            className="tabular text-accent hover:underline"
            title={words.console.openPort(port)}
            onClick={() => showDialog({ kind: 'link', url: `http://127.0.0.1:${port}/` })}
          >
            :{port}
          </button>
        ))}
        {task.exitCode !== undefined && (
          <span className={task.exitCode === 0 ? 'text-good' : 'text-bad'}>{words.console.exit(task.exitCode)}</span>
        )}
        {task.signal && <span className="text-bad">{words.console.signal(task.signal)}</span>}
        <span className="flex items-center">
          {task.logPath && (
            <IconButton label={words.console.copyLog} onClick={() => void copyText(task.logPath ?? '', words)}>
              <ClipboardCopy />
            </IconButton>
          )}
          <IconButton label={words.console.restart} onClick={() => void restart()}>
            <RotateCw />
          </IconButton>
          {isOver ? (
            <IconButton label={words.console.remove} onClick={() => void told(client.call('task.remove', input))}>
              <Trash2 />
            </IconButton>
          ) : (
            <IconButton
              label={words.console.stop}
              className="!text-bad"
              onClick={() => void told(client.call('task.stop', input))}
            >
              <Square fill="currentColor" />
            </IconButton>
          )}
        </span>
      </div>
      {(task.background || task.stalledOn || task.survivors?.length || task.error) && (
        <p className="flex flex-wrap gap-x-3 px-3 pb-1.5 text-2xs text-soft">
          {task.background && <span>{words.console.why[task.background]}</span>}
          {task.stalledOn && (
            <span role="status" className="text-warn">
              {words.console.stalled(task.stalledOn)}
            </span>
          )}
          {task.survivors && task.survivors.length > 0 && (
            <span className="text-bad">{words.console.survivors(task.survivors.join(', '))}</span>
          )}
          {task.error && <span className="text-bad">{task.error}</span>}
        </p>
      )}
    </div>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <span className="tabular" title={label}>
      {children}
    </span>
  );
}

function Timing({ task }: { readonly task: Task }) {
  const words = useWords();
  const now = useNow();
  const { startedAt, endedAt, lastOutputAt } = task;
  if (startedAt === undefined) return null;
  const until = endedAt === undefined ? now : Date.parse(endedAt);
  return (
    <>
      <Fact label={words.console.elapsed}>{clockText(until - Date.parse(startedAt))}</Fact>
      {endedAt === undefined && lastOutputAt !== undefined && (
        <Fact label={words.console.lastOutput}>
          {words.console.lastOutput} {words.console.ago(spanText(now - Date.parse(lastOutputAt), words))}
        </Fact>
      )}
    </>
  );
}
