import { Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';

/** The menu of a right click: what can be done with a text, and words for one that is misspelled. */
export function showContextMenus(contents: WebContents): void {
  contents.on(
    'context-menu',
    (_event, { editFlags, isEditable, selectionText, misspelledWord, dictionarySuggestions }) => {
      const items: MenuItemConstructorOptions[] = [];
      if (misspelledWord !== '') {
        for (const word of dictionarySuggestions.slice(0, 5))
          items.push({ label: word, click: () => contents.replaceMisspelling(word) });
        if (dictionarySuggestions.length === 0) items.push({ label: 'No other spelling is known', enabled: false });
        items.push({ type: 'separator' });
      }
      if (isEditable)
        items.push(
          { role: 'undo', enabled: editFlags.canUndo },
          { role: 'redo', enabled: editFlags.canRedo },
          { type: 'separator' },
          { role: 'cut', enabled: editFlags.canCut },
        );
      if (isEditable || selectionText !== '') items.push({ role: 'copy', enabled: editFlags.canCopy });
      if (isEditable) items.push({ role: 'paste', enabled: editFlags.canPaste });
      if (items.length > 0) items.push({ type: 'separator' });
      items.push({ role: 'selectAll', enabled: editFlags.canSelectAll });
      Menu.buildFromTemplate(items).popup();
    },
  );
}
