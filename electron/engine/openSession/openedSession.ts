import type { CallStages } from '../edits/callStages.ts';
import type { OpenedProject } from '../openProject/openedProject.ts';
import type { Gate } from '../permission/gate.ts';
import type { Questions } from '../session/questions.ts';
import type { Contents } from '../workspace/contents.ts';
import type { FileHands } from '../workspace/hands.ts';

/** What an open session has of its own: where its calls wait, and the only hands that write for it. */
export interface OpenedSession {
  readonly gate: Gate;
  readonly questions: Questions;
  readonly stages: CallStages;
  readonly contents: Contents;
  readonly hands: FileHands;
  readonly project: OpenedProject;
}
