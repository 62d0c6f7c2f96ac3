import type { Settings } from '../../../shared/model/settings.ts';
import { changeSettings } from '../../app/actions.ts';
import { useClient } from '../../app/client.tsx';
import { useBench } from '../../app/useSession.ts';

/** The settings, and the way to change them. */
export function useSettings(): readonly [Settings, (change: (settings: Settings) => Settings) => void] {
  const client = useClient();
  const settings = useBench((bench) => bench.settings);
  return [settings, (change) => changeSettings(client, change)];
}
