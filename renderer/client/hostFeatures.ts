import { desktop, onDesktop, tellDesktop } from './desktop.ts';

/** What the surroundings of the page can do beyond the contract. A browser can do none of it. */
export interface HostFeatures {
  /** The real path of a dropped file or folder, where the host may know it. */
  readonly pathOfDropped?: (file: File) => string | undefined;
  /** The system's own dialog for a folder; undefined when it was closed without a choice. */
  readonly chooseFolder?: () => Promise<string | undefined>;
  /** Shows a file or folder of a project in the system's file manager. */
  readonly reveal?: (project: string, path: string) => void;
}

let asked = 0;

function chooseFolder(): Promise<string | undefined> {
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    const stop = onDesktop((message) => {
      if (message.kind !== 'folder' || message.id !== id) return;
      stop();
      resolve(message.path ?? undefined);
    });
    tellDesktop({ kind: 'chooseFolder', id });
  });
}

export const hostFeatures: HostFeatures =
  desktop === undefined
    ? {}
    : {
        pathOfDropped: (file) => desktop?.pathOf(file) || undefined,
        chooseFolder,
        reveal: (project, path) => tellDesktop({ kind: 'reveal', project, path }),
      };
