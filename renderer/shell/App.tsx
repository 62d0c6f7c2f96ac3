import { Tooltip } from 'radix-ui';
import { type DragEvent, useEffect, useEffectEvent, useMemo } from 'react';
import { Toaster, toast } from 'sonner';
import type { Client } from '../../shared/contract/client.ts';
import { ClientContext, inWords, useClient } from '../client/client.ts';
import { hostFeatures } from '../client/hostFeatures.ts';
import { openProject } from '../commands/actions.ts';
import { useShortcuts } from '../commands/useCommands.ts';
import { latestProject, latestSession, waitingChanges, waitingTotal } from '../mirror/selectors.ts';
import { useWorkbenchMirror } from '../mirror/workbench.ts';
import { FolderBar } from '../panels/dialogs/FolderBar.tsx';
import { Header } from '../panels/header/Header.tsx';
import { StatusBar } from '../panels/status/StatusBar.tsx';
import { Welcome } from '../panels/welcome/Welcome.tsx';
import { ErrorEdge } from '../parts/ErrorEdge.tsx';
import { Logo } from '../parts/Logo.tsx';
import { useTheme } from '../theme/useTheme.ts';
import { useLayout } from '../view/layout.ts';
import { openOverlay } from '../view/overlay.ts';
import { showProject, showSession } from '../view/show.ts';
import { useShown } from '../view/shown.ts';
import { useSession, useWorkbench } from '../view/useSession.ts';
import { useWords, WordsContext, wordsFor } from '../words/words.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { Dialogs } from './Dialogs.tsx';
import { Layout } from './Layout.tsx';
import { NarrowLayout } from './NarrowLayout.tsx';
import { useDesktop } from './useDesktop.ts';
import { useNarrow } from './useNarrow.ts';
import { useNotifications } from './useNotifications.ts';

export function App({ client, onRetry }: { readonly client: Client; readonly onRetry: () => void }) {
  const language = useWorkbench((workbench) => workbench.settings.language);
  const words = useMemo(() => wordsFor(language, navigator.languages), [language]);
  useEffect(() => {
    document.documentElement.lang = words.locale;
  }, [words]);
  const spoken = useMemo(() => inWords(client, words.said), [client, words]);
  return (
    <ClientContext value={spoken}>
      <WordsContext value={words}>
        <Tooltip.Provider delayDuration={500} skipDelayDuration={200}>
          <ErrorEdge name="window">
            <Window onRetry={onRetry} />
          </ErrorEdge>
        </Tooltip.Provider>
      </WordsContext>
    </ClientContext>
  );
}

function Window({ onRetry }: { readonly onRetry: () => void }) {
  const words = useWords();
  const client = useClient();
  const isKnown = useWorkbenchMirror(({ seq }) => seq >= 0);
  const hasProject = useShown(({ project }) => project !== null);
  const isNarrow = useNarrow();
  const theme = useTheme(useWorkbench((workbench) => workbench.settings.theme));
  useShortcuts();
  useTitle();
  useNotifications();
  useSettledView();
  useReviewOpens();
  useDesktop(isKnown);

  const onDrop = (event: DragEvent): void => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    const path = file && hostFeatures.pathOfDropped?.(file);
    if (path) void openProject(client, path);
    else {
      toast(words.welcome.noDrop);
      openOverlay({ kind: 'folder' });
    }
  };
  return (
    <div
      className="flex h-full flex-col"
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={onDrop}
    >
      <ConnectionBanner onRetry={onRetry} />
      {isKnown ? (
        <>
          <Header />
          <FolderBar />
          {hasProject ? isNarrow ? <NarrowLayout /> : <Layout /> : <Welcome />}
          <StatusBar />
          <Dialogs />
        </>
      ) : (
        <div className="flex flex-1 flex-col items-center justify-center gap-3 text-soft">
          <Logo className="pulse size-9" />
          <p>{words.app.loading}</p>
        </div>
      )}
      <Toaster
        theme={theme === 'light' ? 'light' : 'dark'}
        // Its own key, Alt+T, is that of a new shell.
        hotkey={[]}
        containerAriaLabel={words.notify.label}
        position="bottom-right"
        offset={{ bottom: 34, right: 12 }}
        toastOptions={{
          style: { fontFamily: 'var(--font-sans)' },
          classNames: {
            toast: '!w-72 !gap-2 !rounded-lg !border-line !bg-raised !px-3 !py-2.5 !text-ink !text-xs !shadow-pop',
            actionButton: '!h-6 !rounded-md !bg-accent-fill !text-on-accent !text-xs',
          },
        }}
      />
    </div>
  );
}

/** The review comes on show when it has something to be judged; where the person types stays where it is. */
function useReviewOpens(): void {
  const session = useSession(({ id }) => id);
  const hasEdits = useSession((state) => waitingChanges(state).length > 0);
  useEffect(() => {
    if (session !== '' && hasEdits) useLayout.setState({ right: 'review', rightSide: 'auto' });
  }, [session, hasEdits]);
}

/** The number of open questions in the title: seen where the window is not. */
function useTitle(): void {
  const waiting = useWorkbench(waitingTotal);
  const project = useShown(({ project }) => project);
  const name = useWorkbench((workbench) => workbench.projects.find(({ path }) => path === project)?.name ?? '');
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${name ? `${name} · ` : ''}Vise`;
  }, [waiting, name]);
}

/** What the page remembers may be gone by now; and the newest session of a project is what one wants to see first. */
function useSettledView(): void {
  const isKnown = useWorkbenchMirror(({ seq }) => seq >= 0);
  const project = useShown(({ project }) => project);
  const session = useShown(({ session }) => session);
  const hasProject = useWorkbench(
    (workbench) => project === null || workbench.projects.some(({ path }) => path === project),
  );
  const latest = useWorkbench((workbench) => latestProject(workbench) ?? null);
  const newest = useWorkbench((workbench) => latestSession(workbench, latest) ?? null);
  // What was opened last is what the person came for: a folder named on the command line, or where they left off.
  const showLatest = useEffectEvent(() => {
    if (latest !== null && latest !== useShown.getState().project) showProject(latest);
    if (useShown.getState().session === null && newest !== null) showSession(newest);
  });
  useEffect(() => {
    if (isKnown) showLatest();
  }, [isKnown]);
  const hasSession = useWorkbench((workbench) => session === null || workbench.sessions[session] !== undefined);
  useEffect(() => {
    if (!isKnown) return;
    if (!hasProject) showProject(null);
    else if (!hasSession) showSession(null);
  }, [isKnown, hasProject, hasSession]);
}
