import { join } from 'node:path';
import type { Settings } from '../../shared/model/settings.ts';
import { isRecord, readJsonFile, writeJsonFile } from '../engine/base/jsonFile.ts';
import type { Log } from '../engine/base/log.ts';
import { type KeptWindow, keptWindowOf } from './windowBounds.ts';

/** What the desktop itself remembers, beside the settings that all hosts share. */
export interface KeptState {
  readonly window: KeptWindow | undefined;
  /** Crash reports are written to this computer, and nowhere else; off until it is switched on. */
  readonly crashReports: boolean;
  readonly updateChannel: 'stable' | 'beta';
  /** These settings, for what is said and shown before the engine has read them. */
  readonly language: Settings['language'];
  readonly theme: Settings['theme'];
}

export interface KeptStateFile {
  readonly now: KeptState;
  change(part: Partial<KeptState>): void;
}

const version = 1;
const themes: readonly Settings['theme'][] = ['dark', 'light', 'contrast'];

/**
 * `desktop.json` in the desktop's folder, read by hand because it is read before the first window and a schema costs
 * that 15 ms. What does not fit counts as nothing kept: it holds no work of a person. A file of a newer version is never
 * written over.
 */
export function openKeptState(folder: string, log: Log): KeptStateFile {
  const path = join(folder, 'desktop.json');
  const file = readJsonFile(path);
  if (file.state === 'broken') log.warn('what the window remembered is lost', file.why);
  const read = file.state === 'read' && isRecord(file.value) ? file.value : {};
  const isNewer = typeof read['version'] === 'number' && read['version'] > version;
  let now: KeptState = {
    window: keptWindowOf(read['window']),
    crashReports: read['crashReports'] === true,
    updateChannel: read['updateChannel'] === 'beta' ? 'beta' : 'stable',
    language: read['language'] === 'en' || read['language'] === 'zh-CN' ? read['language'] : 'system',
    theme: themes.find((one) => one === read['theme']) ?? 'system',
  };
  return {
    get now() {
      return now;
    },
    change(part) {
      now = { ...now, ...part };
      if (isNewer) return;
      try {
        writeJsonFile(path, { ...now, version });
      } catch (error) {
        log.warn('the window cannot remember its place', error);
      }
    },
  };
}
