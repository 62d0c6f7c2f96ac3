/** Classes that all menus and popovers share. */
export const popLook =
  'z-40 max-h-[var(--radix-popper-available-height,70vh)] overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ink shadow-pop outline-none';

export const menuItemLook =
  'flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm outline-none select-none data-[highlighted]:bg-hover data-[disabled]:opacity-50 [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-soft';

export const menuLabelLook = 'px-2 pt-1.5 pb-1 text-2xs font-medium tracking-wide text-soft';
export const menuLineLook = 'my-1 h-px bg-line';
