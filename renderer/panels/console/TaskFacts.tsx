import { Copy, FileText, Keyboard, MessageCircleQuestion, RotateCw, Search, Square, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { finalTaskStates, type Task } from '../../../shared/model/task.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { takesInput } from '../../mirror/selectors.ts';
import { IconButton } from '../../parts/Button.tsx';
import { copyText } from '../../parts/copyText.ts';
import { isMac, keysText } from '../../parts/keys.ts';
import { useNow } from '../../parts/useNow.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { useConsoleState } from '../../view/panelState.ts';
import { useSession } from '../../view/useSession.ts';
import { clockText, spanText } from '../../words/amounts.ts';
import { useWords } from '../../words/words.tsx';
import { BuildReport } from './BuildReport.tsx';
import { copyOutput } from './copyOutput.ts';
import { InputLine } from './InputLine.tsx';
import { PlacesMenu } from './PlacesMenu.tsx';

interface TaskFactsProps {
  readonly task: Task;
  readonly session: string;
  readonly onFind: () => void;
}

/** What is known of the chosen task, and what can be done to it. */
export function TaskFacts({ task, session, onFind }: TaskFactsProps) {
  const words = useWords();
  const build = useSession(({ builds }) => builds[task.id]);
  const [isTyping, setIsTyping] = useState(false);
  const isOver = finalTaskStates.includes(task.state);
  const canType = takesInput(task);
  const target = { session, task: task.id };
  return (
    <div className="@container shrink-0 border-b border-line">
      <div className="flex min-h-8.5 flex-wrap items-center gap-x-3 pr-1.5 pl-3 text-xs whitespace-nowrap text-soft">
        <code
          className="selectable min-w-40 flex-1 truncate font-mono text-xs text-ink"
          title={`${task.command}\n${task.cwd}`}
        >
          <VisibleText text={task.command} />
        </code>
        <span className="flex flex-wrap items-center gap-x-3">
          <Facts task={task} isOver={isOver} />
        </span>
        <span className="ml-auto flex h-8.5 items-center">
          {canType && (
            <IconButton label={words.console.send} aria-pressed={isTyping} onClick={() => setIsTyping(!isTyping)}>
              <Keyboard />
            </IconButton>
          )}
          {task.state !== 'queued' && (
            <IconButton label={words.console.search} keys={keysText('mod+f', isMac)} onClick={onFind}>
              <Search />
            </IconButton>
          )}
          <TaskButtons task={task} session={session} isOver={isOver} />
        </span>
      </div>
      {task.stalledOn !== undefined && !isOver ? (
        <div className="flex flex-wrap items-center gap-2 border-t border-warn-edge bg-warn-tint px-3 py-1 text-xs text-warn">
          <p role="status" className="flex min-w-0 items-center gap-2">
            <MessageCircleQuestion aria-hidden className="size-3.5 shrink-0" />
            <span className="min-w-0 break-words">
              <VisibleText text={words.console.stalled(task.stalledOn)} />
            </span>
          </p>
          {canType ? <InputLine target={target} prompt={task.stalledOn} /> : <p>{words.console.noInput}</p>}
        </div>
      ) : (
        isTyping &&
        canType && (
          <div className="flex px-3 pb-1.5">
            <InputLine target={target} />
          </div>
        )
      )}
      {build && <BuildReport build={build} task={task} session={session} />}
      {(task.background || task.survivors?.length || task.error) && (
        <p className="flex flex-wrap gap-x-3 px-3 pb-1.5 text-2xs text-soft">
          {task.background && <span>{words.console.why[task.background]}</span>}
          {task.survivors && task.survivors.length > 0 && (
            <span className="text-bad">{words.console.survivors(task.survivors.join(', '))}</span>
          )}
          {task.error && (
            <span className="selectable text-bad">
              <VisibleText text={task.error} />
            </span>
          )}
        </p>
      )}
    </div>
  );
}

function Facts({ task, isOver }: { readonly task: Task; readonly isOver: boolean }) {
  const words = useWords();
  return (
    <>
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
          onClick={() => openOverlay({ kind: 'link', url: `http://127.0.0.1:${port}/` })}
        >
          :{port}
        </button>
      ))}
      {task.exitCode !== undefined && (
        <span className={task.exitCode === 0 ? 'text-good' : 'text-bad'}>{words.console.exit(task.exitCode)}</span>
      )}
      {task.signal && <span className="text-bad">{words.console.signal(task.signal)}</span>}
    </>
  );
}

function TaskButtons({ task, session, isOver }: Omit<TaskFactsProps, 'onFind'> & { readonly isOver: boolean }) {
  const words = useWords();
  const client = useClient();
  const input = { session, task: task.id };
  const restart = async (): Promise<void> => {
    const started = await valueOrToast(client.call('task.restart', input));
    if (started) useConsoleState.setState({ task: started.task });
  };
  const { logPath } = task;
  return (
    <>
      {logPath !== undefined && (
        <>
          <PlacesMenu task={task} session={session} />
          <IconButton label={words.console.copyOutput} onClick={() => void copyOutput(client, words, input)}>
            <Copy />
          </IconButton>
          <IconButton label={words.console.copyLog} onClick={() => void copyText(logPath, words)}>
            <FileText />
          </IconButton>
        </>
      )}
      <IconButton label={words.console.restart} onClick={() => void restart()}>
        <RotateCw />
      </IconButton>
      {isOver ? (
        <IconButton label={words.console.remove} onClick={() => void valueOrToast(client.call('task.remove', input))}>
          <Trash2 />
        </IconButton>
      ) : (
        <IconButton
          label={words.console.stop}
          className="!text-bad"
          onClick={() => void valueOrToast(client.call('task.stop', input))}
        >
          <Square fill="currentColor" />
        </IconButton>
      )}
    </>
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
