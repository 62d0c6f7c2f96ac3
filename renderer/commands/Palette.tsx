import { Command as Cmdk } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useClient } from '../client/client.ts';
import { sessionsOf } from '../mirror/selectors.ts';
import { isMac, keysText } from '../parts/keys.ts';
import { PathText } from '../parts/PathText.tsx';
import { closeOverlay } from '../view/overlay.ts';
import { openFile, showProject, showSession } from '../view/show.ts';
import { useShown } from '../view/shown.ts';
import { useWorkbench } from '../view/useSession.ts';
import { useWords } from '../words/words.tsx';
import { openProject } from './actions.ts';
import { commands } from './commands.ts';
import { useCommandContext } from './useCommands.ts';

const itemLook =
  'flex items-center gap-3 rounded-md px-2.5 py-1.5 text-sm data-[selected=true]:bg-hover [&_svg]:size-3.5';

/** One field for everything: commands, sessions of this project, its files, other projects. */
export function Palette() {
  const words = useWords();
  const client = useClient();
  const context = useCommandContext();
  const project = useShown(({ project }) => project);
  const sessions = useWorkbench((workbench) => sessionsOf(workbench, project));
  const projects = useWorkbench((workbench) => workbench.projects);
  const [query, setQuery] = useState('');
  const [paths, setPaths] = useState<readonly string[]>([]);
  const now = context();

  useEffect(() => {
    if (project === null || query.trim().length < 2) {
      setPaths([]);
      return;
    }
    let current = true;
    const timer = setTimeout(() => {
      void client.call('file.find', { project, query: query.trim(), limit: 8 }).then((answer) => {
        if (current && answer.ok) setPaths(answer.value.paths);
      });
    }, 80);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, project, query]);

  const close = (): void => closeOverlay();
  const choose = (run: () => void) => () => {
    close();
    run();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-veil" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-30 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-panel shadow-pop outline-none"
        >
          <Dialog.Title className="sr-only">{words.palette.title}</Dialog.Title>
          <Cmdk loop label={words.palette.title}>
            <Cmdk.Input
              value={query}
              onValueChange={setQuery}
              placeholder={words.palette.placeholder}
              className="w-full border-b border-line bg-transparent px-4 py-3 text-base outline-none"
            />
            <Cmdk.List className="max-h-[50vh] scroll-py-1 overflow-y-auto p-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-soft">
              <Cmdk.Empty className="px-3 py-5 text-center text-soft">{words.palette.none}</Cmdk.Empty>
              <Cmdk.Group heading={words.palette.commands}>
                {commands
                  .filter(({ id, when }) => id !== 'palette' && (when === undefined || when(now)))
                  .map((command) => (
                    <Cmdk.Item
                      key={command.id}
                      value={`${command.id} ${command.label(words)}`}
                      onSelect={choose(() => command.run(context()))}
                      className={itemLook}
                    >
                      <span className="min-w-0 flex-1 truncate">{command.label(words)}</span>
                      {command.keys && (
                        <kbd className="font-sans text-xs text-soft">{keysText(command.keys, isMac)}</kbd>
                      )}
                    </Cmdk.Item>
                  ))}
              </Cmdk.Group>
              {paths.length > 0 && (
                <Cmdk.Group heading={words.tree.title}>
                  {paths.map((path) => (
                    // The engine has matched it already: the query in the value lets it pass the palette's own filter.
                    <Cmdk.Item
                      key={path}
                      value={`${query} ${path}`}
                      onSelect={choose(() => openFile(path))}
                      className={itemLook}
                    >
                      <PathText path={path} />
                    </Cmdk.Item>
                  ))}
                </Cmdk.Group>
              )}
              {sessions.length > 0 && (
                <Cmdk.Group heading={words.palette.sessions}>
                  {sessions.map((session) => (
                    <Cmdk.Item
                      key={session.id}
                      value={`${session.id} ${session.title}`}
                      onSelect={choose(() => showSession(session.id))}
                      className={itemLook}
                    >
                      <span className="truncate">{session.title || words.sessions.untitled}</span>
                    </Cmdk.Item>
                  ))}
                </Cmdk.Group>
              )}
              <Cmdk.Group heading={words.palette.projects}>
                {projects
                  .filter(({ path }) => path !== project)
                  .map(({ path, name }) => (
                    <Cmdk.Item
                      key={path}
                      value={`project ${path}`}
                      onSelect={choose(() => {
                        showProject(path);
                        void openProject(client, path);
                      })}
                      className={itemLook}
                    >
                      <span>{name}</span>
                      <span className="min-w-0 flex-1 truncate text-xs text-soft">{path}</span>
                    </Cmdk.Item>
                  ))}
              </Cmdk.Group>
            </Cmdk.List>
          </Cmdk>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
