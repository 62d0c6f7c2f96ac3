import { createLook, type Look } from '../look.ts';
import { createSandbox, type Sandbox } from '../sandbox.ts';

/** For tests: the sandbox of one folder. */
export async function testSandbox(root: string): Promise<Sandbox> {
  const made = await createSandbox({ roots: [root] });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

/** For tests: the view of one folder. */
export async function testLook(root: string): Promise<Look> {
  return createLook(await testSandbox(root));
}
