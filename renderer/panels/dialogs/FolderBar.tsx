import { FolderX, ShieldAlert } from 'lucide-react';
import { useAnswer } from '../../client/useAnswer.ts';
import { projectAt } from '../../mirror/selectors.ts';
import { Button } from '../../parts/Button.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { hideRestricted, usePreferences } from '../../view/preferences.ts';
import { useShown } from '../../view/shown.ts';
import { useSession, useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/**
 * What is to be known of the folder where one works: that it is gone, or what *Restricted* means, with the offer to change
 * it; put off once, that stays away for this folder.
 */
export function FolderBar() {
  const { header } = useWords();
  const path = useShown(({ project }) => project);
  const isHidden = usePreferences(({ restrictedHidden }) => path !== null && restrictedHidden.includes(path));
  const project = useWorkbench((workbench) => projectAt(workbench, path) ?? null);
  const written = useSession(({ changeSets }) => changeSets.length);
  const isAsked = project?.trust === 'restricted' && !isHidden;
  // A folder that could run nothing is not asked about; the agent may write what could.
  const risks = useAnswer('project.risks', project && isAsked ? { path: project.path } : null, { again: `${written}` });
  if (project && !project.exists)
    return (
      <section
        role="alert"
        className="flex shrink-0 items-center gap-2 border-b border-warn-edge bg-warn-tint px-3 py-1 text-xs"
      >
        <FolderX aria-hidden className="size-3.5 shrink-0 text-warn" />
        <p className="min-w-0 flex-1">{header.goneBar(project.path)}</p>
        <Button onClick={() => openOverlay({ kind: 'folder' })}>{header.openFolder}</Button>
      </section>
    );
  if (!project || !isAsked || !risks?.risks.length) return null;
  return (
    <section
      aria-label={header.restricted}
      className="flex shrink-0 items-center gap-2 border-b border-line bg-warn-tint px-3 py-1 text-xs"
    >
      <ShieldAlert aria-hidden className="size-3.5 shrink-0 text-warn" />
      <p className="min-w-0 flex-1">{project.sample ? header.restrictedSample : header.restrictedBar}</p>
      <span className="flex shrink-0 gap-1">
        <Button onClick={() => openOverlay({ kind: 'trust', path: project.path })}>{header.restrictedTrust}</Button>
        <Button look="quiet" onClick={() => hideRestricted(project.path)}>
          {header.restrictedHide}
        </Button>
      </span>
    </section>
  );
}
