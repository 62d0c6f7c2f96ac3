import { Box, Cpu, GitBranch, Lock, Shield, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useClient } from '../../client/client.ts';
import { moveChangeSet } from '../../commands/actions.ts';
import { projectAt, undoable } from '../../mirror/selectors.ts';
import { cx } from '../../parts/cx.ts';
import { nameAndEffort } from '../../parts/model/modelText.ts';
import { useAskedModel } from '../../parts/model/useAskedModel.ts';
import { Tip } from '../../parts/Tip.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { useShown } from '../../view/shown.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';
import { SpendMeter } from './SpendMeter.tsx';

export function StatusBar() {
  const words = useWords();
  const client = useClient();
  const path = useShown(({ project }) => project);
  const project = useWorkbench((workbench) => projectAt(workbench, path) ?? null);
  const sandbox = useWorkbench((workbench) => workbench.sandbox);
  const sandboxed = useWorkbench((workbench) => workbench.settings.sandbox.commands);
  const active = useWorkbench((workbench) => workbench.activeProvider);
  const version = useWorkbench((workbench) => workbench.version);
  const { allow, appliesEdits, provider, model, sets } = useSession((session) => ({
    allow: session.allow,
    appliesEdits: session.appliesEdits && session.allow !== 'dangerous',
    provider: session.provider,
    model: session.model,
    sets: session.changeSets.length,
  }));
  const asked = useAskedModel();
  const last = useSession((session) => undoable(session)?.id ?? null);
  const session = useShown(({ session }) => session);
  return (
    <footer
      aria-label={words.layout.status}
      className="flex h-6 shrink-0 items-center gap-3.5 overflow-hidden border-t border-line bg-frame px-3 text-2xs whitespace-nowrap text-soft [&_svg]:size-3 [&_svg]:shrink-0"
    >
      {project?.branch && (
        <Part icon={<GitBranch aria-hidden />} label={words.status.branch}>
          {project.branch}
        </Part>
      )}
      {path !== null && (
        <Part icon={<Shield aria-hidden />} label={words.level.label}>
          <span
            className={cx(
              allow === 'dangerous' && 'font-semibold text-bad',
              (allow === 'moderate' || appliesEdits) && 'text-warn',
            )}
          >
            {appliesEdits ? words.composer.edits.after : words.level[allow]}
          </span>
        </Part>
      )}
      <Tip
        text={sandbox.available ? words.settings.sandboxNote : sandbox.why || words.status.sandboxMissing}
        side="top"
      >
        <button
          type="button"
          className="flex items-center gap-1 hover:text-ink"
          onClick={() => openOverlay({ kind: 'settings', section: 'general' })}
        >
          <Box aria-hidden />
          {!sandbox.available
            ? words.status.sandboxMissing
            : sandboxed
              ? words.status.sandboxOn
              : words.status.sandboxOff}
        </button>
      </Tip>
      <span className="flex-1" />
      {session !== null && <SpendMeter />}
      {path !== null && (
        <Part icon={<Cpu aria-hidden />} label={words.header.model}>
          {asked === null || asked.name === ''
            ? [provider || active, model].filter(Boolean).join('/') || words.header.noModel
            : `${asked.provider}/${nameAndEffort(asked)}`}
        </Part>
      )}
      {session !== null && (
        <Tip text={last ? words.status.undoLast : words.status.nothingToUndo} side="top">
          <button
            type="button"
            disabled={last === null}
            className="flex items-center gap-1 hover:text-ink disabled:opacity-50"
            onClick={() => last !== null && void moveChangeSet(client, words, 'change.undo', session, last)}
          >
            <Undo2 aria-hidden />
            {words.status.checkpoint(sets)}
          </button>
        </Tip>
      )}
      {path === null && version && (
        <Part icon={<Lock aria-hidden />} label={words.status.engine}>
          Vise {version}
        </Part>
      )}
    </footer>
  );
}

function Part({
  icon,
  label,
  children,
}: {
  readonly icon: ReactNode;
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <span className="flex min-w-0 items-center gap-1" title={label}>
      {icon}
      <span className="sr-only">{label}: </span>
      <span className="truncate">{children}</span>
    </span>
  );
}
