import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { Composer } from '../panels/composer/Composer.tsx';
import { Console } from '../panels/console/Console.tsx';
import { ConsoleBar } from '../panels/console/ConsoleBar.tsx';
import { Conversation } from '../panels/conversation/Conversation.tsx';
import { SessionList } from '../panels/sessions/SessionList.tsx';
import { FileTree } from '../panels/tree/FileTree.tsx';
import { ErrorEdge } from '../parts/ErrorEdge.tsx';
import { useLayout, useRoom } from '../view/layout.ts';
import { useShown } from '../view/shown.ts';
import { useSession } from '../view/useSession.ts';
import { useShowsRight } from '../view/useShowsRight.ts';
import { useWords } from '../words/words.tsx';
import { RightSide } from './RightSide.tsx';

/** At first: 24 lines of a usual window, less where the window is low. */
function consoleHeight(): number {
  return Math.min(216, Math.round(window.innerHeight * 0.24));
}

/** The workbench with a project: sides, centre and console, each border to be dragged and remembered. */
export function Layout() {
  const { layout } = useWords();
  const showLeft = useLayout(({ showLeft }) => showLeft);
  const wantsConsole = useLayout(({ showConsole }) => showConsole);
  const hasTasks = useSession(({ tasks }) => Object.keys(tasks).length > 0);
  const showConsole = wantsConsole && hasTasks;
  const showRight = useShowsRight();
  const wide = useRoom(({ wide }) => wide) && showRight;
  // Sizes belong to a project, and to the panels that are open together.
  const project = useShown(({ project }) => project ?? '');
  const rows = useDefaultLayout({ id: `vise.rows ${project}`, panelIds: showConsole ? ['top', 'console'] : ['top'] });
  const columnIds = [...(showLeft ? ['left'] : []), ...(wide ? [] : ['centre']), ...(showRight ? ['right'] : [])];
  const columns = useDefaultLayout({ id: `vise.columns ${project}`, panelIds: columnIds });
  const sides = useDefaultLayout({ id: `vise.side ${project}`, panelIds: ['sessions', 'tree'] });
  return (
    <>
      <Group key={project} {...rows} orientation="vertical" className="min-h-0 flex-1">
        <Panel id="top" minSize={260}>
          <Group {...columns} orientation="horizontal" className="h-full">
            {showLeft && (
              <>
                <Panel
                  id="left"
                  defaultSize={216}
                  minSize={168}
                  maxSize={420}
                  groupResizeBehavior="preserve-pixel-size"
                >
                  <aside aria-label={layout.left} className="h-full bg-frame">
                    <Group {...sides} orientation="vertical" className="h-full">
                      <Panel id="sessions" minSize={90} defaultSize="42">
                        <ErrorEdge name="sessions">
                          <SessionList />
                        </ErrorEdge>
                      </Panel>
                      <Separator className="h-px" />
                      <Panel id="tree" minSize={90}>
                        <ErrorEdge name="files">
                          <FileTree />
                        </ErrorEdge>
                      </Panel>
                    </Group>
                  </aside>
                </Panel>
                <Separator className="w-px" />
              </>
            )}
            {!wide && (
              <>
                <Panel id="centre" minSize={340}>
                  <main aria-label={layout.centre} className="flex h-full min-h-0 flex-col bg-panel">
                    <ErrorEdge name="conversation">
                      <Conversation />
                    </ErrorEdge>
                    <ErrorEdge name="composer">
                      <Composer />
                    </ErrorEdge>
                  </main>
                </Panel>
                {showRight && <Separator className="w-px" />}
              </>
            )}
            {showRight && (
              <Panel id="right" minSize={320} defaultSize={wide ? undefined : '52'}>
                <RightSide />
              </Panel>
            )}
          </Group>
        </Panel>
        {showConsole && (
          <>
            <Separator className="h-px" />
            <Panel
              id="console"
              defaultSize={consoleHeight()}
              minSize={96}
              maxSize="50"
              groupResizeBehavior="preserve-pixel-size"
            >
              <ErrorEdge name="console">
                <Console />
              </ErrorEdge>
            </Panel>
          </>
        )}
      </Group>
      {wantsConsole && !hasTasks && <ConsoleBar />}
    </>
  );
}
