import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { hostFeatures } from '../../client/hostFeatures.ts';
import { mentionType } from '../../parts/mentionType.ts';
import { addPaths } from '../../view/drafts.ts';

/** What is dropped or pasted: what has a path is mentioned, so that the agent reads it as it is then; the rest goes along. */
export function useDropped(add: (files: readonly File[]) => Promise<void>, onDropped: () => void) {
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setIsOver(false);
    const mentioned = event.dataTransfer.getData(mentionType);
    const files = [...event.dataTransfer.files].map((file) => ({
      file,
      // A picture is looked at, not read from its path.
      path: file.type.startsWith('image/') ? undefined : hostFeatures.pathOfDropped?.(file),
    }));
    const paths = mentioned === '' ? files.flatMap(({ path }) => path ?? []) : [mentioned];
    if (paths.length > 0) addPaths(paths);
    void add(files.flatMap(({ file, path }) => (path === undefined ? [file] : [])));
    onDropped();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    // Text that comes with a picture of itself (from a table, say) is text.
    if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return;
    event.preventDefault();
    void add(files);
  };
  const dropHandlers = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      event.stopPropagation();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop,
  };
  return { isOver, dropHandlers, onPaste };
}
