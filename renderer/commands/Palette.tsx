import { Command as Cmdk } from 'cmdk';
import { Dialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useClient } from '../client/client.ts';
import { useAnswer } from '../client/useAnswer.ts';
import { sessionsOf } from '../mirror/selectors.ts';
import { isMac, keysText } from '../parts/keys.ts';
import { PathText } from '../parts/PathText.tsx';
import { type CodeOfReply, closeOverlay, openOverlay } from '../view/overlay.ts';
import { pathOfCode } from '../view/placeCode.ts';
import { openFile, showSession } from '../view/show.ts';
import { useShown } from '../view/shown.ts';
import { useWorkbench } from '../view/useSession.ts';
import { useWords } from '../words/words.tsx';
import { openProject } from './actions.ts';
import { applyCode } from './applyCode.ts';
import { commands } from './commands.ts';
import { keysOf } from './ownKeys.ts';
import { useCommandContext } from './useCommands.ts';

const shownPaths = 8;
const shownFiles = 40;
const typingPauseMs = 80;

/** One field for everything: commands, sessions of this project, its files, other projects; or for its files alone. */
export function Palette({ files, code }: { readonly files: boolean; readonly code?: CodeOfReply | undefined }) {
  const words = useWords();
  const { palette, commands: names, talk } = words;
  const client = useClient();
  const [query, setQuery] = useState(code ? pathOfCode(code.text) : '');
  const title = code ? talk.applyCode : files ? names.quickOpen : palette.title;
  const choose = code ? (path: string) => void applyCode(client, words, path, code) : openFile;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && closeOverlay()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 bg-veil" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-30 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-panel shadow-pop outline-none"
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <Cmdk loop label={palette.title}>
            <Cmdk.Input
              value={query}
              onValueChange={setQuery}
              placeholder={code ? talk.applyPlaceholder : files ? palette.filePlaceholder : palette.placeholder}
              className="w-full border-b border-line bg-transparent px-4 py-3 text-base outline-none"
            />
            <Cmdk.List
              label={title}
              className="max-h-[50vh] scroll-py-1 overflow-y-auto p-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-soft"
            >
              <Cmdk.Empty className="px-3 py-5 text-center text-soft">{palette.none}</Cmdk.Empty>
              {!files && <Commands />}
              <Paths
                query={query}
                least={files ? 0 : 2}
                limit={files ? shownFiles : shownPaths}
                onChoose={choose}
                offersNew={code !== undefined}
              />
              {!files && <Sessions />}
              {!files && <Projects />}
              {!files && <Tools />}
            </Cmdk.List>
          </Cmdk>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A line that closes the palette and does what it says. */
function Line({
  value,
  run,
  children,
}: {
  readonly value: string;
  readonly run: () => unknown;
  readonly children: ReactNode;
}) {
  return (
    <Cmdk.Item
      value={value}
      onSelect={() => {
        closeOverlay();
        run();
      }}
      className="flex items-center gap-3 rounded-md px-2.5 py-1.5 text-sm data-[selected=true]:bg-hover [&_svg]:size-3.5"
    >
      {children}
    </Cmdk.Item>
  );
}

function Commands() {
  const words = useWords();
  const context = useCommandContext();
  const now = context();
  return (
    <Cmdk.Group heading={words.palette.commands}>
      {commands
        .filter(({ id, when }) => id !== 'palette' && (when === undefined || when(now)))
        .map((command) => {
          const { id, label, run } = command;
          const keys = keysOf(command, now.workbench.settings.shortcuts);
          return (
            <Line key={id} value={`${id} ${label(words)}`} run={() => run(context())}>
              <span className="min-w-0 flex-1 truncate">{label(words)}</span>
              {keys && <kbd className="font-sans text-xs text-soft">{keysText(keys, isMac)}</kbd>}
            </Line>
          );
        })}
    </Cmdk.Group>
  );
}

function Paths({
  query,
  least,
  limit,
  onChoose,
  offersNew,
}: {
  readonly query: string;
  /** Characters from which on it is asked. */
  readonly least: number;
  readonly limit: number;
  readonly onChoose: (path: string) => void;
  /** A path that is not there yet can be chosen too. */
  readonly offersNew: boolean;
}) {
  const { tree, talk } = useWords();
  const project = useShown((shown) => shown.project);
  const wanted = query.trim();
  const isAsked = project !== null && wanted.length >= least;
  const found = useAnswer('file.find', isAsked ? { project, query: wanted, limit } : null, {
    pauseMs: typingPauseMs,
  });
  const paths = found?.paths ?? [];
  const isNew = offersNew && found !== null && /\w$/.test(wanted) && !paths.includes(wanted);
  if (paths.length === 0 && !isNew) return null;
  return (
    <Cmdk.Group heading={tree.title}>
      {isNew && (
        <Line value={`${query} new`} run={() => onChoose(wanted)}>
          {talk.applyNew(wanted)}
        </Line>
      )}
      {paths.map((path) => (
        // The engine has matched it already: the query in the value lets it pass the palette's own filter.
        <Line key={path} value={`${query} ${path}`} run={() => onChoose(path)}>
          <PathText path={path} />
        </Line>
      ))}
    </Cmdk.Group>
  );
}

function Sessions() {
  const words = useWords();
  const project = useShown((shown) => shown.project);
  const sessions = useWorkbench((workbench) => sessionsOf(workbench, project));
  if (sessions.length === 0) return null;
  return (
    <Cmdk.Group heading={words.palette.sessions}>
      {sessions.map(({ id, title }) => (
        <Line key={id} value={`${id} ${title}`} run={() => showSession(id)}>
          <span className="truncate">{title || words.sessions.untitled}</span>
        </Line>
      ))}
    </Cmdk.Group>
  );
}

function Tools() {
  const { palette } = useWords();
  const project = useShown((shown) => shown.project);
  const found = useAnswer('tool.list', project === null ? null : { project });
  const tools = found?.tools.filter(({ byPerson }) => byPerson) ?? [];
  if (tools.length === 0) return null;
  return (
    <Cmdk.Group heading={palette.tools}>
      {tools.map(({ name }) => (
        <Line key={name} value={`tool ${name}`} run={() => openOverlay({ kind: 'tool', name })}>
          <code className="font-mono text-xs">{name}</code>
        </Line>
      ))}
    </Cmdk.Group>
  );
}

function Projects() {
  const { palette } = useWords();
  const client = useClient();
  const shown = useShown(({ project }) => project);
  const projects = useWorkbench((workbench) => workbench.projects);
  return (
    <Cmdk.Group heading={palette.projects}>
      {projects
        .filter(({ path }) => path !== shown)
        .map(({ path, name }) => (
          <Line key={path} value={`project ${path}`} run={() => void openProject(client, path)}>
            <span>{name}</span>
            <span className="min-w-0 flex-1 truncate text-xs text-soft">{path}</span>
          </Line>
        ))}
    </Cmdk.Group>
  );
}
