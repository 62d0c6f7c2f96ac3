/** The largest picture that fits a frame as base64. */
export const maxImageBytes = 20_000_000;

export interface PastedImage {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly base64: string;
  readonly url: string;
}

export async function readImage(file: File): Promise<PastedImage> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const chunks: string[] = [];
  // Spreading a whole picture would overflow the call stack.
  for (let at = 0; at < bytes.length; at += 32_768)
    chunks.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return {
    id: crypto.randomUUID(),
    name: file.name,
    mediaType: file.type,
    base64: btoa(chunks.join('')),
    url: URL.createObjectURL(file),
  };
}
