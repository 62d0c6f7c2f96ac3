import { FileText, Link, MapPin } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import type { Task } from '../../../shared/model/task.ts';
import { useClient } from '../../client/client.ts';
import { IconButton } from '../../parts/Button.tsx';
import { cx } from '../../parts/cx.ts';
import { menuItemLook, popLook } from '../../parts/menuLook.ts';
import { VisibleText } from '../../parts/VisibleText.tsx';
import { openOverlay } from '../../view/overlay.ts';
import { openFile } from '../../view/show.ts';
import { useShown } from '../../view/shown.ts';
import { useWords } from '../../words/words.tsx';
import { type Place, placesOf } from './placesInText.ts';

/** The links of the output as a menu: what a mouse finds on the screen, for the keyboard and for screen readers. */
export function PlacesMenu({ task, session }: { readonly task: Task; readonly session: string }) {
  const words = useWords();
  const client = useClient();
  const project = useShown(({ project }) => project);
  const [places, setPlaces] = useState<readonly Place[] | null>(null);
  const look = async (): Promise<void> => {
    setPlaces(null);
    if (project !== null) setPlaces(await placesOf(client, { session, project, task }));
  };
  const go = (place: Place): void => {
    if (place.kind === 'file') openFile(place.path, { line: place.line, column: place.column });
    else openOverlay({ kind: 'link', url: place.url });
  };
  return (
    <DropdownMenu.Root onOpenChange={(isOpen) => isOpen && void look()}>
      <DropdownMenu.Trigger asChild>
        <IconButton label={words.console.places}>
          <MapPin />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          side="top"
          className={cx(popLook, 'max-h-72 w-[min(26rem,calc(100vw-2rem))] overflow-y-auto')}
        >
          {places === null || places.length === 0 ? (
            <p className="px-2 py-1 text-xs text-soft">
              {places === null ? words.common.loading : words.console.noPlaces}
            </p>
          ) : (
            places.map((place) => (
              <DropdownMenu.Item key={place.label} className={menuItemLook} onSelect={() => go(place)}>
                {place.kind === 'file' ? <FileText aria-hidden /> : <Link aria-hidden />}
                <span className="min-w-0 truncate font-mono text-xs">
                  <VisibleText text={place.label} />
                </span>
              </DropdownMenu.Item>
            ))
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
