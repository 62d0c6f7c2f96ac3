import type { Words } from './en.ts';
import { sayWith } from './said.ts';
import { zhModels } from './zhModels.ts';
import { zhPanels } from './zhPanels.ts';
import { zhSentences } from './zhSentences.ts';
import { zhWindow } from './zhWindow.ts';

/** 简体中文. The compiler holds the words of the window complete, a test those of the engine that it knows. */
export const zh: Words = { ...zhWindow, ...zhPanels, ...zhModels, said: sayWith(zhSentences) };
