import { Palette } from '../commands/Palette.tsx';
import { ShortcutSheet } from '../commands/ShortcutSheet.tsx';
import { FolderDialog } from '../panels/dialogs/FolderDialog.tsx';
import { LinkDialog } from '../panels/dialogs/LinkDialog.tsx';
import { TrustDialog } from '../panels/dialogs/TrustDialog.tsx';
import { Inbox } from '../panels/inbox/Inbox.tsx';
import { SettingsDialog } from '../panels/settings/SettingsDialog.tsx';
import { useView } from '../view/view.ts';

/** What lies over the window; one dialog at a time. */
export function Dialogs() {
  const dialog = useView((view) => view.dialog);
  const palette = useView((view) => view.palette);
  const inbox = useView((view) => view.inbox);
  return (
    <>
      {inbox && <Inbox />}
      {palette && <Palette />}
      {dialog?.kind === 'settings' && (
        <SettingsDialog section={dialog.section} start={dialog.start} program={dialog.program} />
      )}
      {dialog?.kind === 'folder' && <FolderDialog />}
      {dialog?.kind === 'trust' && <TrustDialog path={dialog.path} />}
      {dialog?.kind === 'shortcuts' && <ShortcutSheet />}
      {dialog?.kind === 'link' && <LinkDialog url={dialog.url} />}
    </>
  );
}
