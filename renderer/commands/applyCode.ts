import { toast } from 'sonner';
import type { Client } from '../../shared/contract/client.ts';
import { valueOrToast } from '../client/client.ts';
import type { CodeOfReply } from '../view/overlay.ts';
import { codeAlone, placeCode } from '../view/placeCode.ts';
import { suggestCode } from '../view/show.ts';
import { useShown } from '../view/shown.ts';
import type { Words } from '../words/words.tsx';
import { ensureSession } from './actions.ts';

/**
 * Proposes a block of code of a reply as a change of one file, in the place of what it stands for; the review shows it
 * before anything is written. Where no place is certain, the agent can be asked to put it in.
 */
export async function applyCode(client: Client, { talk }: Words, path: string, code: CodeOfReply): Promise<void> {
  const { project } = useShown.getState();
  if (project === null) return;
  const read = await client.call('file.read', { project, path });
  const isNew = !read.ok && read.error.code === 'FILE_NOT_FOUND';
  const text = codeAlone(code.text);
  const before = read.ok ? read.value.text : '';
  const content = read.ok || isNew ? before !== null && placeCode(before, text) : false;
  if (content === false || content === undefined) {
    toast(talk.applyNoPlace(path));
    return suggestCode(talk.applyThis, path, code);
  }
  if (content === before) return void toast(talk.applySame(path));
  const session = await ensureSession(client);
  if (session === undefined) return;
  const input = { filePath: path, content };
  await valueOrToast(client.call('session.callTool', { session, tool: 'write_file', input }));
}
