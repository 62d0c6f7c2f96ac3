import { Palette } from '../commands/Palette.tsx';
import { ShortcutSheet } from '../commands/ShortcutSheet.tsx';
import { CloseLaneDialog } from '../panels/dialogs/CloseLaneDialog.tsx';
import { FolderDialog } from '../panels/dialogs/FolderDialog.tsx';
import { LinkDialog } from '../panels/dialogs/LinkDialog.tsx';
import { NewLaneDialog } from '../panels/dialogs/NewLaneDialog.tsx';
import { RewindDialog } from '../panels/dialogs/RewindDialog.tsx';
import { TrustDialog } from '../panels/dialogs/TrustDialog.tsx';
import { Inbox } from '../panels/inbox/Inbox.tsx';
import { SettingsDialog } from '../panels/settings/SettingsDialog.tsx';
import { ToolDialog } from '../panels/tools/ToolDialog.tsx';
import { useOverlay } from '../view/overlay.ts';

/** What lies over the window. */
export function Dialogs() {
  const open = useOverlay((overlay) => overlay.open);
  switch (open?.kind) {
    case undefined:
      return null;
    case 'palette':
      return <Palette key={String(open.files)} files={open.files === true} code={open.code} />;
    case 'inbox':
      return <Inbox />;
    case 'settings':
      return <SettingsDialog section={open.section} start={open.start} edit={open.edit} program={open.program} />;
    case 'folder':
      return <FolderDialog />;
    case 'trust':
      return <TrustDialog path={open.path} />;
    case 'rewind':
      return <RewindDialog session={open.session} to={open.to} text={open.text} />;
    case 'newLane':
      return <NewLaneDialog home={open.home} />;
    case 'closeLane':
      return <CloseLaneDialog home={open.home} name={open.name} kept={open.kept} />;
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'tool':
      return <ToolDialog key={open.name} name={open.name} />;
    case 'link':
      return <LinkDialog url={open.url} />;
  }
}
