/**
 * One pipe between an engine and one client: Electron IPC, a WebSocket or memory. A frame is plain data, or bytes for
 * consoles. Frames arrive in the order they were posted.
 */
export interface Connection {
  post(frame: object | Uint8Array): void;
  /** At most one listener; frames that arrive before it is set are kept for it. */
  onFrame(listen: (frame: unknown) => void): void;
  onClose(listen: (reason: string) => void): void;
  close(reason: string): void;
  /** Bytes that were posted and have not left yet; 0 where the transport cannot tell. */
  pendingBytes?(): number;
}

/** The largest frame a client may send: a pasted picture of 20 MB as base64, with room (S4). */
export const maxFrameChars = 28_500_000;
