import { Check, ChevronDown, Cpu, Settings2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { levels } from '../../../shared/model/level.ts';
import { modes } from '../../../shared/model/phase.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { projectAt } from '../../mirror/selectors.ts';
import { cx } from '../../parts/cx.ts';
import { menuItemLook, menuLabelLook, menuLineLook, popLook } from '../../parts/menuLook.ts';
import { openOverlay } from '../../view/overlay.ts';
import { useShown } from '../../view/shown.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

const levelMore = { none: 'noneMore', moderate: 'moderateMore', dangerous: 'dangerousMore' } as const;
const modeMore = { phased: 'phasedMore', direct: 'directMore', ask: 'askMore' } as const;

/** Who thinks, in which mode, and what runs unasked: of this session, or of the next one. */
export function ModelMenu() {
  const words = useWords();
  const client = useClient();
  const session = useShown(({ session }) => session);
  const providers = useWorkbench((workbench) => workbench.providers);
  const active = useWorkbench((workbench) => workbench.activeProvider);
  const defaultMode = useWorkbench((workbench) => workbench.settings.mode);
  const own = useSession(({ provider, model, mode, allow }) => ({ provider, model, mode, allow }));
  const provider = providers.find(({ name }) => name === (own.provider || active));
  const model = own.model || provider?.model || '';
  const mode = session === null ? defaultMode : own.mode;
  const project = useShown(({ project }) => project);
  const isSample = useWorkbench((workbench) => projectAt(workbench, project)?.sample === true);
  // The sample's own script plays where no provider is set up: it needs none.
  const isScripted = isSample && !provider?.usable;
  const label = isScripted ? words.header.scripted : model || own.provider || provider?.name || words.header.noModel;
  const [open, setOpen] = useState(false);

  const configure = (
    change: Parameters<typeof client.call<'session.configure'>>[1] extends infer I ? Partial<I> : never,
  ) => {
    if (session !== null) void valueOrToast(client.call('session.configure', { session, ...change }));
  };
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
          <span className="hidden shrink-0 text-soft @5xl:inline">· {words.mode[mode]}</span>
          <ChevronDown aria-hidden className="size-3 shrink-0 text-soft" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={4} className={cx(popLook, 'w-76')}>
          <DropdownMenu.Label className={menuLabelLook}>{words.mode.label}</DropdownMenu.Label>
          {modes.map((name) => (
            <Choice
              key={name}
              chosen={name === mode}
              title={words.mode[name]}
              more={words.mode[modeMore[name]]}
              disabled={session === null}
              onSelect={() => configure({ mode: name })}
            />
          ))}
          <div className={menuLineLook} />
          <DropdownMenu.Label className={menuLabelLook}>{words.level.label}</DropdownMenu.Label>
          {levels.map((name) => (
            <Choice
              key={name}
              chosen={name === own.allow}
              title={words.level[name]}
              more={words.level[levelMore[name]]}
              disabled={session === null}
              onSelect={() => configure({ allow: name })}
            />
          ))}
          <div className={menuLineLook} />
          <DropdownMenu.Label className={menuLabelLook}>{words.header.provider}</DropdownMenu.Label>
          {providers.map((known) => (
            <Choice
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
          {open && provider && session !== null && (
            <Models provider={provider.name} current={model} onChoose={(name) => configure({ model: name })} />
          )}
          <DropdownMenu.Item
            className={menuItemLook}
            onSelect={() => openOverlay({ kind: 'settings', section: 'providers' })}
          >
            <Settings2 aria-hidden />
            {words.header.manageProviders}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Choice({
  chosen,
  title,
  more,
  disabled,
  onSelect,
}: {
  readonly chosen: boolean;
  readonly title: string;
  readonly more?: string | undefined;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}) {
  return (
    <DropdownMenu.CheckboxItem
      checked={chosen}
      disabled={disabled ?? false}
      className={cx(menuItemLook, 'items-start')}
      onSelect={onSelect}
    >
      <span className="mt-0.5 size-3.5 shrink-0">
        <DropdownMenu.ItemIndicator>
          <Check aria-hidden className="size-3.5 !text-accent" />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className="min-w-0">
        <span className="block truncate">{title}</span>
        {more && <span className="block text-2xs text-soft">{more}</span>}
      </span>
    </DropdownMenu.CheckboxItem>
  );
}

/** The models that a provider serves, asked for when the menu opens and not before. */
function Models({
  provider,
  current,
  onChoose,
}: {
  readonly provider: string;
  readonly current: string;
  readonly onChoose: (model: string) => void;
}) {
  const words = useWords();
  const models = useAnswer('provider.models', { name: provider })?.models ?? [];
  if (models.length === 0) return null;
  return (
    <>
      <div className={menuLineLook} />
      <DropdownMenu.Label className={menuLabelLook}>{words.header.model}</DropdownMenu.Label>
      <div className="max-h-48 overflow-y-auto">
        {models.slice(0, 200).map((model) => (
          <Choice key={model} chosen={model === current} title={model} onSelect={() => onChoose(model)} />
        ))}
      </div>
      <div className={menuLineLook} />
    </>
  );
}
