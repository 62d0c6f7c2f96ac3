import { enModels } from './enModels.ts';
import { enPanels } from './enPanels.ts';
import { enWindow } from './enWindow.ts';
import type { Said } from './said.ts';

/** The engine speaks English itself. */
const said: Said = (text) => text;

/** Every word the window says, in English; the other languages have its shape. */
export const en = { ...enWindow, ...enPanels, ...enModels, said };

export type Words = typeof en;
