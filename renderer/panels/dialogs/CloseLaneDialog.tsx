import { useState } from 'react';
import { useClient } from '../../client/client.ts';
import { homeOfProject } from '../../mirror/laneHomes.ts';
import { useWorkbenchMirror } from '../../mirror/workbench.ts';
import { Button } from '../../parts/Button.tsx';
import { Modal } from '../../parts/Modal.tsx';
import { closeOverlay } from '../../view/overlay.ts';
import { showProject } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useWords } from '../../words/words.tsx';

/**
 * Closes a lane; while it holds what the project does not, the refusal is told and letting that go is a choice of its own. Commits
 * that are on its branch alone are kept until the person lets them go (`kept`: the lane is closed already).
 */
export function CloseLaneDialog({
  home,
  name,
  kept,
}: {
  readonly home: string;
  readonly name: string;
  readonly kept: number;
}) {
  const { lanes: words, common } = useWords();
  const client = useClient();
  const [commits, setCommits] = useState(kept);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<{ readonly message: string; readonly mayDiscard: boolean } | null>(null);

  const close = async (discard: boolean): Promise<void> => {
    setIsBusy(true);
    const closed = await client.call('lane.close', { project: home, name, discard });
    setIsBusy(false);
    if (!closed.ok) {
      const { message, code } = closed.error;
      return setRefusal({ message, mayDiscard: code === 'CONFLICT' });
    }
    setRefusal(null);
    const { project } = useShown.getState();
    if (project !== home && homeOfProject(useWorkbenchMirror.getState().state.sessions, project) === home)
      showProject(home);
    if (closed.value.commits > 0) setCommits(closed.value.commits);
    else closeOverlay();
  };
  const letGo = async (): Promise<void> => {
    setIsBusy(true);
    const gone = await client.call('lane.letGo', { project: home, name });
    setIsBusy(false);
    if (gone.ok) closeOverlay();
    else setRefusal({ message: gone.error.message, mayDiscard: false });
  };
  return (
    <Modal
      title={commits > 0 ? words.keptTitle(name) : words.closeTitle(name)}
      note={commits > 0 ? words.keptNote(commits, name) : words.closeNote}
      onClose={closeOverlay}
      foot={
        <>
          <Button onClick={closeOverlay}>{commits > 0 ? words.keep : common.cancel}</Button>
          {commits > 0 ? (
            <Button look="danger" disabled={isBusy} onClick={() => void letGo()}>
              {words.letGo}
            </Button>
          ) : refusal?.mayDiscard ? (
            <Button look="danger" disabled={isBusy} onClick={() => void close(true)}>
              {words.discard}
            </Button>
          ) : (
            <Button look="primary" disabled={isBusy} onClick={() => void close(false)}>
              {words.close}
            </Button>
          )}
        </>
      }
    >
      {refusal && (
        <p role="alert" className="break-words text-bad">
          {refusal.message}
        </p>
      )}
    </Modal>
  );
}
