import path from 'node:path';
import { type Contents, createContents } from '../contents.ts';
import { type Disk, realDisk } from '../disk.ts';
import { createFileHands, type FileHands } from '../hands.ts';
import type { Look } from '../look.ts';
import type { ProposedChange } from '../proposedChange.ts';
import { type RecoveredApply, recoverApplies } from '../recoverApplies.ts';
import { plainStyle } from '../textFile.ts';
import { testFolder } from './testFolder.ts';
import { testLook } from './testLook.ts';

export interface TestHands {
  readonly root: string;
  readonly state: string;
  readonly look: Look;
  readonly contents: Contents;
  readonly records: string;
  readonly hands: FileHands;
  /** What an opening of the project does first. */
  recover(): Promise<readonly RecoveredApply[]>;
  /** The proposal that a file gets this text, based on what it is now. */
  propose(name: string, text: string | null): Promise<ProposedChange>;
}

/** For tests: hands over a project folder, with a state folder beside it. */
export async function testHands(files: Readonly<Record<string, string | Uint8Array>>, disk?: Disk): Promise<TestHands> {
  return handsOver(testFolder(files), testFolder(), disk);
}

export async function handsOver(root: string, state: string, disk?: Disk): Promise<TestHands> {
  const look = await testLook(root);
  const contents = createContents({ folder: path.join(state, 'contents') });
  const records = path.join(state, 'applies');
  const hands = createFileHands({ sandbox: look.sandbox, contents, records, session: 's', disk });
  const recover: TestHands['recover'] = () => {
    const { roots, platform } = look.sandbox;
    return recoverApplies({ disk: realDisk, records, roots, platform });
  };
  const propose = async (name: string, text: string | null): Promise<ProposedChange> => {
    const read = await look.readText(name);
    if (!read.ok && read.error.code !== 'FILE_NOT_FOUND') throw new Error(read.error.message);
    const before = read.ok ? read.value : null;
    const status = text === null ? 'deleted' : before === null ? 'added' : 'modified';
    return { path: name, status, before, after: text === null ? null : { text, like: before ?? plainStyle } };
  };
  return { root, state, look, contents, records, hands, propose, recover };
}
