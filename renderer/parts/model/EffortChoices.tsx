import { DropdownMenu } from 'radix-ui';
import type { AskedModel } from '../../../shared/model/modelInfo.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { menuLabelLook, menuLineLook } from '../menuLook.ts';
import { MenuChoice } from './MenuChoice.tsx';

/** The efforts of a menu: of the session, and in the phased mode of the phase that it is in. */
export function EffortChoices({
  asked,
  onSession,
  onPhase,
}: {
  readonly asked: AskedModel;
  readonly onSession: (effort: string) => void;
  /** Undefined: like the session. */
  readonly onPhase: (effort: string | undefined) => void;
}) {
  const words = useWords();
  const own = useSession(({ effort }) => effort);
  const phase = useSession(({ mode, facts }) => (mode === 'phased' && isWork(facts.phase) ? facts.phase : null));
  const ofPhase = useWorkbench(({ settings }) => (phase === null ? undefined : settings.agent.phaseEffort[phase]));
  const { efforts } = asked;
  if (!efforts || efforts.length === 0)
    return (
      <p className="px-2 py-1.5 text-2xs text-soft">
        {efforts || asked.reasoning === false ? words.model.noEfforts : words.model.anyEffort}
      </p>
    );
  return (
    <>
      <DropdownMenu.Label className={menuLabelLook}>{words.model.effort}</DropdownMenu.Label>
      <MenuChoice
        chosen={own === ''}
        title={words.model.usual}
        more={words.model.usualMore}
        onSelect={() => onSession('')}
      />
      {efforts.map((name) => (
        <MenuChoice key={name} chosen={name === own} title={name} onSelect={() => onSession(name)} />
      ))}
      {phase !== null && (
        <>
          <div className={menuLineLook} />
          <DropdownMenu.Label className={menuLabelLook}>{words.model.inPhase(words.phase[phase])}</DropdownMenu.Label>
          <MenuChoice
            chosen={ofPhase === undefined}
            title={words.model.likeSession}
            onSelect={() => onPhase(undefined)}
          />
          {efforts.map((name) => (
            <MenuChoice key={name} chosen={name === ofPhase} title={name} onSelect={() => onPhase(name)} />
          ))}
        </>
      )}
    </>
  );
}

const isWork = (phase: string): boolean => !['IDLE', 'DONE', 'FAILED'].includes(phase);
