import type { Settings } from '../../../shared/model/settings.ts';
import { useClient } from '../../client/client.ts';
import { changeSettings } from '../../commands/actions.ts';
import { useWorkbench } from '../../view/useSession.ts';

/**
 * The settings, and the way to change them. A change is made once those before it have arrived: what it takes from an
 * event must be read before, for by then the field shows the setting again.
 */
export function useSettings(): readonly [Settings, (change: (settings: Settings) => Settings) => void] {
  const client = useClient();
  const settings = useWorkbench((workbench) => workbench.settings);
  return [settings, (change) => changeSettings(client, change)];
}
