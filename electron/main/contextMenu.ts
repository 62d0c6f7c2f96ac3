import { Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';
import { words } from './desktopWords.ts';

/** The menu of a right click: what can be done with a text, and words for one that is misspelled. */
export function showContextMenus(contents: WebContents): void {
  contents.on(
    'context-menu',
    (_event, { editFlags, isEditable, selectionText, misspelledWord, dictionarySuggestions }) => {
      const { menu } = words();
      const items: MenuItemConstructorOptions[] = [];
      if (misspelledWord !== '') {
        for (const word of dictionarySuggestions.slice(0, 5))
          items.push({ label: word, click: () => contents.replaceMisspelling(word) });
        if (dictionarySuggestions.length === 0) items.push({ label: menu.noSpelling, enabled: false });
        items.push({ type: 'separator' });
      }
      if (isEditable)
        items.push(
          { role: 'undo', label: menu.undo, enabled: editFlags.canUndo },
          { role: 'redo', label: menu.redo, enabled: editFlags.canRedo },
          { type: 'separator' },
          { role: 'cut', label: menu.cut, enabled: editFlags.canCut },
        );
      if (isEditable || selectionText !== '')
        items.push({ role: 'copy', label: menu.copy, enabled: editFlags.canCopy });
      if (isEditable) items.push({ role: 'paste', label: menu.paste, enabled: editFlags.canPaste });
      if (items.length > 0) items.push({ type: 'separator' });
      items.push({ role: 'selectAll', label: menu.selectAll, enabled: editFlags.canSelectAll });
      Menu.buildFromTemplate(items).popup();
    },
  );
}
