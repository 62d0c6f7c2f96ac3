import type { Words } from './en.ts';
import { zhModels } from './zhModels.ts';
import { zhPanels } from './zhPanels.ts';
import { zhWindow } from './zhWindow.ts';

/** 简体中文. The compiler holds it complete. */
export const zh: Words = { ...zhWindow, ...zhPanels, ...zhModels };
