import { ChevronDown, Folder, FolderOpen, GitBranch, ShieldAlert, Sparkles, X } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useClient, valueOrToast } from '../../client/client.ts';
import { chooseProject, openProject, openSample } from '../../commands/actions.ts';
import { projectAt } from '../../mirror/selectors.ts';
import { cx } from '../../parts/cx.ts';
import { MiddleText } from '../../parts/MiddleText.tsx';
import { menuItemLook, menuLabelLook, menuLineLook, popLook } from '../../parts/menuLook.ts';
import { Tip } from '../../parts/Tip.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { showProject } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

export function ProjectSwitcher() {
  const words = useWords();
  const client = useClient();
  const path = useShown(({ project }) => project);
  const project = useWorkbench((workbench) => projectAt(workbench, path) ?? null);
  const projects = useWorkbench((workbench) => workbench.projects);
  return (
    <div className="flex min-w-28 shrink items-center gap-1">
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <button
            type="button"
            className="flex h-7 min-w-0 items-center gap-1.5 rounded-md px-2 text-sm font-semibold hover:bg-hover data-[state=open]:bg-hover"
          >
            <Folder aria-hidden className="size-3.5 shrink-0 text-accent" />
            <MiddleText text={project?.name ?? words.header.noProject} />
            <ChevronDown aria-hidden className="size-3 shrink-0 text-soft" />
          </button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content align="start" sideOffset={4} className={cx(popLook, 'w-80')}>
            <DropdownMenu.Item className={menuItemLook} onSelect={() => void chooseProject(client)}>
              <FolderOpen aria-hidden />
              {words.header.openFolder}
            </DropdownMenu.Item>
            <DropdownMenu.Item className={menuItemLook} onSelect={() => void openSample(client)}>
              <Sparkles aria-hidden />
              {words.header.sample}
            </DropdownMenu.Item>
            {projects.length > 0 && (
              <>
                <div className={menuLineLook} />
                <DropdownMenu.Label className={menuLabelLook}>{words.header.recents}</DropdownMenu.Label>
              </>
            )}
            {projects.map((known) => (
              <DropdownMenu.Item
                key={known.path}
                disabled={!known.exists}
                className={cx(menuItemLook, known.path === path && 'bg-chosen')}
                onSelect={() => void openProject(client, known.path)}
              >
                <Folder aria-hidden />
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{known.name}</span>
                  <span className="block truncate text-2xs text-soft">
                    {known.exists ? known.path : `${known.path} · ${words.header.gone}`}
                  </span>
                </span>
                <button
                  type="button"
                  aria-label={words.header.forget}
                  title={words.header.forget}
                  className="pointer-events-auto rounded-sm p-1 text-soft hover:text-ink"
                  onClick={(event) => {
                    event.stopPropagation();
                    event.preventDefault();
                    if (known.path === path) showProject(null);
                    void valueOrToast(client.call('project.forget', { path: known.path }));
                  }}
                >
                  <X aria-hidden />
                </button>
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {project?.branch && (
        <span className="hidden min-w-0 items-center gap-1 text-xs text-soft @3xl:flex">
          <GitBranch aria-hidden className="size-3 shrink-0" />
          <span className="max-w-40 truncate">{project.branch}</span>
        </span>
      )}
      {project && project.trust === 'restricted' && (
        <Tip text={words.header.restrictedMore}>
          <button
            type="button"
            className="ml-1 inline-flex h-5.5 shrink-0 items-center gap-1 rounded-full border border-warn-edge bg-warn-tint px-2 text-2xs font-medium text-warn"
            onClick={() => openOverlay({ kind: 'trust', path: project.path })}
          >
            <ShieldAlert aria-hidden className="size-3" />
            {words.header.restricted}
          </button>
        </Tip>
      )}
    </div>
  );
}
