import { Folder, FolderOpen, Sparkles } from 'lucide-react';
import { useClient } from '../../client/client.ts';
import { hostFeatures } from '../../client/hostFeatures.ts';
import { chooseProject, openProject, openSample } from '../../commands/actions.ts';
import { Logo } from '../../parts/Logo.tsx';
import { useWorkbench } from '../../view/useSession.ts';
import { useWords } from '../../words/words.tsx';

/** Nothing open yet: one place to drop a folder, the sample, and what was open before. */
export function Welcome() {
  const words = useWords();
  const client = useClient();
  const projects = useWorkbench((workbench) => workbench.projects.filter(({ exists }) => exists));
  const canDrop = hostFeatures.pathOfDropped !== undefined;
  return (
    <main className="flex min-h-0 flex-1 flex-col items-center justify-center overflow-y-auto bg-panel px-6 py-8">
      <div className="flex w-full max-w-lg flex-col gap-5">
        <div className="text-center">
          <Logo className="mx-auto mb-3 size-10" />
          <h1 className="text-xl font-semibold">{words.welcome.title}</h1>
          <p className="mt-1 text-base text-balance text-soft">{words.welcome.body}</p>
        </div>
        <button
          type="button"
          className="flex flex-col items-center gap-2 rounded-xl border-2 border-dashed border-edge/80 px-6 py-9 transition-colors hover:border-accent hover:bg-accent-tint"
          onClick={() => void chooseProject(client)}
        >
          <FolderOpen aria-hidden className="size-6 text-accent" strokeWidth={1.5} />
          <span className="text-base font-medium">{canDrop ? words.welcome.drop : words.welcome.dropBrowser}</span>
          <span className="text-xs text-soft">{words.welcome.choose}</span>
        </button>
        <button
          type="button"
          className="flex items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-left transition-colors hover:border-edge hover:bg-hover"
          onClick={() => void openSample(client)}
        >
          <Sparkles aria-hidden className="size-5 shrink-0 text-warn" strokeWidth={1.5} />
          <span>
            <span className="block font-medium">{words.welcome.sample}</span>
            <span className="block text-xs text-soft">{words.welcome.sampleMore}</span>
          </span>
        </button>
        {projects.length > 0 && (
          <section>
            <h2 className="mb-1 px-2 text-xs font-semibold text-soft">{words.welcome.recents}</h2>
            <ul>
              {projects.slice(0, 6).map(({ path, name }) => (
                <li key={path}>
                  <button
                    type="button"
                    className="flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-left hover:bg-hover"
                    onClick={() => void openProject(client, path)}
                  >
                    <Folder aria-hidden className="size-3.5 shrink-0 text-accent" />
                    <span className="shrink-0">{name}</span>
                    <span className="min-w-0 flex-1 truncate text-right text-xs text-soft">{path}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </main>
  );
}
