import { Info, ShieldAlert, ShieldCheck } from 'lucide-react';
import { toast } from 'sonner';
import type { Trust } from '../../../shared/model/workbench.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { useAnswer } from '../../client/useAnswer.ts';
import { changeSettings } from '../../commands/actions.ts';
import { projectAt } from '../../mirror/selectors.ts';
import { useGuard } from '../../parts/approval/useGuard.ts';
import { Button } from '../../parts/Button.tsx';
import { Modal } from '../../parts/Modal.tsx';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { closeOverlay } from '../../view/overlay.ts';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** What a folder could execute, and whether it may. Restricted is what closing the dialog leaves. */
export function TrustDialog({ path }: { readonly path: string }) {
  const words = useWords();
  const client = useClient();
  const name = useWorkbench((workbench) => projectAt(workbench, path)?.name ?? path);
  const found = useAnswer('project.risks', { path }, { onFailure: ({ message }) => toast.error(message) });
  const { settled, guarded } = useGuard(`trust ${path} ${found?.hash}`);

  const decide = async (trust: Trust): Promise<void> => {
    if (!found) return;
    if (await valueOrToast(client.call('project.trust', { path, trust, hash: found.hash }))) closeOverlay();
  };
  return (
    <Modal
      title={words.trust.title(name)}
      note={words.trust.intro}
      onClose={closeOverlay}
      className="!w-[min(36rem,calc(100vw-2rem))]"
      foot={
        <>
          <Button disabled={!found} aria-disabled={!settled} onClick={guarded(() => void decide('trusted'))}>
            <ShieldAlert aria-hidden className="size-3.5" />
            {words.trust.trusted}
          </Button>
          <Button look="primary" disabled={!found} onClick={() => void decide('restricted')}>
            <ShieldCheck aria-hidden className="size-3.5" />
            {words.trust.restricted}
          </Button>
        </>
      }
    >
      {!found && <div className="skeleton h-20" />}
      {found?.risks.length === 0 && (
        <p className="flex items-center gap-2 rounded-md border border-line bg-raised px-3 py-2.5">
          <Info aria-hidden className="size-4 shrink-0 text-soft" />
          {words.trust.none}
        </p>
      )}
      {found && found.risks.length > 0 && (
        <>
          <h3 className="mb-1.5 text-xs font-semibold text-soft">{words.trust.risks}</h3>
          <ul className="divide-y divide-line rounded-md border border-line bg-raised">
            {found.risks.map((risk) => (
              <li key={`${risk.kind} ${risk.path} ${risk.what}`} className="px-3 py-1.5">
                <p className="flex items-baseline gap-2">
                  <code className="selectable min-w-0 flex-1 truncate font-mono text-xs">{risk.path}</code>
                  <span className="shrink-0 rounded-sm bg-hover px-1.5 text-2xs text-soft">{risk.kind}</span>
                </p>
                <p className="selectable text-xs break-words text-soft">
                  <VisibleText text={risk.what} />
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-2 text-xs text-soft">{words.trust.more}</p>
      <SandboxOffer />
    </Modal>
  );
}

/** Trust decides what may run; the sandbox, what it can reach. Offered where it exists, with what it costs. */
function SandboxOffer() {
  const words = useWords();
  const client = useClient();
  const { available } = useWorkbench((workbench) => workbench.sandbox);
  const isOn = useWorkbench((workbench) => workbench.settings.sandbox.commands);
  if (!available) return null;
  if (isOn) return <p className="mt-2 text-xs text-soft">{words.trust.sandboxIsOn}</p>;
  return (
    <div className="mt-2 flex items-start gap-3 rounded-md border border-line bg-raised px-3 py-2">
      <p className="min-w-0 flex-1 text-xs">
        {words.trust.sandboxOffer} <span className="text-soft">{words.settings.sandboxBreaks}</span>
      </p>
      <Button
        onClick={() => changeSettings(client, (now) => ({ ...now, sandbox: { ...now.sandbox, commands: true } }))}
      >
        {words.trust.sandboxOn}
      </Button>
    </div>
  );
}
