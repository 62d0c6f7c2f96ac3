import type { Settings } from '../../../shared/model/settings.ts';
import { useClient } from '../../client/client.ts';
import { changeSettings } from '../../commands/actions.ts';
import { useWorkbench } from '../../view/useSession.ts';

/** The settings, and the way to change them. */
export function useSettings(): readonly [Settings, (change: (settings: Settings) => Settings) => void] {
  const client = useClient();
  const settings = useWorkbench((workbench) => workbench.settings);
  return [settings, (change) => changeSettings(client, change)];
}
