import { ChevronDown, Cpu, Settings2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { levels } from '../../../shared/model/level.ts';
import { modes } from '../../../shared/model/phase.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { configureSession, setPhaseEffort } from '../../commands/actions.ts';
import { projectAt } from '../../mirror/selectors.ts';
import { cx } from '../../parts/cx.ts';
import { menuItemLook, menuLabelLook, menuLineLook, popLook } from '../../parts/menuLook.ts';
import { EffortChoices } from '../../parts/model/EffortChoices.tsx';
import { MenuChoice } from '../../parts/model/MenuChoice.tsx';
import { dialectText } from '../../parts/model/modelText.ts';
import { useAskedModel } from '../../parts/model/useAskedModel.ts';
import { openOverlay } from '../../view/overlay.ts';
import { useShown } from '../../view/shown.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { ModelList } from './ModelList.tsx';

const levelMore = { none: 'noneMore', moderate: 'moderateMore', dangerous: 'dangerousMore' } as const;
const modeMore = { phased: 'phasedMore', direct: 'directMore', ask: 'askMore' } as const;

/** Who thinks, how hard, in which mode, and what runs unasked: of this session, or of the next one. */
export function ModelMenu() {
  const words = useWords();
  const client = useClient();
  const session = useShown(({ session }) => session);
  const providers = useWorkbench((workbench) => workbench.providers);
  const active = useWorkbench((workbench) => workbench.activeProvider);
  const defaultMode = useWorkbench((workbench) => workbench.settings.mode);
  const own = useSession(({ provider, model, mode, allow, facts }) => ({
    provider,
    model,
    mode,
    allow,
    phase: facts.phase,
  }));
  const provider = providers.find(({ name }) => name === (own.provider || active));
  const asked = useAskedModel();
  const model = asked?.name || own.model || provider?.model || '';
  const mode = session === null ? defaultMode : own.mode;
  const project = useShown(({ project }) => project);
  const isSample = useWorkbench((workbench) => projectAt(workbench, project)?.sample === true);
  // The sample's own script plays where no provider is set up: it needs none.
  const isScripted = isSample && !provider?.usable;
  const label = isScripted ? words.header.scripted : model || own.provider || provider?.name || words.header.noModel;
  const [open, setOpen] = useState(false);

  const configure = (change: Parameters<typeof configureSession>[1]): void => void configureSession(client, change);
  return (
    <DropdownMenu.Root open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          className="flex h-7 min-w-0 items-center gap-1.5 rounded-md border border-line bg-panel px-2 text-xs hover:bg-hover data-[state=open]:bg-hover"
        >
          <Cpu
            aria-hidden
            className={cx('size-3.5 shrink-0', provider?.usable || isScripted ? 'text-soft' : 'text-warn')}
          />
          <span className="max-w-36 min-w-0 truncate">{label}</span>
          {asked !== null && asked.effort !== '' && <span className="shrink-0 text-soft">· {asked.effort}</span>}
          <span className="hidden shrink-0 text-soft @5xl:inline">· {words.mode[mode]}</span>
          <ChevronDown aria-hidden className="size-3 shrink-0 text-soft" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={4} className={cx(popLook, 'w-80')}>
          <DropdownMenu.Label className={menuLabelLook}>{words.header.provider}</DropdownMenu.Label>
          {providers.map((known) => (
            <MenuChoice
              key={known.name}
              chosen={known.name === provider?.name}
              title={known.name}
              more={known.problem ?? known.model}
              onSelect={() => {
                if (session === null) void valueOrToast(client.call('provider.activate', { name: known.name }));
                else configure({ provider: known.name, model: known.model });
              }}
            />
          ))}
          <DropdownMenu.Item
            className={menuItemLook}
            onSelect={() => openOverlay({ kind: 'settings', section: 'providers' })}
          >
            <Settings2 aria-hidden />
            {words.header.manageProviders}
          </DropdownMenu.Item>
          <div className={menuLineLook} />
          {open && provider && (
            <ModelList provider={provider.name} current={model} onChoose={(name) => configure({ model: name })} />
          )}
          {asked !== null && !isScripted && asked.provider !== 'scripted' && asked.name !== '' && (
            <>
              <p className="px-2 py-1 text-2xs text-soft">{dialectText(asked, words)}</p>
              <div className={menuLineLook} />
              <EffortChoices
                asked={asked}
                onSession={(effort) => configure({ effort })}
                onPhase={(effort) => setPhaseEffort(client, own.phase, effort)}
              />
            </>
          )}
          <div className={menuLineLook} />
          <DropdownMenu.Label className={menuLabelLook}>{words.mode.label}</DropdownMenu.Label>
          {modes.map((name) => (
            <MenuChoice
              key={name}
              chosen={name === mode}
              title={words.mode[name]}
              more={words.mode[modeMore[name]]}
              onSelect={() => configure({ mode: name })}
            />
          ))}
          <div className={menuLineLook} />
          <DropdownMenu.Label className={menuLabelLook}>{words.level.label}</DropdownMenu.Label>
          {levels.map((name) => (
            <MenuChoice
              key={name}
              chosen={name === own.allow}
              title={words.level[name]}
              more={words.level[levelMore[name]]}
              onSelect={() => configure({ allow: name })}
            />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
