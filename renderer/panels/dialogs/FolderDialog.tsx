import { CornerLeftUp, Folder, FolderCheck } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/api.ts';
import { useClient, valueOrToast } from '../../client/client.ts';
import { openProject } from '../../commands/actions.ts';
import { Button, IconButton } from '../../parts/Button.tsx';
import { TextInput } from '../../parts/Field.tsx';
import { isComposing } from '../../parts/keys.ts';
import { Modal } from '../../parts/Modal.tsx';
import { closeOverlay } from '../../view/overlay.ts';
import { useWords } from '../../words/words.tsx';

type Listing = OutputOf<'folder.list'>;

/** Chooses a folder where the host has no dialog of its own. */
export function FolderDialog() {
  const words = useWords();
  const client = useClient();
  const [listing, setListing] = useState<Listing | null>(null);
  const [typed, setTyped] = useState('');
  const go = useCallback(
    async (path?: string): Promise<void> => {
      const answer = await valueOrToast(client.call('folder.list', path === undefined ? {} : { path }));
      if (!answer) return;
      setListing(answer);
      // What was typed while the first list was on its way stays.
      setTyped((now) => (path === undefined && now !== '' ? now : answer.path));
    },
    [client],
  );
  useEffect(() => void go(), [go]);
  return (
    <Modal
      title={words.folder.title}
      onClose={closeOverlay}
      className="h-[64vh] !w-[min(36rem,calc(100vw-2rem))]"
      foot={
        <>
          <span className="min-w-0 flex-1 truncate font-mono text-xs text-soft">{listing?.path}</span>
          <Button onClick={closeOverlay}>{words.common.cancel}</Button>
          <Button
            look="primary"
            disabled={!listing}
            onClick={() => listing && void openProject(client, typed.trim() || listing.path)}
          >
            {words.folder.choose}
          </Button>
        </>
      }
    >
      <div className="sticky top-0 z-10 flex items-center gap-1.5 bg-panel pb-2">
        <IconButton
          label={words.folder.up}
          disabled={!listing?.parent}
          onClick={() => listing?.parent && void go(listing.parent)}
        >
          <CornerLeftUp />
        </IconButton>
        <TextInput
          aria-label={words.folder.path}
          className="font-mono text-xs"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !isComposing(event.nativeEvent)) void go(typed);
          }}
        />
      </div>
      {!listing && <div className="skeleton h-24" />}
      {listing?.folders.length === 0 && <p className="px-2 py-4 text-center text-soft">{words.folder.empty}</p>}
      <ul>
        {listing?.folders.map((folder) => (
          <li key={folder.path}>
            <button
              type="button"
              className="flex h-7 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover [&_svg]:size-3.5"
              onClick={() => void go(folder.path)}
              onDoubleClick={() => void openProject(client, folder.path)}
            >
              {folder.project ? (
                <FolderCheck aria-hidden className="text-accent" />
              ) : (
                <Folder aria-hidden className="text-soft" />
              )}
              <span className="min-w-0 flex-1 truncate">{folder.name}</span>
              {folder.project && <span className="text-2xs text-soft">{words.folder.project}</span>}
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
