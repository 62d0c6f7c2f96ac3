/**
 * What the surroundings of the page can do beyond the contract. The browser host can do none of it; the desktop lends
 * these later through frames of its own.
 */
export interface HostFeatures {
  /** The real path of a dropped file or folder, where the host may know it. */
  readonly pathOfDropped?: (file: File) => string | undefined;
  /** The system's own dialog for a folder; undefined when it was closed without a choice. */
  readonly chooseFolder?: () => Promise<string | undefined>;
}

export const hostFeatures: HostFeatures = {};
