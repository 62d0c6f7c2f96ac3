import { SquareTerminal } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useEffect, useState } from 'react';
import { useClient } from '../../client/client.ts';
import { newShell } from '../../commands/actions.ts';
import { tasksInOrder } from '../../mirror/selectors.ts';
import { Button } from '../../parts/Button.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { isMac, matchesKeys } from '../../parts/keys.ts';
import { useConsoleState } from '../../view/panelState.ts';
import { showTask } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { NewShellButton } from './ConsoleBar.tsx';
import { TaskFacts } from './TaskFacts.tsx';
import { TaskLine } from './TaskLine.tsx';

const Screen = lazy(() => import('./Screen.tsx').then(({ Screen: component }) => ({ default: component })));

const panelId = 'console-task';

/** Every command of the session: the list on the left, the live screen of the chosen one on the right. */
export function Console() {
  const words = useWords();
  const client = useClient();
  const tasks = useSession(tasksInOrder);
  const session = useSession(({ id }) => id);
  const wanted = useConsoleState(({ task }) => task);
  const hasProject = useShown(({ project }) => project !== null);
  const task = tasks.find(({ id }) => id === wanted) ?? tasks[0];
  const [isFinding, setIsFinding] = useState(false);
  const taskId = task?.id;
  // what is searched is searched in one task; another one begins without
  useEffect(() => setIsFinding(false), [taskId]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const inShell = event.target instanceof Element && event.target.closest('[data-own-keys]') !== null;
    if (!task || task.state === 'queued' || inShell || !matchesKeys('mod+f', event.nativeEvent, isMac)) return;
    event.preventDefault();
    setIsFinding(true);
  };
  const onListKey = (event: KeyboardEvent<HTMLUListElement>): void => {
    const next = nextIndex(
      event.key,
      tasks.findIndex(({ id }) => id === taskId),
      tasks.length,
    );
    const to = next === undefined ? undefined : tasks[next];
    if (!to) return;
    event.preventDefault();
    showTask(to.id);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next ?? 0]?.focus();
  };
  return (
    <section
      data-own-search
      aria-label={words.console.title}
      onKeyDown={onKeyDown}
      className="flex h-full min-h-0 bg-panel"
    >
      <div className="flex w-60 shrink-0 flex-col border-r border-line">
        <div className="flex h-8.5 shrink-0 items-center pr-1.5 pl-3">
          <h2 className="flex-1 text-xs font-semibold text-soft">{words.console.title}</h2>
          <NewShellButton disabled={!hasProject} />
        </div>
        <ul
          role="tablist"
          aria-orientation="vertical"
          aria-label={words.console.title}
          onKeyDown={onListKey}
          className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-1.5"
        >
          {tasks.map((each) => (
            <TaskLine key={each.id} task={each} isChosen={each.id === taskId} panelId={panelId} />
          ))}
        </ul>
      </div>
      {task ? (
        <div
          role="tabpanel"
          id={panelId}
          aria-label={words.console.output(task.title || task.command)}
          className="flex min-w-0 flex-1 flex-col"
        >
          <TaskFacts key={task.id} task={task} session={session} onFind={() => setIsFinding(true)} />
          {task.state === 'queued' ? (
            <div className="min-h-0 flex-1">
              <Empty icon={SquareTerminal} title={words.console.queuedAt(task.place ?? 1)}>
                {words.console.waiting}
              </Empty>
            </div>
          ) : (
            <Suspense fallback={<div className="flex-1" />}>
              <Screen
                key={`${session} ${task.id}`}
                session={session}
                task={task}
                isFinding={isFinding}
                onFind={setIsFinding}
              />
            </Suspense>
          )}
        </div>
      ) : (
        <div className="min-w-0 flex-1">
          <Empty icon={SquareTerminal} title={words.console.none}>
            <p>{words.console.noneMore}</p>
            {hasProject && (
              <Button className="mt-2" onClick={() => void newShell(client)}>
                {words.console.shell}
              </Button>
            )}
          </Empty>
        </div>
      )}
    </section>
  );
}

/** Where a key leads in a list of tabs from top to bottom. */
function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  return step === undefined ? undefined : (index + step + count) % count;
}
