import { Check, Circle, CircleDot, Map as MapIcon, Minus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PlanStep } from '../../../shared/model/phase.ts';
import { isOpenTodo } from '../../../shared/model/todo.ts';
import { SpotCommentButton } from '../../parts/comments/SpotCommentButton.tsx';
import { cx } from '../../parts/cx.ts';
import { Empty } from '../../parts/Empty.tsx';
import { PathText } from '../../parts/PathText.tsx';
import { planSpot } from '../../view/commentText.ts';
import { openFile } from '../../view/show.ts';
import { useSession } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { Todos } from './Todos.tsx';

const icons = { pending: Circle, running: CircleDot, done: Check, failed: X, skipped: Minus } as const;
const tones = {
  pending: 'text-soft',
  running: 'text-accent',
  done: 'text-good',
  failed: 'text-bad',
  skipped: 'text-soft',
} as const;

/** What the phases know of the task beside the conversation. */
export function Plan() {
  const words = useWords();
  const session = useSession(({ id }) => id);
  const facts = useSession((state) => state.facts);
  const todos = facts.todoList?.todos ?? [];
  const { findings, steps, constraints, filesRead, filesModified, replans } = facts;
  const lists = [todos, findings, steps, constraints, filesRead, filesModified];
  const isEmpty = lists.every(({ length }) => length === 0);
  if (isEmpty)
    return (
      <Empty icon={MapIcon} title={words.plan.none}>
        {words.plan.noneMore}
      </Empty>
    );
  return (
    <div className="selectable h-full overflow-y-auto px-4 py-3">
      {steps.length > 0 && (
        <Part title={words.plan.steps} note={replans > 0 ? words.plan.replans(replans) : undefined}>
          <ol className="flex flex-col gap-1.5">
            {steps.map((step, at) => (
              <Step key={step.id} step={step} number={at + 1} />
            ))}
          </ol>
        </Part>
      )}
      {todos.length > 0 && (
        <Part title={words.plan.todos} note={words.plan.todosDone(todos.filter(isOpenTodo).length, todos.length)}>
          <Todos session={session} todos={todos} />
        </Part>
      )}
      <Texts title={words.plan.findings} name={words.comments.finding} texts={findings} />
      <Texts title={words.plan.constraints} name={words.comments.constraint} texts={constraints} />
      <Paths title={words.plan.modified} paths={filesModified} />
      <Paths title={words.plan.read} paths={filesRead} />
    </div>
  );
}

function Step({ step, number }: { readonly step: PlanStep; readonly number: number }) {
  const words = useWords();
  const Icon = icons[step.state];
  return (
    <li className="flex gap-2 rounded-md border border-line bg-raised px-2.5 py-2">
      <Icon aria-hidden className={cx('mt-0.5 size-3.5 shrink-0', tones[step.state])} />
      <div className="min-w-0 flex-1">
        <p className={cx(step.state === 'skipped' && 'text-soft line-through')}>{step.intent}</p>
        {step.targetFiles.length > 0 && (
          <p className="flex flex-wrap gap-x-3 font-mono text-2xs text-soft">
            {step.targetFiles.map((path) => (
              <button key={path} type="button" className="hover:text-accent" onClick={() => openFile(path)}>
                {path}
              </button>
            ))}
          </p>
        )}
        {step.error && <p className="mt-0.5 text-xs text-bad">{step.error}</p>}
      </div>
      <SpotCommentButton spot={planSpot(words.comments.step, number, step.intent)} className={commentLook} />
      <span className={cx('shrink-0 text-2xs', tones[step.state])}>
        {words.plan[step.state]}
        {step.retries > 0 && ` · ${words.plan.retries(step.retries)}`}
      </span>
    </li>
  );
}

const commentLook = 'flex size-5 shrink-0 items-center justify-center rounded-sm [&_svg]:size-3.5';

function Part({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <section className="mb-4">
      <h3 className="mb-1.5 flex items-baseline gap-2 text-xs font-semibold text-soft">
        {title}
        {note && <span className="font-normal">{note}</span>}
      </h3>
      {children}
    </section>
  );
}

function Texts({
  title,
  name,
  texts,
}: {
  readonly title: string;
  /** What one of them is called in a comment. */
  readonly name: string;
  readonly texts: readonly string[];
}) {
  if (texts.length === 0) return null;
  return (
    <Part title={title}>
      <ul className="list-disc pl-4 marker:text-soft">
        {texts.map((text, at) => (
          <li key={text} className="py-0.5 break-words">
            <span className="flex items-start gap-2">
              <span className="min-w-0 flex-1">{text}</span>
              <SpotCommentButton spot={planSpot(name, at + 1, text)} className={commentLook} />
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Paths({ title, paths }: { readonly title: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <Part title={title}>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <button
              type="button"
              className="flex min-h-6 max-w-full items-center rounded-sm font-mono text-xs hover:text-accent"
              onClick={() => openFile(path)}
            >
              <PathText path={path} />
            </button>
          </li>
        ))}
      </ul>
    </Part>
  );
}
