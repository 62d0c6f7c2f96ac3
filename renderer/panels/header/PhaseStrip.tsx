import { Check, ChevronRight } from 'lucide-react';
import { Popover } from 'radix-ui';
import { toast } from 'sonner';
import type { Phase } from '../../../shared/model/phase.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { Button } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { popLook } from '../../parts/menuLook.ts';
import { useShown } from '../../view/shown.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

const strip = ['EXPLORING', 'PLANNING', 'PATCHING', 'VERIFYING'] as const satisfies readonly Phase[];
type StripPhase = (typeof strip)[number];

const isStripPhase = (phase: Phase): phase is StripPhase => strip.some((known) => known === phase);

/** Where the task stands. In a mode without phases it says the mode instead of pretending. */
export function PhaseStrip() {
  const words = useWords();
  const usual = useWorkbench(({ settings }) => settings.mode);
  const { phase, mode, iterations, maxIterations } = useSession(({ id, facts, mode }) => ({
    phase: facts.phase,
    // There is none before the first message.
    mode: id === '' ? usual : mode,
    iterations: facts.iterations,
    maxIterations: facts.maxIterations,
  }));
  if (mode !== 'phased') return <p className="shrink-0 px-1.5 text-xs text-soft">{words.mode[mode]}</p>;
  const at = isStripPhase(phase) ? strip.indexOf(phase) : phase === 'DONE' ? strip.length : -1;
  return (
    <nav aria-label={words.phase.strip} className="flex shrink-0 items-center">
      <ol className="flex items-center">
        {strip.map((step, index) => (
          <li key={step} className={cx('items-center', index === at ? 'flex' : 'hidden @2xl:flex')}>
            {index > 0 && <ChevronRight aria-hidden className="hidden size-3 text-soft opacity-60 @2xl:block" />}
            <PhaseStep
              phase={step}
              state={index === at ? 'now' : index < at ? 'past' : 'ahead'}
              title={index === at ? words.phase.steps(iterations, maxIterations) : undefined}
            />
          </li>
        ))}
      </ol>
      {(phase === 'FAILED' || phase === 'DONE') && (
        <span className={cx('ml-1 text-xs font-medium', phase === 'FAILED' ? 'text-bad' : 'text-good')}>
          {words.phase[phase]}
        </span>
      )}
    </nav>
  );
}

function PhaseStep({
  phase,
  state,
  title,
}: {
  readonly phase: StripPhase;
  readonly state: 'past' | 'now' | 'ahead';
  readonly title: string | undefined;
}) {
  const words = useWords();
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-label={words.phase[phase]}
          aria-current={state === 'now' ? 'step' : undefined}
          title={title}
          className={cx(
            'flex h-7 items-center gap-1.5 rounded-md px-1.5 text-xs transition-colors hover:bg-hover data-[state=open]:bg-hover',
            state === 'now' ? 'font-semibold text-ink' : 'text-soft',
          )}
        >
          {state === 'past' ? (
            <Check aria-hidden className="size-3 text-good" />
          ) : (
            <span
              aria-hidden
              className={cx(
                'size-2 rounded-full border',
                state === 'now' ? 'border-accent bg-accent' : 'border-soft/60',
              )}
            />
          )}
          <span className={cx(state !== 'now' && 'hidden @5xl:inline')}>{words.phase[phase]}</span>
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content align="start" sideOffset={4} className={cx(popLook, 'w-80')}>
          <PhaseTools phase={phase} isNow={state === 'now'} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function PhaseTools({ phase, isNow }: { readonly phase: StripPhase; readonly isNow: boolean }) {
  const words = useWords();
  const client = useClient();
  const project = useShown(({ project }) => project);
  const session = useShown(({ session }) => session);
  const listed = useAnswer('tool.list', project === null ? null : { project }, {
    onFailure: ({ message }) => toast.error(message),
  });
  const tools = listed?.tools.filter(({ phases }) => phases.includes(phase)) ?? null;
  const categories = Object.entries(Object.groupBy(tools ?? [], ({ category }) => category));
  return (
    <div className="p-1.5">
      <div className="flex items-center justify-between gap-2 pb-1">
        <h3 className="text-sm font-semibold">{words.phase.toolsIn(words.phase[phase])}</h3>
        {isNow ? (
          <span className="text-2xs text-soft">{words.phase.current}</span>
        ) : (
          session !== null && (
            <Popover.Close asChild>
              <Button onClick={() => void valueOrToast(client.call('session.movePhase', { session, phase }))}>
                {words.phase.move(words.phase[phase])}
              </Button>
            </Popover.Close>
          )
        )}
      </div>
      {tools === null && <div className="skeleton h-16" />}
      {tools?.length === 0 && <p className="text-soft">{words.phase.noTools}</p>}
      {categories.map(([category, rows = []]) => (
        <div key={category}>
          <p className="pt-2 pb-1 text-2xs font-medium text-soft">{category}</p>
          <ul className="flex flex-wrap gap-1">
            {rows.map((tool) => (
              <li
                key={tool.name}
                title={tool.about}
                className={cx(
                  'rounded-sm border border-line bg-inset px-1.5 py-0.5 font-mono text-2xs',
                  tool.permission !== 'none' && 'text-warn',
                )}
              >
                {tool.name}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
