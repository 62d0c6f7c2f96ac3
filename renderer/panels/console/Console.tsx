import { Plus, SquareTerminal } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { newShell } from '../../app/actions.ts';
import { useClient } from '../../app/client.tsx';
import { useSession } from '../../app/useSession.ts';
import { useView } from '../../app/view.ts';
import { commandKeys } from '../../commands/commands.ts';
import { isMac, keysText } from '../../commands/keys.ts';
import { tasksInOrder } from '../../mirror/selectors.ts';
import { Button, IconButton } from '../../parts/Button.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { useWords } from '../../words/words.tsx';
import { TaskFacts } from './TaskFacts.tsx';
import { TaskLine } from './TaskLine.tsx';

const Screen = lazy(() => import('./Screen.tsx').then(({ Screen: component }) => ({ default: component })));

/** Every command of the session: the list on the left, the live screen of the chosen one on the right. */
export function Console() {
  const words = useWords();
  const client = useClient();
  const tasks = useSession(tasksInOrder);
  const session = useSession(({ id }) => id);
  const wanted = useView((view) => view.task);
  const hasProject = useView((view) => view.project !== null);
  const task = tasks.find(({ id }) => id === wanted) ?? tasks[0];
  const keys = commandKeys('newShell');
  return (
    <section aria-label={words.console.title} className="flex h-full min-h-0 bg-panel">
      <div className="flex w-60 shrink-0 flex-col border-r border-line">
        <div className="flex h-8.5 shrink-0 items-center pr-1.5 pl-3">
          <h2 className="flex-1 text-xs font-semibold text-soft">{words.console.title}</h2>
          <IconButton
            label={words.console.shell}
            keys={keys ? keysText(keys, isMac) : ''}
            disabled={!hasProject}
            onClick={() => void newShell(client)}
          >
            <Plus />
          </IconButton>
        </div>
        <ul
          role="tablist"
          aria-orientation="vertical"
          aria-label={words.console.title}
          className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-1.5"
        >
          {tasks.map((each) => (
            <TaskLine key={each.id} task={each} isChosen={each.id === task?.id} />
          ))}
        </ul>
      </div>
      {task ? (
        <div className="flex min-w-0 flex-1 flex-col">
          <TaskFacts task={task} session={session} />
          {task.state === 'queued' ? (
            <div className="min-h-0 flex-1">
              <Empty icon={SquareTerminal} title={words.console.queuedAt(task.place ?? 1)}>
                {words.console.waiting}
              </Empty>
            </div>
          ) : (
            <Suspense fallback={<div className="flex-1" />}>
              <Screen key={`${session} ${task.id}`} session={session} task={task} />
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
