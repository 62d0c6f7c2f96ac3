import { enModels } from './enModels.ts';
import { enPanels } from './enPanels.ts';
import { enWindow } from './enWindow.ts';

/** Every word the window says, in English; the other languages have its shape. */
export const en = { ...enWindow, ...enPanels, ...enModels };

export type Words = typeof en;
