import type { OpenedProject } from '../openProject/openedProject.ts';
import type { Gate } from '../permission/gate.ts';
import { guardedLook } from '../workspace/guardedLook.ts';
import type { Look } from '../workspace/look.ts';

/** What goes to the model without a call: as little of what rules deny as `read_file` would give (C11). */
export function lookForModel({
  project,
  gate,
}: {
  readonly project: Pick<OpenedProject, 'look'>;
  readonly gate: Pick<Gate, 'deniedPaths'>;
}): Look {
  const isDenied = gate.deniedPaths({ tool: 'read_file', category: 'file' });
  return isDenied ? guardedLook(project.look, isDenied).look : project.look;
}
