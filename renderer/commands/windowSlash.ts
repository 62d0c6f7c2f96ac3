import { toast } from 'sonner';
import { modes } from '../../shared/model/phase.ts';
import { usageText } from '../../shared/text/amounts.ts';
import type { SlashName } from '../../shared/text/slashCommands.ts';
import { valueOrToast } from '../client/client.ts';
import { openOverlay } from '../view/overlay.ts';
import { configureSession, newSession, openSession } from './actions.ts';
import type { CommandContext } from './command.ts';
import { commands } from './commands.ts';

/** Does what a slash command says. False: it does not fit, which the person was told; the line stays in the field. */
export async function runWindowSlash(
  name: SlashName<'window'>,
  args: readonly string[],
  context: CommandContext,
): Promise<boolean> {
  const { client, words, session, workbench } = context;
  const [first = ''] = args;
  const refuse = (text: string): false => {
    toast.error(text);
    return false;
  };
  switch (name) {
    case 'help':
      return runById('shortcuts', context);
    case 'config':
    case 'provider':
      if (name === 'config' || first === '' || session.id === '')
        openOverlay({ kind: 'settings', section: 'providers' });
      else
        return (
          (await valueOrToast(client.call('session.configure', { session: session.id, provider: first }))) !== undefined
        );
      return true;
    case 'mode': {
      const mode = modes.find((one) => one === first);
      if (first === '' || session.id === '') toast(words.composer.modeNow(session.mode));
      else if (!mode) return refuse(words.composer.noMode(first));
      else return (await valueOrToast(client.call('session.configure', { session: session.id, mode }))) !== undefined;
      return true;
    }
    case 'model':
    case 'effort':
      if (first !== '') return configureSession(client, name === 'model' ? { model: first } : { effort: usual(first) });
      return sayModel(context);
    case 'cost':
      toast(usageText(session.usage));
      return true;
    case 'session':
      toast(words.composer.sessionNow(session.id, session.title));
      return true;
    case 'sessions':
      openOverlay({ kind: 'palette' });
      return true;
    case 'load': {
      const found = Object.values(workbench.sessions).find(({ id }) => id === first || id.endsWith(first));
      if (!found) return refuse(words.composer.noSession(first));
      void openSession(client, found.id, found.project);
      return true;
    }
    case 'clear':
      void newSession(client);
      return true;
    case 'init':
      return startInit(context);
    case 'register':
      openOverlay({ kind: 'settings', section: 'specs', program: first });
      return true;
    case 'continue':
    case 'stop':
    case 'undo':
    case 'settings':
    case 'rules':
    case 'trust':
    case 'inbox':
      return runById(name, context) || refuse(words.composer.notNow(name));
    case 'review':
      return runById('showReview', context);
    case 'plan':
      return runById('showPlan', context);
    case 'shell':
      return runById('newShell', context) || refuse(words.composer.notNow(name));
  }
}

/** The word for no effort of one's own; a model may call a level of its own by any other. */
function usual(effort: string): string {
  return /^(?:default|usual)$/i.test(effort) ? '' : effort;
}

async function sayModel({ client, words, session }: CommandContext): Promise<boolean> {
  const asked = await valueOrToast(client.call('session.model', { session: session.id || undefined }));
  if (asked) toast(words.model.now(asked.model.name || words.header.noModel, asked.model.effort || words.model.usual));
  return asked !== undefined;
}

function runById(id: string, context: CommandContext): boolean {
  const command = commands.find((one) => one.id === id);
  if (!command || (command.when && !command.when(context))) return false;
  command.run(context);
  return true;
}

/** PROJECT.md through the usual review; one that is there is written anew only when the person says so. */
async function startInit({ client, words, session }: CommandContext): Promise<boolean> {
  if (session.id === '') {
    toast.error(words.composer.notNow('init'));
    return false;
  }
  const begun = await client.call('session.init', { session: session.id });
  if (begun.ok) return true;
  if (begun.error.code !== 'FILE_EXISTS') {
    toast.error(begun.error.message);
    return false;
  }
  toast(words.composer.initExists, {
    duration: 15_000,
    action: {
      label: words.composer.initReplace,
      onClick: () => void valueOrToast(client.call('session.init', { session: session.id, replace: true })),
    },
  });
  return true;
}
