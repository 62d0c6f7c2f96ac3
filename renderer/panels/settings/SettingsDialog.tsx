import {
  Coins,
  Cpu,
  HardDrive,
  Keyboard,
  PlugZap,
  ScrollText,
  Server,
  SlidersHorizontal,
  SquareTerminal,
} from 'lucide-react';
import { Tabs } from 'radix-ui';
import { cx } from '../../parts/cx.ts';
import { Modal } from '../../parts/Modal.tsx';
import { closeOverlay, type SettingsSection } from '../../view/overlay.ts';
import { useWords } from '../../words/words.tsx';
import { GeneralSettings } from './GeneralSettings.tsx';
import { ModelSettings } from './ModelSettings.tsx';
import { ProviderSettings } from './ProviderSettings.tsx';
import { RuleSettings } from './RuleSettings.tsx';
import { ServerSettings } from './ServerSettings.tsx';
import { ShellSettings } from './ShellSettings.tsx';
import { ShortcutSettings } from './ShortcutSettings.tsx';
import { SpecSettings } from './SpecSettings.tsx';
import { StorageSettings } from './StorageSettings.tsx';

const icons = {
  providers: Cpu,
  models: Coins,
  general: SlidersHorizontal,
  shell: SquareTerminal,
  rules: ScrollText,
  specs: PlugZap,
  servers: Server,
  shortcuts: Keyboard,
  storage: HardDrive,
} as const;
const sections = [
  'providers',
  'models',
  'general',
  'shell',
  'rules',
  'specs',
  'servers',
  'shortcuts',
  'storage',
] as const satisfies readonly SettingsSection[];

export function SettingsDialog({
  section,
  start,
  edit,
  program,
}: {
  readonly section: SettingsSection;
  readonly start?: 'detect' | 'add' | undefined;
  readonly edit?: string | undefined;
  readonly program?: string | undefined;
}) {
  const words = useWords();
  return (
    <Modal title={words.settings.title} onClose={closeOverlay} className="h-[70vh] !w-[min(46rem,calc(100vw-2rem))]">
      <Tabs.Root defaultValue={section} orientation="vertical" className="flex min-h-0 gap-5">
        <Tabs.List
          aria-label={words.settings.title}
          className="sticky top-0 flex w-36 shrink-0 flex-col gap-0.5 self-start"
        >
          {sections.map((name) => {
            const Icon = icons[name];
            return (
              <Tabs.Trigger
                key={name}
                value={name}
                className={cx(
                  'flex items-center gap-2 rounded-md px-2.5 py-1.5 text-left text-soft transition-colors hover:bg-hover hover:text-ink',
                  'data-[state=active]:bg-chosen data-[state=active]:text-ink',
                )}
              >
                <Icon aria-hidden className="size-3.5" />
                {name === 'models'
                  ? words.spend.section
                  : name === 'storage' || name === 'shortcuts'
                    ? words[name].section
                    : words.settings[name]}
              </Tabs.Trigger>
            );
          })}
        </Tabs.List>
        <div className="min-w-0 flex-1">
          <Tabs.Content value="providers">
            <ProviderSettings start={start} edit={edit} />
          </Tabs.Content>
          <Tabs.Content value="models">
            <ModelSettings />
          </Tabs.Content>
          <Tabs.Content value="general">
            <GeneralSettings />
          </Tabs.Content>
          <Tabs.Content value="shell">
            <ShellSettings />
          </Tabs.Content>
          <Tabs.Content value="rules">
            <RuleSettings />
          </Tabs.Content>
          <Tabs.Content value="specs">
            <SpecSettings program={program} />
          </Tabs.Content>
          <Tabs.Content value="servers">
            <ServerSettings />
          </Tabs.Content>
          <Tabs.Content value="shortcuts">
            <ShortcutSettings />
          </Tabs.Content>
          <Tabs.Content value="storage">
            <StorageSettings />
          </Tabs.Content>
        </div>
      </Tabs.Root>
    </Modal>
  );
}
