import { create } from 'zustand';
import type { RewindPoint } from '../../shared/model/rewind.ts';

export type SettingsSection =
  | 'providers'
  | 'models'
  | 'general'
  | 'shell'
  | 'rules'
  | 'specs'
  | 'servers'
  | 'shortcuts'
  | 'storage';

/** A block of code in a reply. */
export interface CodeOfReply {
  readonly text: string;
  readonly language: string;
}

/** What lies over the window; one at a time. */
export type Overlay =
  /** `files`: it finds files alone. `code`: of a reply, which goes to the file that is chosen. */
  | { readonly kind: 'palette'; readonly files?: boolean; readonly code?: CodeOfReply }
  | { readonly kind: 'inbox' }
  | {
      readonly kind: 'settings';
      readonly section: SettingsSection;
      readonly start?: 'detect' | 'add';
      /** The provider to edit, with its section. */
      readonly edit?: string;
      /** A program to make tools of, with the section of specs. */
      readonly program?: string;
    }
  | { readonly kind: 'folder' }
  | { readonly kind: 'trust'; readonly path: string }
  /** `text`: of the message before which it goes, to be asked anew. */
  | { readonly kind: 'rewind'; readonly session: string; readonly to: RewindPoint; readonly text?: string }
  /** `home`: the project that the lane belongs to. */
  | { readonly kind: 'newLane'; readonly home: string }
  /** `kept`: the commits of one that is closed already, to be let go; zero of one to close. */
  | { readonly kind: 'closeLane'; readonly home: string; readonly name: string; readonly kept: number }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'link'; readonly url: string };

export const useOverlay = create<{ readonly open: Overlay | null }>(() => ({ open: null }));

export function openOverlay(open: Overlay): void {
  useOverlay.setState({ open });
}

export function closeOverlay(): void {
  useOverlay.setState({ open: null });
}

/** Whether a dialog is open, which is answered or closed before anything else is done. Palette and inbox are none. */
export function isDialogOpen(): boolean {
  const { open } = useOverlay.getState();
  return open !== null && open.kind !== 'palette' && open.kind !== 'inbox';
}
